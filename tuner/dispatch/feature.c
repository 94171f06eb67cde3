/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/feature.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[FEATURE_KINDS] = {"size", "ratio", "product", "unit"};

const char *feature_kind_name(enum feature_kind kind)
{
    return kind_names[kind];
}

bool feature_kind_of(const char *name, enum feature_kind *kind)
{
    for (int i = 0; i < FEATURE_KINDS; i++) {
        if (strcmp(kind_names[i], name) == 0) {
            *kind = (enum feature_kind)i;
            return true;
        }
    }
    return false;
}

bool feature_has_two(enum feature_kind kind)
{
    return kind == FEATURE_RATIO || kind == FEATURE_PRODUCT;
}

size_t feature_count(size_t dimensions)
{
    return 2 * dimensions + (dimensions > 1 ? dimensions * (dimensions - 1) : 0);
}

/* Pair number `index` of a < b. */
static struct feature pair(enum feature_kind kind, size_t dimensions, size_t index)
{
    size_t a = 0;
    for (; index >= dimensions - 1 - a; a++)
        index -= dimensions - 1 - a;
    return (struct feature){kind, a, a + 1 + index};
}

struct feature feature_number(size_t dimensions, size_t index)
{
    size_t pairs = dimensions > 1 ? dimensions * (dimensions - 1) / 2 : 0;
    if (index < dimensions)
        return (struct feature){FEATURE_SIZE, index, index};
    index -= dimensions;
    if (index < pairs)
        return pair(FEATURE_RATIO, dimensions, index);
    index -= pairs;
    if (index < pairs)
        return pair(FEATURE_PRODUCT, dimensions, index);
    index -= pairs;
    return (struct feature){FEATURE_UNIT, index, index};
}

static double unit_of(int64_t size)
{
    int64_t unit = size & -size;
    return unit > FEATURE_UNIT_MOST ? FEATURE_UNIT_MOST : (double)unit;
}

double feature_value(const struct feature *feature, const int64_t *sizes)
{
    double a = (double)sizes[feature->a], b = (double)sizes[feature->b];
    switch (feature->kind) {
    case FEATURE_SIZE:
        return a;
    case FEATURE_RATIO:
        return a / b;
    case FEATURE_PRODUCT:
        return a * b;
    case FEATURE_UNIT:
        return unit_of(sizes[feature->a]);
    case FEATURE_KINDS:
        break;
    }
    return 0;
}

void feature_text(const struct feature *feature, const char *const *names, char *text, size_t length)
{
    if (feature->kind == FEATURE_SIZE)
        snprintf(text, length, "%s", names[feature->a]);
    else if (feature->kind == FEATURE_UNIT)
        snprintf(text, length, "power of two in %s", names[feature->a]);
    else
        snprintf(text, length, "%s %c %s", names[feature->a], feature->kind == FEATURE_RATIO ? '/' : '*',
                 names[feature->b]);
}
