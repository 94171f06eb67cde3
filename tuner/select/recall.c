/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/recall.h"

#include "tuner/select/found_online.h"
#include "tuner/select/known_tree.h"
#include "tuner/select/nearness.h"
#include "tuner/select/relative.h"

#include <stdlib.h>
#include <string.h>

/* A result that may answer. */
struct recalled {
    struct relative known; /* without rule and octaves, which are those of a problem */
    char *architecture, *inputs;
    double device_octaves;
    struct size_point *point; /* of known.row.size */
};

struct recall {
    const char *template_name, *template_hash, *objective;
    const struct device_description *device;
    struct recalled *list;
    size_t count, capacity;
    struct known_tree **trees;
    size_t tree_count;
    struct found_onlines online;
};

bool recall_create(const struct selection_request *request, struct recall **result, struct error *error)
{
    struct recall *recall = calloc(1, sizeof *recall);
    *result = recall;
    if (!recall)
        return error_out_of_memory(error);
    recall->template_name = request->template_name;
    recall->template_hash = request->template_hash;
    recall->objective = request->objective;
    recall->device = request->device;
    return true;
}

static void recalled_clear(struct recalled *one)
{
    selection_clear(&one->known.row);
    free(one->architecture);
    free(one->inputs);
    free(one->point);
}

/* Down to so many of each. */
static void shrink(struct recall *recall, size_t count, size_t tree_count, size_t online_count)
{
    found_onlines_shrink(&recall->online, online_count);
    while (recall->count > count)
        recalled_clear(&recall->list[--recall->count]);
    while (recall->tree_count > tree_count)
        known_tree_free(recall->trees[--recall->tree_count]);
}

void recall_free(struct recall *recall)
{
    if (!recall)
        return;
    shrink(recall, 0, 0, 0);
    found_onlines_clear(&recall->online);
    free(recall->list);
    free(recall->trees);
    free(recall);
}

/* ---- reading */

struct reading {
    struct recall *recall;
    struct store *store;
    bool of_site;
    bool failed; /* memory ran out */
};

static struct recalled *append(struct recall *recall)
{
    if (recall->count == recall->capacity) {
        size_t capacity = recall->capacity ? 2 * recall->capacity : 16;
        struct recalled *list = realloc(recall->list, capacity * sizeof *list);
        if (!list)
            return NULL;
        recall->list = list;
        recall->capacity = capacity;
    }
    struct recalled *one = &recall->list[recall->count++];
    *one = (struct recalled){0};
    return one;
}

static bool take_row(const struct store_row *row, void *context)
{
    struct reading *reading = context;
    struct recall *recall = reading->recall;
    if (strcmp(row->template_hash, recall->template_hash) != 0)
        return true;
    struct recalled *one = append(recall);
    if (one && relative_of_row(row, reading->store, reading->of_site, recall->objective, &one->known)) {
        one->architecture = strdup(row->architecture);
        one->inputs = strdup(row->inputs);
        one->point = size_point_parse(one->known.row.size);
    }
    reading->failed = !one || !one->architecture || !one->inputs || !one->point;
    return !reading->failed;
}

/* Results of one device stand beside each other: it is described once. */
static bool measure_devices(struct recall *recall, size_t first, struct store *store, struct error *error)
{
    int64_t described = -1;
    double octaves = 0;
    for (size_t i = first; i < recall->count; i++) {
        struct recalled *one = &recall->list[i];
        struct device_description device;
        if (nearness_of_models(one->known.row.device, one->architecture, recall->device) == 0)
            continue;
        if (one->known.device != described) {
            if (!store_device_description(store, one->known.device, &device, error))
                return false;
            described = one->known.device;
            octaves = nearness_of_devices(&device, recall->device);
        }
        one->device_octaves = octaves;
    }
    return true;
}

static bool take_tree(const struct store_dispatch_row *row, void *context)
{
    struct reading *reading = context;
    struct recall *recall = reading->recall;
    enum selection_layer layer = reading->of_site                      ? LAYER_SITE
                                 : strcmp(row->origin, "shipped") == 0 ? LAYER_SHIPPED
                                                                       : LAYER_DATABASE;
    struct known_tree **trees = realloc(recall->trees, (recall->tree_count + 1) * sizeof *trees);
    struct known_tree *tree = NULL;
    if (trees)
        recall->trees = trees;
    reading->failed =
        !trees || !known_tree_read(row, layer, reading->of_site ? store_path(reading->store) : "", &tree, NULL);
    if (tree)
        recall->trees[recall->tree_count++] = tree;
    return !reading->failed;
}

static bool read_store(struct reading *reading, struct error *error)
{
    struct recall *recall = reading->recall;
    size_t first = recall->count;
    const struct store_filter filter = {
        .template_name = recall->template_name,
        .template_hash = recall->template_hash,
        .device_kind = recall->device->kind,
        .device_name = recall->device->name,
        .objective = recall->objective,
    };
    bool done = store_relatives(reading->store, recall->template_name, recall->device->kind, recall->objective,
                                take_row, reading, error) &&
                (reading->failed || (measure_devices(recall, first, reading->store, error) &&
                                     store_dispatches(reading->store, &filter, take_tree, reading, error))) &&
                (reading->failed || reading->of_site ||
                 found_onlines_add(&recall->online, reading->store, recall->template_name, recall->template_hash,
                                   recall->device, error));
    return done && (!reading->failed || error_out_of_memory(error));
}

