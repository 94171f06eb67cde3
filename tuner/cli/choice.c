/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/choice.h"

#include "tuner/cli/json_output.h"
#include "tuner/json/json_text.h"
#include "tuner/library/admission.h"
#include "tuner/select/reach.h"
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

/* What the answers are looked for by. */
struct search {
    struct spaces spaces;
    struct admission admission;
    struct site site;
    char *size; /* the problem's, which is made anew meanwhile */
    struct selection_request request;
};

static bool search_open(struct search *search, const struct subject *subject, struct error *error)
{
    const char *held, *names;
    *search = (struct search){0};
    if (!inputs_identify(subject->inputs, &held, &names, error) ||
        !spaces_read(subject->template, &search->spaces, error) ||
        !admission_open(&search->spaces, &subject->device.description, problem_sizes(subject->problem),
                        &search->admission, error) ||
        !site_open(getenv("TUNE_SITE"), &search->site, error))
        return false;
    search->size = strdup(problem_size_text(subject->problem));
    if (!search->size)
        return error_out_of_memory(error);
    search->request = (struct selection_request){.template_name = subject->template->name,
                                                 .template_hash = subject->template->hash,
                                                 .device = &subject->device.description,
                                                 .size = search->size,
                                                 .inputs = held,
                                                 .objective = subject->objective.name,
                                                 .site = &search->site,
                                                 .fits = admission_fits,
                                                 .context = &search->admission};
    return true;
}

static void search_close(struct search *search)
{
    site_close(&search->site);
    free(search->size);
    admission_clear(&search->admission);
    spaces_clear(&search->spaces);
}

/* What is known for this kernel that will do here; nothing is chosen if there is none. */
static bool choose_known(struct search *search, struct store *store, struct choice *choice, struct error *error)
{
    search->request.observe = choice->considered ? note_considered : NULL;
    search->request.observer = choice->considered;
    if (!selection_make(store, &search->request, &choice->selection, error))
        return false;
    warn_of_site(&search->site);
    if (choice->selection.rule == SELECTION_NONE)
        return true;
    choice->configuration = strdup(choice->selection.configuration);
    choice->origin = selection_text(&choice->selection, &search->request);
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

/* What is known is too far: the default answers if it was ever valid. */
static bool prefer_default(struct subject *subject, const struct options *options, const struct search *search,
                           struct store *store, struct choice *choice, struct error *error)
{
    struct choice usual = {.considered = choice->considered};
    struct error none = {0};
    bool named = false, valid = false;
    bool found = choose_default(subject, options, &usual, &named, &none);
    bool done =
        found ? reach_was_valid(store, &search->request, usual.configuration, &valid, error)
              : none.code == ERROR_INPUT || none.code == ERROR_WORK || error_set(error, none.code, "%s", none.text);
    char *origin =
        valid ? reach_default_text(choice->origin, named, subject->space->name) : reach_distant_text(choice->origin);
    if (valid) {
        struct choice distant = *choice;
        *choice = usual;
        usual = distant;
    }
    choice_clear(&usual);
    free(choice->origin);
    choice->origin = origin;
    return done && (origin || error_out_of_memory(error));
}

static bool take_default(struct subject *subject, const struct options *options, struct choice *choice,
                         struct error *error)
{
    bool named = false;
    if (!choose_default(subject, options, choice, &named, error))
        return false;
    choice->origin = reach_default_text(NULL, named, subject->space->name);
    return choice->origin || error_out_of_memory(error);
}

bool choice_make(struct subject *subject, const struct options *options, struct store *store, struct choice *choice,
                 struct error *error)
{
    struct search search = {0};
    bool done = subject_problem(subject, options, error) && search_open(&search, subject, error) &&
                choose_known(&search, store, choice, error) &&
                (!choice->configuration ? take_default(subject, options, choice, error)
                                        : !reach_is_exceeded(&choice->selection) ||
                                              prefer_default(subject, options, &search, store, choice, error)) &&
                narrow(subject, options, choice, error);
    search_close(&search);
    return done;
}

bool choice_make_default(struct subject *subject, const struct options *options, struct choice *choice,
                         struct error *error)
{
    bool named = false;
    return choose_default(subject, options, choice, &named, error) && narrow(subject, options, choice, error);
}
