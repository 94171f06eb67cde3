/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/selection.h"

#include "tuner/select/nearness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double data_octaves = 0.25; /* for data other than ours */

const char *selection_rule_name(enum selection_rule rule)
{
    static const char *const names[SELECTION_RULES] = {"none", "exact", "data", "size", "device", "architecture"};
    return names[rule];
}

void selection_clear(struct selection *selection)
{
    free(selection->configuration);
    free(selection->size);
    free(selection->device);
    free(selection->origin);
    free(selection->measured_at);
    free(selection->compiler);
    *selection = (struct selection){0};
}

static bool copy_row(const struct store_row *row, struct selection *selection)
{
    *selection = (struct selection){
        .evaluation = row->id,
        .time_ns = row->time_ns,
        .configuration = strdup(row->configuration),
        .size = strdup(row->size),
        .device = strdup(row->device_name),
        .origin = strdup(row->origin),
        .measured_at = strdup(row->measured_at),
        .compiler = strdup(row->compiler),
    };
    if (selection->configuration && selection->size && selection->device && selection->origin &&
        selection->measured_at && selection->compiler)
        return true;
    selection_clear(selection);
    return false;
}

static void tell(const struct selection_request *request, const struct selection *known, bool fits)
{
    if (request->observe)
        request->observe(known, fits, request->observer);
}

/* ---- 1: the same problem */

static bool take_first(const struct store_row *row, void *context)
{
    struct selection *selection = context;
    (void)copy_row(row, selection); /* find_exact sees whether it did */
    selection->rule = SELECTION_EXACT;
    return false;
}

static bool find_exact(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error)
{
    const struct store_filter filter = {
        .template_name = request->template_name,
        .template_hash = request->template_hash,
        .device_kind = request->device->kind,
        .device_name = request->device->name,
        .size = request->size,
        .inputs = request->inputs,
        .objective = request->objective,
    };
    return store_best(store, &filter, take_first, selection, error) &&
           (selection->rule == SELECTION_NONE || selection->configuration || error_out_of_memory(error));
}

/* ---- 2: near it */

struct relative {
    struct selection row;
    int64_t device;
};

struct relatives {
    const struct selection_request *request;
    struct relative *list;
    size_t count, capacity;
    bool failed; /* memory ran out */
};

static bool gather(const struct store_row *row, void *context)
{
    struct relatives *relatives = context;
    const struct selection_request *request = relatives->request;
    if (strcmp(row->template_hash, request->template_hash) != 0)
        return true;
    if (relatives->count == relatives->capacity) {
        size_t capacity = relatives->capacity ? 2 * relatives->capacity : 64;
        struct relative *list = realloc(relatives->list, capacity * sizeof *list);
        relatives->failed = !list;
        if (!list)
            return false;
        relatives->list = list;
        relatives->capacity = capacity;
    }
    struct relative *relative = &relatives->list[relatives->count];
    relatives->failed = !copy_row(row, &relative->row);
    if (relatives->failed)
        return false;
    relatives->count++;
    relative->device = row->device;
    relative->row.octaves =
        nearness_of_sizes(row->size, request->size) + (strcmp(row->inputs, request->inputs) ? data_octaves : 0);
    if (strcmp(row->architecture, request->device->architecture) != 0)
        relative->row.rule = SELECTION_ARCHITECTURE;
    else if (strcmp(row->device_name, request->device->name) != 0)
        relative->row.rule = SELECTION_DEVICE;
    else
        relative->row.rule = strcmp(row->size, request->size) ? SELECTION_SIZE : SELECTION_DATA;
    return true;
}

static bool add_devices(struct store *store, const struct relatives *relatives, struct error *error)
{
    struct device_description device;
    for (size_t i = 0; i < relatives->count; i++) {
        struct relative *relative = &relatives->list[i];
        if (relative->row.rule != SELECTION_DEVICE && relative->row.rule != SELECTION_ARCHITECTURE)
            continue;
        if (!store_device_description(store, relative->device, &device, error))
            return false;
        relative->row.octaves += nearness_of_devices(&device, relatives->request->device);
    }
    return true;
}

/* The nearest first; of two that are as near, the one of the earlier rule, and then what was measured last. */
static int compare(const void *a, const void *b)
{
    const struct selection *one = &((const struct relative *)a)->row, *other = &((const struct relative *)b)->row;
    if (one->octaves != other->octaves)
        return one->octaves < other->octaves ? -1 : 1;
    if (one->rule != other->rule)
        return one->rule < other->rule ? -1 : 1;
    return strcmp(other->measured_at, one->measured_at);
}

static bool take_nearest(struct relatives *relatives, struct selection *selection, struct error *error)
{
    const struct selection_request *request = relatives->request;
    if (relatives->count > 0)
        qsort(relatives->list, relatives->count, sizeof *relatives->list, compare);
    for (size_t i = 0; i < relatives->count; i++) {
        struct selection *row = &relatives->list[i].row;
        bool fits = false;
        if (!request->fits(row->configuration, &fits, request->context, error))
            return false;
        tell(request, row, fits);
        if (fits) {
            *selection = *row;
            *row = (struct selection){0};
            return true;
        }
    }
    return true;
}

static bool find_near(struct store *store, const struct selection_request *request, struct selection *selection,
                      struct error *error)
{
    struct relatives relatives = {.request = request};
    bool done = store_relatives(store, request->template_name, request->device->kind, request->objective, gather,
                                &relatives, error) &&
                (!relatives.failed || error_out_of_memory(error)) && add_devices(store, &relatives, error) &&
                take_nearest(&relatives, selection, error);
    for (size_t i = 0; i < relatives.count; i++)
        selection_clear(&relatives.list[i].row);
    free(relatives.list);
    return done;
}

bool selection_make(struct store *store, const struct selection_request *request, struct selection *selection,
                    struct error *error)
{
    *selection = (struct selection){.rule = SELECTION_NONE};
    if (!find_exact(store, request, selection, error))
        return false;
    if (selection->rule == SELECTION_NONE)
        return find_near(store, request, selection, error);
    tell(request, selection, true);
    return true;
}

/* ---- in words */

char *selection_text(const struct selection *selection, const struct selection_request *request)
{
    char *text, away[48] = "";
    bool other_size = strcmp(selection->size, request->size) != 0;
    bool other_device = selection->rule == SELECTION_DEVICE || selection->rule == SELECTION_ARCHITECTURE;
    if (selection->rule == SELECTION_DATA)
        snprintf(away, sizeof away, ", for other data");
    else if (selection->rule != SELECTION_EXACT)
        snprintf(away, sizeof away, ", %.1f octave%s from here", selection->octaves,
                 selection->octaves > 0.95 && selection->octaves < 1.05 ? "" : "s");
    int length = asprintf(&text, "%s%s%s%s%s%s, measured %.10s with %s",
                          strcmp(selection->origin, "shipped") == 0 ? "shipped knowledge" : "database",
                          other_device ? " of " : "", other_device ? selection->device : "", other_size ? " at " : "",
                          other_size ? selection->size : "", away, selection->measured_at, selection->compiler);
    return length < 0 ? NULL : text;
}
