/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/recording.h"

#include <stdlib.h>

void recording_free(struct recording *recording)
{
    if (!recording)
        return;
    free(recording->rows);
    free(recording->results);
    arena_free(&recording->arena);
    free(recording);
}

void recordings_clear(struct recordings *recordings)
{
    for (size_t i = 0; i < recordings->count; i++)
        recording_free(recordings->items[i]);
    free(recordings->items);
    *recordings = (struct recordings){0};
}

bool recordings_append(struct recordings *recordings, struct recording *recording, struct error *error)
{
    struct recording **items = realloc(recordings->items, (recordings->count + 1) * sizeof *items);
    if (!items) {
        recording_free(recording);
        return error_out_of_memory(error);
    }
    items[recordings->count++] = recording;
    recordings->items = items;
    return true;
}

double recorded_cost(const struct recorded_result *result)
{
    return result->compile_seconds + result->validate_seconds + result->measure_seconds;
}

size_t recording_valid_count(const struct recording *recording)
{
    size_t valid = 0;
    for (size_t i = 0; i < recording->count; i++)
        valid += recording->results[i].outcome == OUTCOME_OK;
    return valid;
}

bool recording_best(const struct recording *recording, size_t *index)
{
    bool found = false;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_result *result = &recording->results[i];
        if (result->outcome == OUTCOME_OK && (!found || result->time_ns < recording->results[*index].time_ns)) {
            *index = i;
            found = true;
        }
    }
    return found;
}
