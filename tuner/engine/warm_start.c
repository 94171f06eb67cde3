/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/warm_start.h"

#include "tuner/select/nearness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double warm_start_distance(const struct store_row *row, const char *size, const struct device_description *device,
                           const char *template_hash)
{
    double distance =
        nearness_of_sizes(row->size, size) + nearness_of_models(row->device_name, row->architecture, device);
    if (strcmp(row->template_hash, template_hash) != 0)
        distance += 0.5;
    return distance;
}

/* ---- carrying a configuration over */

static double number_of(const json_t *json)
{
    return json_is_boolean(json) ? (double)json_is_true(json) : json_number_value(json);
}

/* How far a stored value is from one of ours; 0: equal, HUGE_VAL: not comparable. */
static double value_distance(const json_t *stored, struct value value)
{
    switch (value.kind) {
    case VALUE_STRING:
        return json_is_string(stored) && strcmp(json_string_value(stored), value.string) == 0 ? 0 : HUGE_VAL;
    case VALUE_BOOLEAN:
        return json_is_string(stored) ? HUGE_VAL : fabs(number_of(stored) - (double)value.boolean);
    case VALUE_INTEGER:
        return json_is_string(stored) ? HUGE_VAL : fabs(number_of(stored) - (double)value.integer);
    case VALUE_FLOAT:
        return json_is_string(stored) ? HUGE_VAL : fabs(number_of(stored) - value.real);
    case VALUE_UNSET:
        return stored ? HUGE_VAL : 0;
    }
    return HUGE_VAL;
}

/* The position nearest to a stored value, or `own` if none is comparable. */
static uint16_t nearest_position(const struct search_space *space, size_t dimension, const json_t *stored,
                                 uint16_t own)
{
    double least = HUGE_VAL;
    uint16_t nearest = own;
    for (size_t i = 0; stored && i < search_space_positions(space, dimension); i++) {
        double distance = value_distance(stored, search_space_value(space, dimension, i));
        if (distance < least) {
            least = distance;
            nearest = (uint16_t)i;
        }
    }
    return nearest;
}

/* The point itself, or a valid one that differs in one parameter. */
static bool find_near(const struct search_space *space, uint16_t *point, size_t *index)
{
    if (search_space_find(space, point, index))
        return true;
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        uint16_t own = point[d];
        for (size_t i = 0; i < search_space_positions(space, d); i++) {
            point[d] = (uint16_t)i;
            if (search_space_find(space, point, index))
                return true;
        }
        point[d] = own;
    }
    return false;
}

/* `*found` is false if no valid configuration is near. */
static bool carry_over(const struct problem *problem, const char *configuration, size_t *index, bool *found)
{
    const struct search_space *space = problem_search_space(problem);
    bool named;
    size_t start;
    *found = problem_configuration_find(problem, configuration, index);
    if (*found || !problem_default(problem, &start, &named))
        return true;
    json_t *stored = json_loads(configuration, 0, NULL);
    uint16_t *point = calloc(search_space_dimensions(space) + 1, sizeof *point);
    if (point && stored) {
        search_space_point(space, start, point);
        for (size_t d = 0; d < search_space_dimensions(space); d++) {
            const json_t *value = json_object_get(stored, search_space_name(space, d));
            point[d] = nearest_position(space, d, value, point[d]);
        }
        *found = find_near(space, point, index);
    }
    bool done = point != NULL;
    free(point);
    json_decref(stored);
    return done;
}

/* ---- the nearest few */

struct gathering {
    const struct problem *problem;
    const char *template_hash;
    size_t *priors;
    double distances[WARM_START_MOST];
    size_t count;
    bool failed, has_own; /* the best of this very problem */
};

/* Keep the nearest, without duplicates. */
static void insert(struct gathering *gathering, size_t index, double distance)
{
    size_t at = 0;
    while (at < gathering->count && gathering->priors[at] != index)
        at++;
    if (at < gathering->count && gathering->distances[at] <= distance)
        return;
    if (at == gathering->count && gathering->count < WARM_START_MOST)
        gathering->count++;
    else if (at == gathering->count && gathering->distances[--at] <= distance)
        return;
    for (; at > 0 && gathering->distances[at - 1] > distance; at--) {
        gathering->distances[at] = gathering->distances[at - 1];
        gathering->priors[at] = gathering->priors[at - 1];
    }
    gathering->distances[at] = distance;
    gathering->priors[at] = index;
}

static bool gather(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    size_t index;
    bool found;
    double distance = warm_start_distance(row, problem_size_text(gathering->problem),
                                          problem_device(gathering->problem), gathering->template_hash);
    if (distance == 0 && gathering->has_own)
        return true; /* what it has measured itself leaves room for what others know */
    gathering->has_own = gathering->has_own || distance == 0;
    gathering->failed = !carry_over(gathering->problem, row->configuration, &index, &found);
    if (!gathering->failed && found)
        insert(gathering, index, distance);
    return !gathering->failed;
}

bool warm_start(const struct problem *problem, struct store *store, const struct store_problem *identity,
                const char *objective, size_t priors[WARM_START_MOST], size_t *count, struct error *error)
{
    struct gathering gathering = {.problem = problem, .template_hash = identity->template_hash, .priors = priors};
    const struct device_description *device = problem_device(problem);
    const struct store_twins twins = {problem_size_text(problem), device->architecture, WARM_START_OF_TWINS};
    const char *name = identity->template_name;
    bool done =
        store_relatives(store, name, device->kind, objective, gather, &gathering, error) &&
        (gathering.failed || store_twins(store, name, device->kind, objective, &twins, gather, &gathering, error));
    *count = gathering.count;
    if (done && gathering.failed)
        return error_out_of_memory(error);
    return done;
}
