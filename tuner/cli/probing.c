/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/probing.h"

#include "tuner/cli/subject.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/sweep.h"
#include "tuner/error/visible.h"
#include "tuner/search/choice.h"

#include <stdlib.h>
#include <string.h>

/* Template, default space and sizes of the probes, on the first of the chosen devices. */
static bool open_probes(const struct probing *probing, struct subject *subject, struct error *error)
{
    const struct options defaults = {0};
    subject->device = *probing->device;
    subject->device.ordinal_count = 1;
    return subject_template(subject, STORE_PROBES, error) && subject_space(subject, NULL, error) &&
           subject_problem(subject, &defaults, error);
}

static bool see_any(const struct store_row *row, void *context)
{
    if (strcmp(row->origin, "measured") != 0)
        return true;
    *(bool *)context = true;
    return false;
}

/* Failed probes count as well: they would only fail again. */
static bool was_probed(const struct probing *probing, const struct problem *problem, bool *probed,
                       struct error *error)
{
    struct store_problem identity;
    *probed = false;
    return problem_identity(problem, &identity, error) &&
           store_finished(probing->store, &identity, NULL, NULL, see_any, probed, error);
}

static bool sweep_probes(const struct probing *probing, const struct subject *subject, struct error *error)
{
    static const char exhaustive[] = "exhaustive";
    const struct options *options = probing->options;
    double *parameters = NULL;
    struct sweep_summary summary = {0};
    struct sweep_options settings = {
        .strategy_text = exhaustive,
        .seed = options->seed,
        .budget_text = "",
        .fresh = probing->fresh,
        .every_sample = true,
        .objective = &objectives[0],
        .crew = subject_crew(subject, options),
        .interrupted = probing->interrupted,
    };
    if (!options->quiet)
        visible_printf(stderr, "measuring what %s can do at best, %zu probes; 'tune ceilings' shows it\n",
                       subject->device.description.name, problem_configuration_count(subject->problem));
    bool done = strategy_choose(exhaustive, &settings.strategy, &parameters, error);
    settings.strategy_parameters = parameters;
    done = done && sweep_run(subject->problem, probing->store, &settings, NULL, NULL, &summary, error);
    free(parameters);
    return done;
}

bool probe_device(const struct probing *probing, struct error *error)
{
    bool probed = false;
    struct subject subject = {0};
    bool done = open_probes(probing, &subject, error) && was_probed(probing, subject.problem, &probed, error) &&
                ((probed && !probing->fresh) || sweep_probes(probing, &subject, error));
    subject_clear(&subject);
    return done;
}

void probe_by_the_way(const struct probing *probing)
{
    struct error error = {0};
    if (!probe_device(probing, &error))
        visible_printf(stderr, "tune: what the device can do at best was not measured: %s\n", error.text);
}
