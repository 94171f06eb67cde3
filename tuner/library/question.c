/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/question.h"

#include "tuner/library/admission.h"
#include "tuner/library/named.h"
#include "tuner/library/sources.h"
#include "tuner/select/reach.h"
#include "tuner/select/recall.h"
#include "tuner/space/explain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the topic, made by the first who asks */

static bool find_template(struct tune *tune, const char *name, struct own_template **own, struct error *error)
{
    for (size_t i = 0; i < tune->template_count; i++) {
        if (strcmp(tune->templates[i]->name, name) == 0) {
            *own = tune->templates[i];
            return true;
        }
    }
    struct own_template **longer = realloc(tune->templates, (tune->template_count + 1) * sizeof *longer);
    if (!longer)
        return error_out_of_memory(error);
    tune->templates = longer;
    if (!own_template_read(name, tune->home, own, error))
        return false;
    longer[tune->template_count++] = *own;
    return true;
}

static bool remember(struct store *store, bool of_site, void *context, struct error *error)
{
    return recall_add(context, store, of_site, error);
}

/* Describing a device may take longer than all else. */
static const struct own_device *described(const struct tune *tune, const char *name)
{
    const struct topic *topic = tune->topics;
    while (topic && strcmp(topic->asked_device, name) != 0)
        topic = topic->next;
    return topic ? &topic->device : NULL;
}

static bool make_topic(struct tune *tune, const char *kernel, const char *device, const char *objective,
                       struct topic **topic, struct error *error)
{
    struct own_template *own;
    if (!find_template(tune, kernel, &own, error) ||
        !topic_create(own, device, described(tune, device), objective, topic, error))
        return false;
    if (sources_visit(tune, remember, (*topic)->recall, error) &&
        sources_visit_shipped(tune, own->template->hash, remember, (*topic)->recall, error)) {
        (*topic)->next = tune->topics;
        tune->topics = *topic;
        return true;
    }
    topic_free(*topic);
    return false;
}

/* A new reference. */
static bool find_topic(struct tune *tune, const char *kernel, const char *device, const char *objective,
                       struct topic **result, struct error *error)
{
    bool done = true;
    pthread_mutex_lock(&tune->lock);
    struct topic *topic = tune->topics;
    while (topic && (strcmp(topic->own->name, kernel) != 0 || strcmp(topic->asked_device, device) != 0 ||
                     strcmp(topic->asked_objective, objective) != 0))
        topic = topic->next;
    if (!topic)
        done = make_topic(tune, kernel, device, objective, &topic, error);
    if (done)
        *result = topic_keep(topic);
    pthread_mutex_unlock(&tune->lock);
    return done;
}

/* ---- sizes */

static bool evaluate(const struct topic *topic, const struct size_setting *settings, size_t count,
                     const struct inputs *inputs, struct size_setting **tuned, struct error *error)
{
    const struct template *template = topic->own->template;
    const struct given_sizes given = {settings, count, inputs, .own_matrices = true};
    struct size_setting *sizes[SIZES_COUNT] = {0};
    bool done = true;
    for (size_t i = 0; i < SIZES_COUNT && done; i++) {
        sizes[i] = calloc(template->size_count + 1, sizeof *sizes[i]);
        done = sizes[i] || error_out_of_memory(error);
    }
    done = done && sizes_evaluate(template, &topic->device.description, &given, sizes, error);
    free(sizes[SIZES_AWKWARD]);
    if (!done) {
        free(sizes[SIZES_TUNED]);
        sizes[SIZES_TUNED] = NULL;
    }
    *tuned = sizes[SIZES_TUNED];
    return done;
}

/* The caller has data of his own: what the template's files say counts only where it fits. */
static bool find_sizes(const struct topic *topic, const struct tune_problem *problem, struct size_setting **sizes,
                       bool *with_inputs, struct error *error)
{
    struct error unfit = {0};
    const struct inputs *inputs = topic->own->inputs;
    struct size_setting *settings = calloc(problem->size_count + 1, sizeof *settings);
    if (!settings)
        return error_out_of_memory(error);
    for (size_t i = 0; i < problem->size_count; i++)
        settings[i] = (struct size_setting){problem->sizes[i].name, problem->sizes[i].value};
    *with_inputs = inputs && evaluate(topic, settings, problem->size_count, inputs, sizes, &unfit);
    bool done = unfit.code == ERROR_OUT_OF_MEMORY
                    ? error_out_of_memory(error)
                    : *with_inputs || evaluate(topic, settings, problem->size_count, NULL, sizes, error);
    free(settings);
    return done;
}

/* ---- the default */

static const struct space *default_space(const struct spaces *spaces)
{
    const char *name = spaces->template->default_space;
    for (size_t i = 0; name && i < spaces->count; i++) {
        if (strcmp(spaces->list[i]->name, name) == 0)
            return spaces->list[i];
    }
    return !name && spaces->count == 1 ? spaces->list[0] : NULL;
}

