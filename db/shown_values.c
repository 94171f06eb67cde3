/* SPDX-License-Identifier: Apache-2.0 */
#include "db/shown_values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PARAMETERS = 48, VALUES = 512, SLOTS = 2048, NONE = -1 };

struct parameter {
    uint64_t hash; /* of its name */
    size_t values;
};

struct value {
    uint64_t hash; /* of its name and itself */
    int parameter;
    size_t rank; /* of the best */
    double cost;
};

struct shown_values {
    struct parameter parameters[PARAMETERS];
    struct value values[VALUES];
    int slots[SLOTS]; /* values by hash */
    int parameter_count, value_count;
    uint32_t pairs[VALUES][VALUES]; /* ranks of the best, plus 1; 0: none */
};

struct shown_values *shown_values_create(void)
{
    struct shown_values *values = calloc(1, sizeof *values);
    for (size_t i = 0; values && i < SLOTS; i++)
        values->slots[i] = NONE;
    return values;
}

void shown_values_free(struct shown_values *values)
{
    free(values);
}

static int find_parameter(struct shown_values *values, uint64_t hash)
{
    int which = 0;
    while (which < values->parameter_count && values->parameters[which].hash != hash)
        which++;
    if (which == PARAMETERS)
        return NONE;
    if (which == values->parameter_count)
        values->parameters[values->parameter_count++].hash = hash;
    return which;
}

/* The value of a member, "NAME":VALUE; NONE: there are too many. */
static int find_value(struct shown_values *values, const char *member, size_t name, size_t length)
{
    uint64_t hash = XXH3_64bits(member, length);
    size_t slot = hash % SLOTS;
    for (; values->slots[slot] != NONE; slot = (slot + 1) % SLOTS) {
        if (values->values[values->slots[slot]].hash == hash)
            return values->slots[slot];
    }
    int parameter = find_parameter(values, XXH3_64bits(member, name));
    if (values->value_count == VALUES || parameter == NONE ||
        values->parameters[parameter].values > SHOWN_VALUES_MOST)
        return NONE;
    values->parameters[parameter].values++;
    values->values[values->value_count] = (struct value){.hash = hash, .parameter = parameter, .rank = SIZE_MAX};
    values->slots[slot] = values->value_count;
    return values->value_count++;
}

/* Behind a string that begins here. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

/* Behind the member that begins here: a name, a colon, and a string or what has neither comma nor brace. */
static const char *skip_member(const char *at, const char **name_end)
{
    *name_end = at = skip_string(at);
    while (*at && *at != ',' && *at != '}')
        at = *at == '"' ? skip_string(at) : at + 1;
    return at;
}

void shown_values_add(struct shown_values *values, const char *configuration, size_t rank, double cost)
{
    int found[PARAMETERS], count = 0;
    const char *at = configuration, *name_end;
    while ((*at == '{' || *at == ',') && at[1] == '"' && count < PARAMETERS) {
        const char *member = at + 1;
        at = skip_member(member, &name_end);
        int value = find_value(values, member, (size_t)(name_end - member), (size_t)(at - member));
        if (value != NONE)
            found[count++] = value;
    }
    for (int i = 0; i < count; i++) {
        struct value *value = &values->values[found[i]];
        if (rank < value->rank) {
            value->rank = rank;
            value->cost = cost;
        }
        for (int j = 0; j < i; j++) {
            uint32_t *pair = &values->pairs[found[j]][found[i]];
            if (*pair == 0 || rank < *pair - 1)
                *pair = (uint32_t)(rank + 1);
        }
    }
}

/* ---- the choice */

struct effect {
    int parameter;
    double ratio; /* of the best costs of its worst and its best value */
};

static int compare_effects(const void *a, const void *b)
{
    const struct effect *one = a, *other = b;
    if (one->ratio != other->ratio)
        return one->ratio > other->ratio ? -1 : 1;
    return one->parameter - other->parameter;
}

static bool counts(const struct shown_values *values, const struct value *value)
{
    size_t all = values->parameters[value->parameter].values;
    return all > 1 && all <= SHOWN_VALUES_MOST;
}

static size_t order_parameters(const struct shown_values *values, struct effect effects[PARAMETERS])
{
    double least[PARAMETERS] = {0}, most[PARAMETERS] = {0};
    size_t count = 0;
    for (int i = 0; i < values->value_count; i++) {
        const struct value *value = &values->values[i];
        int p = value->parameter;
        least[p] = least[p] > 0 && least[p] < value->cost ? least[p] : value->cost;
        most[p] = most[p] > value->cost ? most[p] : value->cost;
    }
    for (int p = 0; p < values->parameter_count; p++) {
        if (values->parameters[p].values > 1 && values->parameters[p].values <= SHOWN_VALUES_MOST)
            effects[count++] = (struct effect){p, least[p] > 0 ? most[p] / least[p] : 1};
    }
    qsort(effects, count, sizeof *effects, compare_effects);
    return count;
}

static size_t add_pairs(const struct shown_values *values, int one, int other, size_t *ranks, size_t count,
                        size_t most)
{
    for (int i = 0; i < values->value_count; i++) {
        for (int j = 0; j < values->value_count && count < most; j++) {
            int p = values->values[i].parameter, q = values->values[j].parameter;
            bool asked = (p == one && q == other) || (p == other && q == one);
            if (asked && values->pairs[i][j])
                ranks[count++] = values->pairs[i][j] - 1;
        }
    }
    return count;
}

size_t shown_values_best(const struct shown_values *values, size_t *ranks, size_t most)
{
    struct effect effects[PARAMETERS];
    size_t count = 0, parameters = order_parameters(values, effects);
    for (int i = 0; i < values->value_count && count < most; i++) {
        if (counts(values, &values->values[i]))
            ranks[count++] = values->values[i].rank;
    }
    for (size_t i = 1; i < parameters; i++) {
        for (size_t j = 0; j < i && count < most; j++)
            count = add_pairs(values, effects[j].parameter, effects[i].parameter, ranks, count, most);
    }
    return count;
}
