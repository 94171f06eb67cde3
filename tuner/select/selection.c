/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/selection.h"

#include "tuner/select/by_tree.h"
#include "tuner/select/found_online.h"
#include "tuner/select/nearness.h"
#include "tuner/select/relative.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *selection_rule_name(enum selection_rule rule)
{
    static const char *const names[SELECTION_RULES] = {"none", "exact",  "tree",        "data",
                                                       "size", "device", "architecture"};
    return names[rule];
}

const char *selection_layer_name(enum selection_layer layer)
{
    static const char *const names[LAYERS] = {"database", "site", "shipped"};
    return names[layer];
}

/* ---- its texts */

enum { TEXTS = 7 };

static char **text_of(struct selection *selection, size_t i)
{
    char **const texts[TEXTS] = {&selection->configuration, &selection->size,        &selection->device,
                                 &selection->origin,        &selection->measured_at, &selection->compiler,
                                 &selection->place};
    return texts[i];
}

void selection_clear(struct selection *selection)
{
    for (size_t i = 0; i < TEXTS; i++)
        free(*text_of(selection, i));
    *selection = (struct selection){0};
}

bool selection_is_whole(const struct selection *selection)
{
    struct selection texts = *selection;
    bool whole = true;
    for (size_t i = 0; i < TEXTS; i++)
        whole = whole && *text_of(&texts, i);
    return whole;
}

bool selection_copy(const struct selection *from, struct selection *to, struct error *error)
{
    *to = *from;
    for (size_t i = 0; i < TEXTS; i++)
        *text_of(to, i) = strdup(*text_of(to, i));
    return selection_is_whole(to) || error_out_of_memory(error);
}

/* ---- what is known */

struct relatives {
    const struct selection_request *request;
    struct store *store; /* that is asked */
    bool of_site;
    bool exact; /* the problem itself: the first row is the best */
    struct relative *list;
    size_t count, capacity;
    bool failed; /* memory ran out */
};

static struct relative *add_relative(struct relatives *relatives)
{
    if (relatives->count == relatives->capacity) {
        size_t capacity = relatives->capacity ? 2 * relatives->capacity : 64;
        struct relative *list = realloc(relatives->list, capacity * sizeof *list);
        if (!list)
            return NULL;
        relatives->list = list;
        relatives->capacity = capacity;
    }
    return &relatives->list[relatives->count];
}

static bool gather(const struct store_row *row, void *context)
{
    struct relatives *relatives = context;
    const struct selection_request *request = relatives->request;
    if (strcmp(row->template_hash, request->template_hash) != 0)
        return true;
    struct relative *relative = add_relative(relatives);
    relatives->failed =
        !relative || !relative_of_row(row, relatives->store, relatives->of_site, request->objective, relative);
    if (relatives->failed)
        return false;
    relatives->count++;
    relative->row.rule =
        relatives->exact ? SELECTION_EXACT : relative_rule(request, row->architecture, row->device_name, row->size);
    if (!relatives->exact)
        relative->row.octaves = nearness_of_sizes(row->size, request->size) +
                                (strcmp(row->inputs, request->inputs) ? RELATIVE_OTHER_DATA : 0);
    return !relatives->exact;
}

/* ---- asking the layers */

typedef bool asker(struct relatives *relatives, struct error *error);

static bool ask_exact(struct relatives *relatives, struct error *error)
{
    const struct selection_request *request = relatives->request;
    const struct store_filter filter = {
        .template_name = request->template_name,
        .template_hash = request->template_hash,
        .device_kind = request->device->kind,
        .device_name = request->device->name,
        .size = request->size,
        .inputs = request->inputs,
        .objective = request->objective,
    };
    return store_best(relatives->store, &filter, gather, relatives, error);
}

static bool ask_near(struct relatives *relatives, struct error *error)
{
    const struct selection_request *request = relatives->request;
    struct device_description device;
    size_t first = relatives->count;
    if (!store_relatives(relatives->store, request->template_name, request->device->kind, request->objective, gather,
                         relatives, error))
        return false;
    for (size_t i = first; i < relatives->count; i++) {
        struct relative *relative = &relatives->list[i];
        if (relative->row.rule != SELECTION_DEVICE && relative->row.rule != SELECTION_ARCHITECTURE)
            continue;
        if (!store_device_description(relatives->store, relative->device, &device, error))
            return false;
        relative->row.octaves += nearness_of_devices(&device, request->device);
    }
    return true;
}

/* What a database that cannot be read had to say so far does not count. */
static void forget(struct relatives *relatives, size_t first)
{
    while (relatives->count > first)
        selection_clear(&relatives->list[--relatives->count].row);
}

static bool ask_site(struct relatives *relatives, asker *ask, struct error *error)
{
    struct site *site = relatives->request->site;
    for (size_t i = 0; site && i < site->count; i++) {
        struct error trouble = {0};
        size_t first = relatives->count;
        relatives->store = site->stores[i];
        relatives->of_site = true;
        if (ask(relatives, &trouble) && !relatives->failed)
            continue;
        forget(relatives, first);
        if (relatives->failed)
            return error_out_of_memory(error);
        if (!site_note(site, &trouble, error))
            return false;
    }
    return true;
}

