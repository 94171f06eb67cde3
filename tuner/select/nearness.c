/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/nearness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS_MOST = 5 }; /* of two */

static const double factor_octaves = 0.125, missing_octaves = 1;
static const double architecture_octaves = 3, model_octaves = 1;

/* The value that `text` ("M=4096,N=64") gives to the size called `name`, of `length` letters; NAN: none. */
static double size_of(const char *text, const char *name, size_t length)
{
    for (const char *at = text; *at; at += *at == ',') {
        size_t own = strcspn(at, "=,");
        if (own == length && strncmp(at, name, length) == 0 && at[own] == '=')
            return strtod(at + own + 1, NULL);
        at += strcspn(at, ",");
    }
    return NAN;
}

static int factors_of_two(double value)
{
    int factors = 0;
    for (; factors < FACTORS_MOST && fmod(value, 2) == 0; value /= 2)
        factors++;
    return factors;
}

static double octaves_between(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log2(a / b)) : 0;
}

/* What a size adds that `a` has as `one` and `b` as `other`, NAN if it lacks it: by what it lacks, and with `shared`
 * by how much they differ. */
static double part(double one, int one_factors, double other, int other_factors, bool shared)
{
    if (isnan(other) || (shared && !(one > 0 && other > 0) && one != other))
        return missing_octaves;
    return shared ? octaves_between(one, other) + factor_octaves * abs(one_factors - other_factors) : 0;
}

static double distance(const char *a, const char *b, bool shared)
{
    double sum = 0;
    for (const char *at = a; *at; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        double one = size_of(a, at, length), other = size_of(b, at, length);
        sum += part(one, factors_of_two(one), other, factors_of_two(other), shared);
        at += strcspn(at, ",");
    }
    return sum;
}

double nearness_of_sizes(const char *known, const char *asked)
{
    return distance(known, asked, true) + distance(asked, known, false);
}

/* ---- the same of texts that were read before */

struct size_entry {
    const char *name; /* in the text, not ended by a NUL */
    size_t length;
    double value;
    int factors;
};

struct size_point {
    size_t count;
    struct size_entry entries[];
};

struct size_point *size_point_parse(const char *text)
{
    size_t most = 1, count = 0;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    struct size_point *point = malloc(sizeof *point + most * sizeof *point->entries);
    if (!point)
        return NULL;
    for (const char *at = text; *at; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        double value = size_of(text, at, length);
        point->entries[count++] = (struct size_entry){at, length, value, factors_of_two(value)};
        at += strcspn(at, ",");
    }
    point->count = count;
    return point;
}

/* Mostly all have the same sizes in the same order: a name is looked for where it stands in the other first. */
static const struct size_entry *find_entry(const struct size_point *point, const struct size_entry *entry,
                                           size_t near)
{
    for (size_t i = 0; i < point->count; i++) {
        const struct size_entry *other = &point->entries[(near + i) % point->count];
        if (other->length == entry->length && memcmp(other->name, entry->name, entry->length) == 0)
            return other;
    }
    return NULL;
}

static double distance_of_points(const struct size_point *a, const struct size_point *b, bool shared)
{
    double sum = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct size_entry *one = &a->entries[i], *other = find_entry(b, one, i);
        sum += part(one->value, one->factors, other ? other->value : NAN, other ? other->factors : 0, shared);
    }
    return sum;
}

double nearness_of_points(const struct size_point *known, const struct size_point *asked)
{
    return distance_of_points(known, asked, true) + distance_of_points(asked, known, false);
}

/* ---- devices */

static double bandwidth_of(const struct device_description *device)
{
    return (double)device->memory_clock_khz * (double)device->memory_bus_bits;
}

double nearness_of_models(const char *name, const char *architecture, const struct device_description *asked)
{
    if (strcmp(architecture, asked->architecture) != 0)
        return architecture_octaves;
    return strcmp(name, asked->name) == 0 ? 0 : model_octaves;
}

double nearness_of_devices(const struct device_description *known, const struct device_description *asked)
{
    double octaves = nearness_of_models(known->name, known->architecture, asked);
    if (octaves == 0)
        return 0;
    return octaves + octaves_between((double)known->sm_count, (double)asked->sm_count) +
           octaves_between((double)known->clock_khz, (double)asked->clock_khz) +
           octaves_between(bandwidth_of(known), bandwidth_of(asked));
}
