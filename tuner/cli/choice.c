/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/choice.h"

#include "tuner/cli/json_output.h"
#include "tuner/json/json_text.h"
#include "tuner/library/admission.h"
#include "tuner/space/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choice_clear(struct choice *choice)
{
    free(choice->configuration);
    free(choice->origin);
    selection_clear(&choice->selection);
}

/* A row that memory is missing for is left out. */
static void note_considered(const struct selection *known, bool fits, void *context)
{
    json_t *row =
        json_pack("{s:s, s:o, s:o, s:f, s:b, s:o, s:o, s:f, s:o}", "layer", selection_layer_name(known->layer),
                  "device", json_string_of_bytes(known->device), "size", json_string_of_bytes(known->size),
                  "octaves_away", known->octaves, "valid_here", (int)fits, "origin",
                  json_string_of_bytes(known->origin), "measured_at", json_string_of_bytes(known->measured_at),
                  "time_ns", known->time_ns, "configuration", json_of_text(known->configuration));
    json_array_append_new(context, row);
}

/* What the site knows, for all who set $TUNE_SITE; what of it cannot be read is told, once, and left out. */
static void warn_of_site(const struct site *site)
{
    if (site->refused == 0)
        return;
    struct error told = site->trouble;
    char more[64] = "";
    if (site->refused > 1)
        snprintf(more, sizeof more, " (and %zu more)", site->refused - 1);
    error_hint(&told, "it is left out of what $TUNE_SITE knows%s; unset TUNE_SITE to do without", more);
    error_print(&told, stderr);
}

/* What is known for this kernel that will do here; nothing is chosen if there is none. */
static bool choose_known(const struct subject *subject, struct store *store, struct choice *choice,
                         struct error *error)
{
    const char *held, *names;
    struct spaces spaces = {0};
    struct admission admission = {0};
    struct site site = {0};
    if (!inputs_identify(subject->inputs, &held, &names, error))
        return false;
    bool done =
        spaces_read(subject->template, &spaces, error) &&
        admission_open(&spaces, &subject->device.description, problem_sizes(subject->problem), &admission, error) &&
        site_open(getenv("TUNE_SITE"), &site, error);
    const struct selection_request request = {
        .template_name = subject->template->name,
        .template_hash = subject->template->hash,
        .device = &subject->device.description,
        .size = problem_size_text(subject->problem),
        .inputs = held,
        .objective = subject->objective.name,
        .site = &site,
        .fits = admission_fits,
        .context = &admission,
        .observe = choice->considered ? note_considered : NULL,
        .observer = choice->considered,
    };
    done = done && selection_make(store, &request, &choice->selection, error);
    if (done)
        warn_of_site(&site);
    site_close(&site);
    admission_clear(&admission);
    spaces_clear(&spaces);
    if (!done || choice->selection.rule == SELECTION_NONE)
        return done;
    choice->configuration = strdup(choice->selection.configuration);
    choice->origin = selection_text(&choice->selection, &request);
    return (choice->configuration && choice->origin) || error_out_of_memory(error);
}

/* The defaults of the template's default space, or the first valid configuration of it. */
static bool choose_default(struct subject *subject, const struct options *options, struct choice *choice, bool *named,
                           struct error *error)
{
    size_t index;
    problem_free(subject->problem);
    subject->problem = NULL;
    if (!subject->space && !subject_space(subject, NULL, error))
        return false;
    if (!subject_problem(subject, options, error))
        return false;
    if (problem_configuration_count(subject->problem) == 0)
        return explain_empty(subject->problem, error);
    if (!problem_default(subject->problem, &index, named))
        return error_set(error, ERROR_WORK, "space %s has no default configuration", subject->space->name);
    choice->configuration = problem_configuration_text(subject->problem, index);
    return choice->configuration || error_out_of_memory(error);
}

/* The problem has the chosen configuration and nothing else. */
static bool narrow(struct subject *subject, const struct options *options, const struct choice *choice,
                   struct error *error)
{
    struct problem_request request;
    problem_free(subject->problem);
    subject->problem = NULL;
    if (!subject_request(subject, options, &request, error))
        return false;
    request.space = NULL;
    return problem_from_configuration(&request, choice->configuration, &subject->problem, error);
}

bool choice_make(struct subject *subject, const struct options *options, struct store *store, struct choice *choice,
                 struct error *error)
{
    bool named = false;
    if (!subject_problem(subject, options, error) || !choose_known(subject, store, choice, error))
        return false;
    if (choice->configuration)
        return narrow(subject, options, choice, error);
    if (!choose_default(subject, options, choice, &named, error))
        return false;
    if (asprintf(&choice->origin, "nothing is known that is valid for this device and size: the %s of space %s",
                 named ? "default" : "first valid configuration", subject->space->name) < 0) {
        choice->origin = NULL;
        return error_out_of_memory(error);
    }
    return narrow(subject, options, choice, error);
}

bool choice_make_default(struct subject *subject, const struct options *options, struct choice *choice,
                         struct error *error)
{
    bool named = false;
    return choose_default(subject, options, choice, &named, error) && narrow(subject, options, choice, error);
}
