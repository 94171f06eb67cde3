/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { CONSIDERED_MOST = 4000, FEATURES_MOST = 48, TEXT = 512 };

/* A configuration and what it would cover: its variant, and the parameters at an extreme. */
struct coverage {
    size_t index;
    int features[FEATURES_MOST];
    size_t feature_count;
};

struct choice {
    const struct problem *problem;
    struct coverage *considered; /* spread evenly over the space */
    size_t considered_count;
    json_t *ranges;   /* [smallest, largest], by variant and parameter */
    json_t *features; /* number of each feature */
};

/* The string parameters as one text. */
static void variant_text(const json_t *configuration, char *text, size_t size)
{
    const char *name;
    json_t *value;
    size_t used = 0;
    text[0] = '\0';
    json_object_foreach((json_t *)configuration, name, value)
    {
        if (json_is_string(value) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s=%s ", name, json_string_value(value));
    }
}

static double number(const json_t *value)
{
    return json_is_true(value) ? 1 : json_number_value(value);
}

static bool extend_ranges(struct choice *choice, const json_t *configuration)
{
    char variant[TEXT], key[2 * TEXT];
    const char *name;
    json_t *value;
    variant_text(configuration, variant, sizeof variant);
    json_object_foreach((json_t *)configuration, name, value)
    {
        if (json_is_string(value))
            continue;
        snprintf(key, sizeof key, "%s%s", variant, name);
        json_t *range = json_object_get(choice->ranges, key);
        double low = number(value), high = low;
        if (range) {
            double known_low = json_number_value(json_array_get(range, 0));
            double known_high = json_number_value(json_array_get(range, 1));
            low = known_low < low ? known_low : low;
            high = known_high > high ? known_high : high;
        }
        if (json_object_set_new(choice->ranges, key, json_pack("[f, f]", low, high)) != 0)
            return false;
    }
    return true;
}

static bool add_feature(struct choice *choice, struct coverage *coverage, const char *feature)
{
    json_t *known = json_object_get(choice->features, feature);
    size_t next = json_object_size(choice->features);
    if (coverage->feature_count == FEATURES_MOST)
        return true;
    if (!known && json_object_set_new(choice->features, feature, json_integer((json_int_t)next)) != 0)
        return false;
    coverage->features[coverage->feature_count++] = known ? (int)json_integer_value(known) : (int)next;
    return true;
}

static bool list_features(struct choice *choice, struct coverage *coverage, const json_t *configuration)
{
    char variant[TEXT], key[2 * TEXT];
    const char *name;
    json_t *value;
    variant_text(configuration, variant, sizeof variant);
    if (!add_feature(choice, coverage, variant))
        return false;
    json_object_foreach((json_t *)configuration, name, value)
    {
        if (json_is_string(value))
            continue;
        snprintf(key, sizeof key, "%s%s", variant, name);
        const json_t *range = json_object_get(choice->ranges, key);
        for (size_t end = 0; end < 2; end++) {
            double corner = json_number_value(json_array_get(range, end));
            if (corner < number(value) || corner > number(value))
                continue;
            snprintf(key, sizeof key, "%s%s at its %s", variant, name, end ? "largest" : "smallest");
            if (!add_feature(choice, coverage, key))
                return false;
        }
    }
    return true;
}

/* One pass over the considered configurations. */
static bool visit(struct choice *choice, bool features)
{
    bool done = true;
    for (size_t i = 0; done && i < choice->considered_count; i++) {
        struct coverage *coverage = &choice->considered[i];
        char *text = problem_configuration_text(choice->problem, coverage->index);
        json_t *configuration = text ? json_loads(text, 0, NULL) : NULL;
        done = configuration &&
               (features ? list_features(choice, coverage, configuration) : extend_ranges(choice, configuration));
        json_decref(configuration);
        free(text);
    }
    return done;
}

/* Prefer configurations that are also valid at the awkward sizes, where checks are quick. */
static bool gather(struct choice *choice)
{
    size_t all = problem_configuration_count(choice->problem);
    size_t most = all < CONSIDERED_MOST ? all : CONSIDERED_MOST;
    choice->considered = calloc(most + 1, sizeof *choice->considered);
    if (!choice->considered)
        return false;
    for (int awkward = 1; awkward >= 0 && choice->considered_count == 0; awkward--) {
        for (size_t i = 0; i < most; i++) {
            size_t index = (size_t)((double)i * (double)all / (double)most);
            bool valid = true;
            if (awkward && !problem_valid_awkward(choice->problem, index, &valid, NULL))
                return false;
            if (valid)
                choice->considered[choice->considered_count++].index = index;
        }
    }
    return true;
}

static size_t gain(const struct coverage *coverage, const bool *covered)
{
    size_t count = 0;
    for (size_t i = 0; i < coverage->feature_count; i++)
        count += !covered[coverage->features[i]];
    return count;
}

/* Greedy set cover: always the configuration that adds most new features. */
static bool cover(const struct choice *choice, size_t most, size_t *list, size_t *count)
{
    bool *covered = calloc(json_object_size(choice->features) + 1, sizeof *covered);
    if (!covered)
        return false;
    while (*count < most) {
        const struct coverage *best = NULL;
        size_t best_gain = 0;
        for (size_t i = 0; i < choice->considered_count; i++) {
            size_t own = gain(&choice->considered[i], covered);
            if (own > best_gain) {
                best = &choice->considered[i];
                best_gain = own;
            }
        }
        if (!best)
            break;
        for (size_t i = 0; i < best->feature_count; i++)
            covered[best->features[i]] = true;
        list[(*count)++] = best->index;
    }
    free(covered);
    return true;
}

static bool holds(const size_t *list, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == index)
            return true;
    }
    return false;
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void fill_up(const struct problem *problem, size_t wanted, uint64_t seed, size_t *list, size_t *count)
{
    size_t all = problem_configuration_count(problem);
    for (size_t tries = 0; *count < wanted && tries < 20 * wanted; tries++) {
        size_t index = (size_t)(next_random(&seed) % all);
        if (!holds(list, *count, index))
            list[(*count)++] = index;
    }
    for (size_t index = 0; *count < wanted && index < all; index++) {
        if (!holds(list, *count, index))
            list[(*count)++] = index;
    }
}

bool sample_choose(const struct problem *problem, size_t wanted, uint64_t seed, size_t **list, size_t *count,
                   struct error *error)
{
    struct choice choice = {.problem = problem, .ranges = json_object(), .features = json_object()};
    size_t most = wanted ? wanted : SAMPLE_USUAL;
    *list = calloc(most + 1, sizeof **list);
    *count = 0;
    bool done = *list && choice.ranges && choice.features && gather(&choice) && visit(&choice, false) &&
                visit(&choice, true) && cover(&choice, most, *list, count);
    if (done) {
        fill_up(problem, wanted, seed, *list, count);
    } else {
        free(*list);
        *list = NULL;
        error_out_of_memory(error);
    }
    json_decref(choice.ranges);
    json_decref(choice.features);
    free(choice.considered);
    return done;
}
