/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/rejudge.h"

#include "tuner/space/metrics.h"

#include <stdlib.h>
#include <string.h>

/* The new values so far, and what those of the latest row's problem are computed with. */
struct gathering {
    const struct template *template;
    struct store *store;
    struct store_metrics *values;
    size_t count, capacity;
    int64_t device; /* -1: none yet */
    char *size;
    struct device_description description;
    struct metrics *metrics;
    struct error *error;
    bool failed;
};

/* Rows come by evaluation, mostly a problem at a time. */
static bool turn_to(struct gathering *gathering, const struct store_row *row)
{
    if (row->device == gathering->device && strcmp(row->size, gathering->size) == 0)
        return true;
    metrics_free(gathering->metrics);
    free(gathering->size);
    gathering->metrics = NULL;
    gathering->device = -1;
    gathering->size = strdup(row->size);
    if (!gathering->size)
        return error_out_of_memory(gathering->error);
    if (!store_device_description(gathering->store, row->device, &gathering->description, gathering->error) ||
        !metrics_create(gathering->template, &gathering->description, gathering->size, &gathering->metrics,
                        gathering->error))
        return false;
    gathering->device = row->device;
    return true;
}

static bool keep(struct gathering *gathering, int64_t evaluation, char *text)
{
    if (text && gathering->count == gathering->capacity) {
        size_t capacity = gathering->capacity ? 2 * gathering->capacity : 64;
        struct store_metrics *values = realloc(gathering->values, capacity * sizeof *values);
        if (values) {
            gathering->values = values;
            gathering->capacity = capacity;
        }
    }
    if (!text || gathering->count == gathering->capacity) {
        free(text);
        return error_out_of_memory(gathering->error);
    }
    gathering->values[gathering->count++] = (struct store_metrics){evaluation, text};
    return true;
}

static bool gather(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    struct evaluation evaluation;
    store_row_evaluation(row, &evaluation);
    gathering->failed = !turn_to(gathering, row) ||
                        !keep(gathering, row->id, metrics_text(gathering->metrics, row->configuration, &evaluation));
    return !gathering->failed;
}

bool rejudge_due(const struct template *template, struct store *store, bool *due, struct error *error)
{
    const char *name = template->name, *hash = template->hash, *objective = template->default_objective;
    char *definitions = metrics_definitions(template);
    bool current = true;
    bool done = (definitions || error_out_of_memory(error)) &&
                store_metrics_current(store, name, hash, definitions, objective, &current, error);
    *due = done && !current;
    free(definitions);
    return done;
}

bool rejudge(const struct template *template, struct store *store, struct error *error)
{
    struct gathering gathering = {.template = template, .store = store, .device = -1, .error = error};
    const char *name = template->name, *hash = template->hash, *objective = template->default_objective;
    char *definitions = metrics_definitions(template);
    bool current = true;
    bool done = (definitions || error_out_of_memory(error)) &&
                store_metrics_current(store, name, hash, definitions, objective, &current, error) &&
                store_metrics_stale(store, name, hash, definitions, gather, &gathering, error) && !gathering.failed;
    if (done && (!current || gathering.count > 0))
        done = store_metrics_put(store, name, hash, definitions, objective, gathering.values, gathering.count, error);
    for (size_t i = 0; i < gathering.count; i++)
        free(gathering.values[i].text);
    free(gathering.values);
    free(gathering.size);
    metrics_free(gathering.metrics);
    free(definitions);
    return done;
}
