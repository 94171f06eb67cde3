/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/known_recording.h"

#include "tuner/simulate/recorded_values.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = 65535 }; /* no position */

/* How the recording's rows become points of the space. */
struct mapping {
    const struct recording *recording;
    const struct search_space *space;
    const struct dimension **parameters; /* by dimension of the space; NULL: the recording lacks it */
    uint16_t **positions;                /* by dimension and value of the parameter */
    uint16_t *point;
};

static void clear_mapping(struct mapping *mapping)
{
    for (size_t d = 0; mapping->positions && d < search_space_dimensions(mapping->space); d++)
        free(mapping->positions[d]);
    free(mapping->parameters);
    free(mapping->positions);
    free(mapping->point);
}

static const struct dimension *find_parameter(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->parameter_count; i++) {
        if (strcmp(recording->parameters[i].name, name) == 0)
            return &recording->parameters[i];
    }
    return NULL;
}

static uint16_t position_of(const struct search_space *space, size_t dimension, struct value value)
{
    for (size_t i = 0; i < search_space_positions(space, dimension); i++) {
        struct value own = search_space_value(space, dimension, i);
        bool unset = own.kind == VALUE_UNSET || value.kind == VALUE_UNSET;
        if (unset ? own.kind == value.kind : value_equal(own, value))
            return (uint16_t)i;
    }
    return NOWHERE;
}

static bool map_dimension(struct mapping *mapping, size_t dimension)
{
    const struct dimension *parameter =
        find_parameter(mapping->recording, search_space_name(mapping->space, dimension));
    size_t count = parameter ? parameter->count : 0;
    uint16_t *positions = calloc(count + 1, sizeof *positions);
    mapping->parameters[dimension] = parameter;
    mapping->positions[dimension] = positions;
    for (size_t i = 0; positions && i < count; i++)
        positions[i] = position_of(mapping->space, dimension, parameter->values[i]);
    return positions != NULL;
}

static bool create_mapping(struct mapping *mapping)
{
    size_t dimensions = search_space_dimensions(mapping->space);
    mapping->parameters = calloc(dimensions + 1, sizeof *mapping->parameters);
    mapping->positions = calloc(dimensions + 1, sizeof *mapping->positions);
    mapping->point = calloc(dimensions + 1, sizeof *mapping->point);
    bool done = mapping->parameters && mapping->positions && mapping->point;
    for (size_t d = 0; d < dimensions && done; d++)
        done = map_dimension(mapping, d);
    return done;
}

/* A parameter that the recording lacks has to be one that has a single value in the space. */
static bool find(struct mapping *mapping, size_t number, size_t *index)
{
    const struct recording *recording = mapping->recording;
    const uint16_t *row = recording->rows + number * recording->parameter_count;
    for (size_t d = 0; d < search_space_dimensions(mapping->space); d++) {
        const struct dimension *parameter = mapping->parameters[d];
        uint16_t position = 0;
        if (parameter)
            position = mapping->positions[d][row[parameter - recording->parameters]];
        else if (search_space_positions(mapping->space, d) > 1)
            return false;
        if (position == NOWHERE)
            return false;
        mapping->point[d] = position;
    }
    return search_space_find(mapping->space, mapping->point, index);
}

/* The best so far, the best first. */
struct leaders {
    size_t most, count, *indices;
    double *costs;
};

static void insert(struct leaders *leaders, size_t index, double cost)
{
    size_t at = leaders->count < leaders->most ? leaders->count++ : leaders->most - 1;
    for (; at > 0 && leaders->costs[at - 1] > cost; at--) {
        leaders->costs[at] = leaders->costs[at - 1];
        leaders->indices[at] = leaders->indices[at - 1];
    }
    leaders->costs[at] = cost;
    leaders->indices[at] = index;
}

bool known_recording_best(const struct recording *recording, const char *objective, const struct search_space *space,
                          size_t most, size_t *indices, size_t *count, struct error *error)
{
    struct recorded_values values = {0};
    struct mapping mapping = {.recording = recording, .space = space};
    struct leaders leaders = {.most = most, .indices = indices, .costs = calloc(most + 1, sizeof(double))};
    size_t candidate;
    bool done = recorded_values_read(recording, objective, &values, error) &&
                ((leaders.costs && create_mapping(&mapping)) || error_out_of_memory(error));
    for (size_t i = 0; i < recording->count && done; i++) {
        double value = values.of[i], cost = values.maximize ? 1 / value : value;
        bool leads = value > 0 && (leaders.count < most || cost < leaders.costs[most - 1]);
        if (leads && find(&mapping, i, &candidate))
            insert(&leaders, candidate, cost);
    }
    *count = leaders.count;
    free(leaders.costs);
    clear_mapping(&mapping);
    recorded_values_clear(&values);
    return done;
}