bool recall_add(struct recall *recall, struct store *store, bool of_site, struct error *error)
{
    struct reading reading = {.recall = recall, .store = store, .of_site = of_site};
    const size_t count = recall->count, tree_count = recall->tree_count, online_count = recall->online.count;
    if (read_store(&reading, error))
        return true;
    shrink(recall, count, tree_count, online_count);
    return false;
}

/* ---- answering */

struct question {
    const struct recall *recall;
    const struct selection_request *request;
    struct size_point *asked;
    struct selection *selection;
    struct relative *list; /* rows that are borrowed from the recall */
};

static bool is_exact(const struct question *question, const struct recalled *one)
{
    const struct selection_request *request = question->request;
    return strcmp(one->known.row.size, request->size) == 0 && strcmp(one->inputs, request->inputs) == 0 &&
           strcmp(one->known.row.device, request->device->name) == 0;
}

/* Returns how many there are. */
static size_t list_exact(const struct question *question)
{
    size_t count = 0;
    for (size_t i = 0; i < question->recall->count; i++) {
        const struct recalled *one = &question->recall->list[i];
        if (!is_exact(question, one))
            continue;
        struct relative *relative = &question->list[count++];
        *relative = one->known;
        relative->row.rule = SELECTION_EXACT;
    }
    return count;
}

static void exchange(struct relative *one, struct relative *other)
{
    struct relative kept = *one;
    *one = *other;
    *other = kept;
}

/* All, those that are close in front. Returns how many these are. */
static size_t list_near(const struct question *question)
{
    const struct selection_request *request = question->request;
    size_t close = 0;
    for (size_t i = 0; i < question->recall->count; i++) {
        const struct recalled *one = &question->recall->list[i];
        struct relative *relative = &question->list[i];
        *relative = one->known;
        relative->row.rule = relative_rule(request, one->architecture, one->known.row.device, one->known.row.size);
        relative->row.octaves = nearness_of_points(one->point, question->asked) + one->device_octaves +
                                (strcmp(one->inputs, request->inputs) ? RELATIVE_OTHER_DATA : 0);
        if (relative_is_close(&relative->row))
            exchange(relative, &question->list[close++]);
    }
    return close;
}

/* The first of all in the place of the first: mostly it is valid, and the others need no order. */
static void bring_first(struct relative *list, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        if (relative_compare(&list[i], &list[first]) < 0)
            first = i;
    }
    exchange(&list[0], &list[first]);
}

static bool take_first(const struct question *question, struct relative *list, size_t count, struct error *error)
{
    const struct selection_request *request = question->request;
    bool fits = false;
    for (size_t i = 0; i < count && !fits; i++) {
        const struct selection *row = &list[i].row;
        if (i == 0)
            bring_first(list, count);
        else if (i == 1)
            qsort(list + 1, count - 1, sizeof *list, relative_compare);
        if (!relative_fits(request, row, &fits, error))
            return false;
        if (request->observe)
            request->observe(row, fits, request->observer);
        if (fits && !selection_copy(row, question->selection, error))
            return false;
    }
    return true;
}

static bool ask_trees(struct question *question, struct error *error)
{
    const struct recall *recall = question->recall;
    struct selection *selection = question->selection;
    bool done = true;
    for (int layer = LAYER_DATABASE; layer < LAYERS; layer++) {
        for (size_t i = 0; i < recall->tree_count && done && selection->rule == SELECTION_NONE; i++) {
            const struct known_tree *tree = recall->trees[i];
            if ((int)known_tree_layer(tree) != layer ||
                strcmp(known_tree_inputs(tree), question->request->inputs) != 0)
                continue;
            selection_clear(selection);
            done = known_tree_answer(tree, question->request, question->asked, selection, error);
        }
    }
    return done;
}

bool recall_ask(const struct recall *recall, const struct selection_request *request, struct selection *selection,
                struct error *error)
{
    struct question question = {.recall = recall, .request = request, .selection = selection};
    *selection = (struct selection){.rule = SELECTION_NONE};
    question.asked = size_point_parse(request->size);
    question.list = malloc((recall->count + 1) * sizeof *question.list);
    bool done = (question.asked && question.list) || error_out_of_memory(error);
    done = done && take_first(&question, question.list, list_exact(&question), error) &&
           found_onlines_take(&recall->online, request, selection, error);
    if (done && selection->rule == SELECTION_NONE) {
        const size_t close = list_near(&question);
        done = take_first(&question, question.list, close, error);
        if (done && selection->rule == SELECTION_NONE)
            done = ask_trees(&question, error);
        if (done && selection->rule == SELECTION_NONE)
            done = take_first(&question, question.list + close, recall->count - close, error);
    }
    free(question.list);
    free(question.asked);
    return done;
}

bool recall_has(const struct recall *recall, const char *configuration)
{
    for (size_t i = 0; i < recall->count; i++) {
        if (strcmp(recall->list[i].known.row.configuration, configuration) == 0)
            return true;
    }
    return found_onlines_have(&recall->online, configuration);
}