/* By all configurations of the space, but not for more than seconds. */
static bool search_default(const struct topic *topic, const struct size_setting *sizes, const struct space *space,
                           char **configuration, bool *named, struct error *error)
{
    static const size_t effort = 20000000;
    struct problem *problem;
    size_t index;
    const struct problem_request request = {.template = topic->own->template,
                                            .space = space,
                                            .device = &topic->device.description,
                                            .sizes = sizes,
                                            .size_count = topic->own->template->size_count,
                                            .own_matrices = true,
                                            .effort = effort};
    if (!problem_make(&request, &problem, error))
        return false;
    bool done = problem_default(problem, &index, named) || explain_empty(problem, error);
    if (done) {
        *configuration = problem_configuration_text(problem, index);
        done = *configuration || error_out_of_memory(error);
    }
    problem_free(problem);
    return done;
}

struct found {
    struct selection selection;
    char *configuration, *origin;
};

static void clear_found(struct found *found)
{
    selection_clear(&found->selection);
    free(found->configuration);
    free(found->origin);
}

/* `distant`: what is known instead, too far away; NULL: nothing. */
static bool default_of(const struct topic *topic, const struct size_setting *sizes, struct admission *admission,
                       const struct space *space, const char *distant, struct found *found, struct error *error)
{
    bool named = true;
    assert(space);
    if (!fitting_default(admission->fitting, space, &found->configuration, error) ||
        (!found->configuration && !search_default(topic, sizes, space, &found->configuration, &named, error)))
        return false;
    found->origin = reach_default_text(distant, named, space->name);
    return found->origin || error_out_of_memory(error);
}

/* Where the template's default space has none, the other spaces may: their errors are then of no interest. */
static bool choose_default(const struct topic *topic, const struct size_setting *sizes, struct admission *admission,
                           const char *distant, struct found *found, struct error *error)
{
    const struct spaces *spaces = &topic->own->spaces;
    const struct space *usual = default_space(spaces);
    struct space *read = NULL;
    struct error first = {0};
    if (!usual) { /* it has an error, which this finds as well, or none is meant */
        if (!space_named(NULL, topic->own->template, &read, error))
            return false;
        usual = read;
    }
    bool done = default_of(topic, sizes, admission, usual, distant, found, &first);
    for (size_t i = 0; i < spaces->count && !done && first.code == ERROR_INPUT; i++) {
        struct error ignored = {0};
        if (spaces->list[i] != usual)
            done = default_of(topic, sizes, admission, spaces->list[i], distant, found, &ignored) ||
                   (ignored.code == ERROR_OUT_OF_MEMORY && error_out_of_memory(&first));
    }
    if (!done && error)
        *error = first;
    space_free(read);
    return done;
}

/* ---- was it ever valid? */

struct judgement_of {
    const struct template *template;
    const char *configuration;
    bool valid;
};

static bool look_up(struct store *store, bool of_site, void *context, struct error *error)
{
    struct judgement_of *judgement = context;
    (void)of_site;
    return judgement->valid || store_was_valid(store, judgement->template->name, judgement->template->hash,
                                               judgement->configuration, &judgement->valid, error);
}

static bool judge(struct tune *tune, struct topic *topic, enum selection_rule rule, const char *configuration,
                  bool *valid, struct error *error)
{
    *valid = (rule != SELECTION_NONE && rule != SELECTION_TREE) || recall_has(topic->recall, configuration);
    if (*valid || topic_is_judged(topic, configuration, valid))
        return true;
    struct judgement_of judgement = {.template = topic->own->template, .configuration = configuration};
    pthread_mutex_lock(&tune->lock);
    bool done = sources_visit(tune, look_up, &judgement, error);
    pthread_mutex_unlock(&tune->lock);
    if (done)
        topic_judge(topic, configuration, judgement.valid);
    *valid = judgement.valid;
    return done;
}

/* ---- all together */

/* What is known is too far: the default answers if it was ever valid. */
static bool prefer_default(struct tune *tune, struct topic *topic, const struct size_setting *sizes,
                           struct admission *admission, struct found *found, struct error *error)
{
    struct found usual = {0};
    struct error none = {0};
    bool valid = false;
    bool done = choose_default(topic, sizes, admission, found->origin, &usual, &none)
                    ? judge(tune, topic, SELECTION_NONE, usual.configuration, &valid, error)
                    : none.code == ERROR_INPUT || error_set(error, none.code, "%s", none.text);
    if (valid) {
        struct found distant = *found;
        *found = usual;
        usual = distant;
    } else if (done) {
        char *origin = reach_distant_text(found->origin);
        free(found->origin);
        found->origin = origin;
        done = origin || error_out_of_memory(error);
    }
    clear_found(&usual);
    return done;
}

