/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/found_online.h"

#include "tuner/evaluation/objective.h"

#include <stdlib.h>
#include <string.h>

struct found_online {
    struct selection row;
    char *inputs;
};

/* ---- reading */

struct reading {
    struct found_onlines *found;
    const char *device;
    bool failed; /* memory ran out */
};

static bool copy_row(const struct store_online_row *row, const char *device, struct found_online *one)
{
    *one = (struct found_online){
        .row =
            {
                .rule = SELECTION_EXACT,
                .layer = LAYER_DATABASE,
                .time_ns = row->online.time_ns,
                .configuration = strdup(row->online.configuration),
                .size = strdup(row->size),
                .device = strdup(device),
                .origin = strdup("online"),
                .measured_at = strdup(row->found_at),
                .compiler = strdup(row->compiler),
                .place = strdup(""),
            },
        .inputs = strdup(row->inputs),
    };
    return selection_is_whole(&one->row) && one->inputs;
}

static bool take_row(const struct store_online_row *row, void *context)
{
    struct reading *reading = context;
    struct found_onlines *found = reading->found;
    struct found_online *longer = realloc(found->list, (found->count + 1) * sizeof *longer);
    reading->failed = !longer;
    if (!longer)
        return false;
    found->list = longer;
    reading->failed = !copy_row(row, reading->device, &longer[found->count++]);
    return !reading->failed;
}

bool found_onlines_add(struct found_onlines *found, struct store *store, const char *template_name,
                       const char *template_hash, const struct device_description *device, struct error *error)
{
    struct reading reading = {.found = found, .device = device->name};
    const size_t before = found->count;
    const struct store_filter filter = {.template_name = template_name,
                                        .template_hash = template_hash,
                                        .device_kind = device->kind,
                                        .device_name = device->name};
    bool done = store_onlines(store, &filter, take_row, &reading, error);
    if (done && reading.failed)
        done = error_out_of_memory(error);
    if (!done)
        found_onlines_shrink(found, before);
    return done;
}

void found_onlines_shrink(struct found_onlines *found, size_t count)
{
    while (found->count > count) {
        struct found_online *last = &found->list[--found->count];
        selection_clear(&last->row);
        free(last->inputs);
    }
}

void found_onlines_clear(struct found_onlines *found)
{
    found_onlines_shrink(found, 0);
    free(found->list);
    *found = (struct found_onlines){0};
}

/* ---- answering */

static bool is_of(const struct found_online *one, const struct selection_request *request)
{
    return strcmp(one->row.size, request->size) == 0 && strcmp(one->inputs, request->inputs) == 0;
}

bool found_onlines_take(const struct found_onlines *found, const struct selection_request *request,
                        struct selection *selection, struct error *error)
{
    if (request->objective && strcmp(request->objective, objectives[0].name) != 0) /* only time was measured */
        return true;
    for (size_t i = 0; i < found->count; i++) {
        const struct selection *row = &found->list[i].row;
        const bool later = selection->rule == SELECTION_NONE || strcmp(row->measured_at, selection->measured_at) > 0;
        bool fits;
        if (!later || !is_of(&found->list[i], request))
            continue;
        if (!request->fits(row->configuration, &fits, request->context, error))
            return false;
        if (request->observe)
            request->observe(row, fits, request->observer);
        if (!fits)
            continue;
        selection_clear(selection);
        if (!selection_copy(row, selection, error))
            return false;
    }
    return true;
}

bool found_onlines_have(const struct found_onlines *found, const char *configuration)
{
    for (size_t i = 0; i < found->count; i++) {
        if (strcmp(found->list[i].row.configuration, configuration) == 0)
            return true;
    }
    return false;
}
