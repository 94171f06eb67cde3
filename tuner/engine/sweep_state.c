/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_state.h"

#include "tuner/device/monotonic.h"

#include <math.h>
#include <stdlib.h>

bool sweep_check_sources(const struct sweep *sweep, bool *touched, struct error *error)
{
    if (!inputs_same(problem_inputs(sweep->problem), error))
        return false;
    if (template_is_current(problem_template(sweep->problem), touched, error))
        return true;
    return error_hint(error, "run the same command again to tune the sources as they are now");
}

bool sweep_give_sign(struct sweep *sweep, struct error *error)
{
    double now = monotonic_seconds();
    if (now - sweep->gave_sign < STORE_RUN_SIGN)
        return true;
    sweep->gave_sign = now;
    return store_run_alive(sweep->store, sweep->summary->run_id, error);
}

bool sweep_set_metrics(const struct sweep *sweep, const char *configuration, struct evaluation *evaluation,
                       struct error *error)
{
    if (evaluation->outcome != OUTCOME_OK)
        return true;
    free(evaluation->metrics);
    evaluation->metrics = metrics_text(sweep->metrics, configuration, evaluation);
    return evaluation->metrics || error_out_of_memory(error);
}

bool sweep_keep_best(struct sweep *sweep, size_t index, struct error *error)
{
    char *text = problem_configuration_text(sweep->problem, index);
    if (!text)
        return error_out_of_memory(error);
    free(sweep->best_text);
    sweep->best_text = text;
    sweep->summary->progress.best_configuration = text;
    sweep->summary->progress.best_ns = findings_of(&sweep->findings, index)->time_ns;
    sweep->summary->progress.best_value =
        objective_value_of(sweep->objective, findings_of(&sweep->findings, index)->value);
    sweep->summary->progress.best_work = findings_of(&sweep->findings, index)->work;
    sweep->summary->best_index = index;
    return true;
}

bool sweep_default(const struct sweep *sweep, size_t *index)
{
    bool named;
    return problem_default(sweep->problem, index, &named) && named;
}

bool sweep_is_new_best(const struct sweep *sweep, size_t index)
{
    const struct finding *finding = findings_of(&sweep->findings, index);
    const struct sweep_summary *summary = sweep->summary;
    return finding->outcome == OUTCOME_OK && isfinite(finding->value) &&
           (summary->progress.best_ns <= 0 || findings_better(&sweep->findings, index, summary->best_index));
}
