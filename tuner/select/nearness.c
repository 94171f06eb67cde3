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

/* Of the sizes that `a` has: those that `b` lacks, and with `shared` how much the others differ. */
static double distance(const char *a, const char *b, bool shared)
{
    double sum = 0;
    for (const char *at = a; *at; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        double one = size_of(a, at, length), other = size_of(b, at, length);
        if (isnan(other) || (shared && !(one > 0 && other > 0) && one != other))
            sum += missing_octaves;
        else if (shared)
            sum += octaves_between(one, other) + factor_octaves * abs(factors_of_two(one) - factors_of_two(other));
        at += strcspn(at, ",");
    }
    return sum;
}

double nearness_of_sizes(const char *known, const char *asked)
{
    return distance(known, asked, true) + distance(asked, known, false);
}

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