static bool ask(struct tune *tune, struct topic *topic, const struct selection_request *request,
                const struct size_setting *sizes, struct admission *admission, struct found *found,
                struct error *error)
{
    if (!recall_ask(topic->recall, request, &found->selection, error))
        return false;
    if (found->selection.rule == SELECTION_NONE)
        return choose_default(topic, sizes, admission, NULL, found, error);
    found->configuration = strdup(found->selection.configuration);
    found->origin = selection_text(&found->selection, request);
    return ((found->configuration && found->origin) || error_out_of_memory(error)) &&
           (!reach_is_exceeded(&found->selection) || prefer_default(tune, topic, sizes, admission, found, error));
}

/* By what is known, unless only the default is asked for. */
static bool find(struct tune *tune, struct topic *topic, const struct size_setting *sizes, bool with_inputs,
                 bool only_default, struct found *found, struct error *error)
{
    struct admission admission = {0};
    struct selection_request request = topic_request(topic);
    char *size = sizes_text(sizes, topic->own->template->size_count);
    bool done = size ? admission_open(&topic->own->spaces, &topic->device.description, sizes, &admission, error)
                     : error_out_of_memory(error);
    request.size = size;
    request.inputs = with_inputs ? topic->own->held : "";
    request.fits = admission_fits;
    request.context = &admission;
    done = done && (only_default ? choose_default(topic, sizes, &admission, NULL, found, error)
                                 : ask(tune, topic, &request, sizes, &admission, found, error));
    admission_clear(&admission);
    free(size);
    return done;
}

_Static_assert((int)TUNE_RULE_EXACT == SELECTION_EXACT && (int)TUNE_RULE_TREE == SELECTION_TREE &&
                   (int)TUNE_RULE_DATA == SELECTION_DATA && (int)TUNE_RULE_SIZE == SELECTION_SIZE &&
                   (int)TUNE_RULE_DEVICE == SELECTION_DEVICE && (int)TUNE_RULE_ARCHITECTURE == SELECTION_ARCHITECTURE,
               "the rules of selection.h");

/* `*damaged`: what a database says was measured is no configuration of the template. */
static bool answer_topic(struct tune *tune, struct topic *topic, const struct tune_problem *problem,
                         bool only_default, bool *damaged, struct tune_answer **answer, struct error *error)
{
    struct size_setting *sizes = NULL;
    struct found found = {0};
    bool with_inputs = false, valid = false;
    bool done = find_sizes(topic, problem, &sizes, &with_inputs, error) &&
                find(tune, topic, sizes, with_inputs, only_default, &found, error) &&
                judge(tune, topic, found.selection.rule, found.configuration, &valid, error);
    if (done) {
        const struct tune_answer_info info = {.rule = (enum tune_rule)found.selection.rule,
                                              .origin = found.origin,
                                              .time_ns = found.selection.time_ns,
                                              .octaves = found.selection.octaves,
                                              .validated = valid};
        done = answer_create(topic, sizes, with_inputs, found.configuration, &info, answer, error);
        *damaged = !done && error->code == ERROR_INPUT && found.selection.rule != SELECTION_NONE;
    } else {
        free(sizes);
    }
    clear_found(&found);
    return done;
}

bool question_answer(struct tune *tune, const struct tune_problem *problem, const char *device,
                     struct tune_answer **answer, struct error *error)
{
    struct topic *topic;
    if (!find_topic(tune, problem->kernel, device, problem->objective ? problem->objective : "", &topic, error))
        return false;
    bool damaged = false;
    bool done = answer_topic(tune, topic, problem, false, &damaged, answer, error);
    if (damaged) {
        pthread_mutex_lock(&tune->lock);
        handle_note(tune, TUNE_ERROR_DATABASE, error);
        pthread_mutex_unlock(&tune->lock);
        done = answer_topic(tune, topic, problem, true, &damaged, answer, error);
    }
    topic_free(topic);
    return done;
}

/* ---- the default of an answer's problem */

static bool find_default(const struct tune_answer *answer, struct found *found, struct error *error)
{
    struct topic *topic = answer->topic;
    struct admission admission = {0};
    bool done = admission_open(&topic->own->spaces, &topic->device.description, answer->sizes, &admission, error) &&
                choose_default(topic, answer->sizes, &admission, NULL, found, error);
    admission_clear(&admission);
    return done;
}

bool question_default(struct tune *tune, const struct tune_answer *answer, struct tune_answer **result,
                      struct error *error)
{
    struct found found = {0};
    bool valid = false;
    bool done = find_default(answer, &found, error) &&
                judge(tune, answer->topic, SELECTION_NONE, found.configuration, &valid, error);
    if (done) {
        const struct tune_answer_info info = {.rule = TUNE_RULE_NONE, .origin = found.origin, .validated = valid};
        done = answer_create_like(answer, found.configuration, &info, result, error);
    }
    clear_found(&found);
    return done;
}
