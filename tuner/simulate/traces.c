/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/traces.h"

#include "tuner/formats/file_text.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void traced_strategies_clear(struct traced_strategies *strategies)
{
    for (size_t i = 0; i < strategies->count; i++) {
        free(strategies->items[i].name);
        free(strategies->items[i].scores);
    }
    free(strategies->items);
    *strategies = (struct traced_strategies){0};
}

/* Appends a strategy with room for its scores; NULL when out of memory. */
static struct traced_strategy *append(struct traced_strategies *strategies, const char *name, size_t space_count)
{
    struct traced_strategy *items = realloc(strategies->items, (strategies->count + 1) * sizeof *items);
    if (!items)
        return NULL;
    strategies->items = items;
    struct traced_strategy *added = &items[strategies->count++];
    *added = (struct traced_strategy){strdup(name), calloc(space_count, sizeof *added->scores)};
    return added->name && added->scores ? added : NULL;
}

/* Reads an array of `count` numbers, scaled; false if it is anything else. */
static bool read_numbers(const json_t *array, double scale, double *numbers, size_t count)
{
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!json_is_number(json_array_get(array, i)))
            return false;
        numbers[i] = json_number_value(json_array_get(array, i)) * scale;
    }
    return true;
}

static bool read_repeat(const json_t *repeat, const struct simulated_space *space, struct replay_trace *trace,
                        struct error *error)
{
    const double millisecond_ns = 1e6;
    const json_t *seconds = json_object_get(repeat, "seconds");
    size_t count = json_array_size(seconds);
    double *numbers = calloc(2 * count + 1, sizeof *numbers);
    if (!numbers)
        return error_out_of_memory(error);
    bool done = read_numbers(seconds, 1, numbers, count) &&
                read_numbers(json_object_get(repeat, "best_ms"), millisecond_ns, numbers + count, count);
    if (done)
        replay_trace_read(space, numbers, numbers + count, count, trace);
    else
        error_set(error, ERROR_INPUT, "a repeat needs arrays \"seconds\" and \"best_ms\" of equally many numbers");
    free(numbers);
    return done;
}

static bool score_repeats(const json_t *repeats, const struct simulated_space *space, uint64_t seed,
                          struct score *score, struct error *error)
{
    size_t count = json_array_size(repeats);
    if (strcmp(space->values.objective, "time") != 0)
        return error_set(error, ERROR_INPUT, "traces have times, but %s is ranked by '%s': use --objective time",
                         space->recording->name, space->values.objective);
    if (count == 0)
        return error_set(error, ERROR_INPUT, "a strategy has no repeats on %s", space->recording->name);
    struct replay_trace *traces = malloc(count * sizeof *traces);
    if (!traces)
        return error_out_of_memory(error);
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = read_repeat(json_array_get(repeats, i), space, &traces[i], error);
    done = done && score_traces(space, traces, count, seed, score, error);
    free(traces);
    return done;
}

static bool is_text(const json_t *entry, const char *member, const char *text)
{
    const char *value = json_string_value(json_object_get(entry, member));
    return value && strcmp(value, text) == 0;
}

/* The repeats of a strategy on a recording, or NULL. */
static const json_t *repeats_of(const json_t *traces, const char *strategy, const char *recording)
{
    for (size_t i = 0; i < json_array_size(traces); i++) {
        const json_t *entry = json_array_get(traces, i);
        if (is_text(entry, "strategy", strategy) && is_text(entry, "recording", recording))
            return json_object_get(entry, "repeats");
    }
    return NULL;
}

static bool score_strategy(const json_t *traces, const char *name, const struct simulated_space *const *spaces,
                           size_t space_count, uint64_t seed, struct traced_strategies *strategies,
                           struct error *error)
{
    struct traced_strategy *strategy = append(strategies, name, space_count);
    if (!strategy)
        return error_out_of_memory(error);
    for (size_t i = 0; i < space_count; i++) {
        const char *recording = spaces[i]->recording->name;
        const json_t *repeats = repeats_of(traces, name, recording);
        if (!repeats)
            return error_set(error, ERROR_INPUT, "no traces of '%s' on %s", name, recording);
        if (!score_repeats(repeats, spaces[i], seed, &strategy->scores[i], error))
            return false;
    }
    return true;
}

static bool is_known(const struct traced_strategies *strategies, size_t first, const char *name)
{
    for (size_t i = first; i < strategies->count; i++) {
        if (strcmp(strategies->items[i].name, name) == 0)
            return true;
    }
    return false;
}

enum { TRACES_MOST = 10000 }; /* strategies on recordings; each is compared with all */

static bool score_all(const json_t *traces, const struct simulated_space *const *spaces, size_t space_count,
                      uint64_t seed, struct traced_strategies *strategies, struct error *error)
{
    size_t first = strategies->count;
    if (json_array_size(traces) == 0)
        return error_set(error, ERROR_INPUT, "there is no array \"traces\"");
    if (json_array_size(traces) > TRACES_MOST)
        return error_set(error, ERROR_INPUT, "\"traces\" has more than %d entries", TRACES_MOST);
    for (size_t i = 0; i < json_array_size(traces); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(traces, i), "strategy"));
        if (!name)
            return error_set(error, ERROR_INPUT, "traces[%zu] has no string \"strategy\"", i);
        if (!is_known(strategies, first, name) &&
            !score_strategy(traces, name, spaces, space_count, seed, strategies, error))
            return false;
    }
    return true;
}

static bool parse(const char *path, json_t **document, struct error *error)
{
    struct file_text file = {0};
    bool done = file_text_read(path, &file, error) &&
                json_parse(file.bytes, file.length, 0, path, "this is not JSON", document, error);
    free(file.bytes);
    return done;
}

bool traces_score(const char *path, const struct simulated_space *const *spaces, size_t space_count, uint64_t seed,
                  struct traced_strategies *strategies, struct error *error)
{
    json_t *document;
    struct error inner;
    if (!parse(path, &document, error))
        return false;
    bool done = score_all(json_object_get(document, "traces"), spaces, space_count, seed, strategies, &inner);
    json_decref(document);
    if (done)
        return true;
    return inner.code == ERROR_OUT_OF_MEMORY ? error_out_of_memory(error)
                                             : error_set(error, inner.code, "%s: %s", path, inner.text);
}