static bool ask_all(struct relatives *relatives, struct store *store, asker *ask, struct error *error)
{
    relatives->store = store;
    return ask(relatives, error) && (!relatives->failed || error_out_of_memory(error)) &&
           ask_site(relatives, ask, error);
}

/* ---- the answer */

/* Of the problem's own, or of the close and then of the others. */
static bool take_first(struct relatives *relatives, bool close, struct selection *selection, struct error *error)
{
    const struct selection_request *request = relatives->request;
    for (size_t i = 0; i < relatives->count && selection->rule == SELECTION_NONE; i++) {
        struct selection *row = &relatives->list[i].row;
        bool fits;
        if (relative_is_close(row) != close)
            continue;
        if (!relative_fits(request, row, &fits, error))
            return false;
        if (request->observe)
            request->observe(row, fits, request->observer);
        if (fits) {
            *selection = *row;
            *row = (struct selection){0};
        }
    }
    return true;
}

static bool ask_in_order(struct relatives *relatives, struct store *store, asker *ask, struct error *error)
{
    if (!ask_all(relatives, store, ask, error))
        return false;
    if (relatives->count > 0)
        qsort(relatives->list, relatives->count, sizeof *relatives->list, relative_compare);
    return true;
}

static void free_relatives(struct relatives *relatives)
{
    forget(relatives, 0);
    free(relatives->list);
}

/* The best of the problem's own that is valid. */
static bool answer_itself(struct store *store, const struct selection_request *request, struct selection *selection,
                          struct error *error)
{
    struct relatives relatives = {.request = request, .exact = true};
    bool done = ask_in_order(&relatives, store, ask_exact, error) && take_first(&relatives, false, selection, error);
    free_relatives(&relatives);
    return done;
}

/* The nearest that is valid, if it is close, or what trees say, or the nearest of all. */
static bool answer_of_others(struct store *store, const struct selection_request *request,
                             struct selection *selection, struct error *error)
{
    struct relatives relatives = {.request = request};
    bool done = ask_in_order(&relatives, store, ask_near, error) && take_first(&relatives, true, selection, error);
    if (done && selection->rule == SELECTION_NONE)
        done = selection_by_tree(store, request, selection, error);
    if (done && selection->rule == SELECTION_NONE)
        done = take_first(&relatives, false, selection, error);
    free_relatives(&relatives);
    return done;
}

/* What programs of the user's found for the very problem, unless something was measured later. */
static bool ask_online(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error)
{
    struct found_onlines found = {0};
    bool done =
        found_onlines_add(&found, store, request->template_name, request->template_hash, request->device, error) &&
        found_onlines_take(&found, request, selection, error);
    found_onlines_clear(&found);
    return done;
}

bool selection_make(struct store *store, const struct selection_request *request, struct selection *selection,
                    struct error *error)
{
    *selection = (struct selection){.rule = SELECTION_NONE};
    bool done = answer_itself(store, request, selection, error) && ask_online(store, request, selection, error);
    if (done && selection->rule == SELECTION_NONE)
        done = answer_of_others(store, request, selection, error);
    return done;
}

/* ---- in words */

static const char *const layer_texts[LAYERS] = {"database", "site ", "shipped knowledge"};

/* "s", unless it is one octave as it is written. */
static const char *plural(double octaves)
{
    return octaves > 0.95 && octaves < 1.05 ? "" : "s";
}

static char *tree_text(const struct selection *selection)
{
    char *text;
    int length = asprintf(
        &text, "%s%s: dispatch tree over %zu size%s, the nearest %s, %.1f octave%s from here, made %.10s with %s",
        layer_texts[selection->layer], selection->place, selection->tree_sizes, selection->tree_sizes == 1 ? "" : "s",
        selection->size, selection->octaves, plural(selection->octaves), selection->measured_at, selection->compiler);
    return length < 0 ? NULL : text;
}

char *selection_text(const struct selection *selection, const struct selection_request *request)
{
    if (selection->rule == SELECTION_TREE)
        return tree_text(selection);
    char *text, away[48] = "";
    bool other_size = strcmp(selection->size, request->size) != 0;
    bool other_device = selection->rule == SELECTION_DEVICE || selection->rule == SELECTION_ARCHITECTURE;
    if (selection->rule == SELECTION_DATA)
        snprintf(away, sizeof away, ", for other data");
    else if (selection->rule != SELECTION_EXACT)
        snprintf(away, sizeof away, ", %.1f octave%s from here", selection->octaves, plural(selection->octaves));
    int length = asprintf(&text, "%s%s%s%s%s%s%s, %s %.10s with %s", layer_texts[selection->layer], selection->place,
                          other_device ? " of " : "", other_device ? selection->device : "", other_size ? " at " : "",
                          other_size ? selection->size : "", away,
                          strcmp(selection->origin, "online") == 0 ? "found online" : "measured",
                          selection->measured_at, selection->compiler);
    return length < 0 ? NULL : text;
}
