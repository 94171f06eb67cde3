/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/alike.h"

#include "tuner/lang/number.h"
#include "tuner/measure/step_use.h"

#include <math.h>
#include <string.h>

/* ---- can they be compared? */

static const struct job_check *check_of(const struct job_case *one, size_t buffer, size_t index)
{
    for (size_t i = 0; i < one->check_count; i++) {
        if (one->checks[i].buffer == buffer && index-- == 0)
            return &one->checks[i];
    }
    return NULL;
}

const char *alike_obstacle(const struct job_case *one, const bool *is_output)
{
    if (one->verify.count > 0)
        return "its results are judged by a verify block, not by themselves";
    for (size_t i = 0; i < one->check_count; i++) {
        if (one->checks[i].unordered)
            return "its results may be in any order";
        if (one->checks[i].late)
            return "how much of its results counts depends on data";
        if (one->checks[i].below)
            return "its results are judged by their size, not by what they should be";
    }
    for (size_t i = 0; i < one->buffer_count; i++) {
        if (is_output[i] && !check_of(one, i, 0))
            return "nothing checks one of its outputs";
    }
    return NULL;
}

/* ---- numbers */

struct compared {
    const struct layout *layout;
    const unsigned char *expected, *actual;
    size_t first_leaf, end_leaf;
    uint64_t first, end; /* elements */
    bool exact;
    double bound, absolute, scale; /* scale: 0: each number's own */
};

static uint64_t bits_at(const struct compared *compared, const unsigned char *bytes, uint64_t element, size_t leaf)
{
    const struct leaf *own = &compared->layout->leaves[leaf];
    uint64_t bits = 0;
    memcpy(&bits, bytes + element * compared->layout->bytes + own->offset, element_types[own->element].bytes);
    return bits;
}

static double largest(const struct compared *compared)
{
    double most = 0;
    for (uint64_t i = compared->first; i < compared->end; i++) {
        for (size_t leaf = compared->first_leaf; leaf < compared->end_leaf; leaf++) {
            const double value = fabs(number_of_bits(compared->layout->leaves[leaf].element,
                                                     bits_at(compared, compared->expected, i, leaf)));
            most = isfinite(value) && value > most ? value : most;
        }
    }
    return most;
}

static bool number_alike(const struct compared *compared, uint64_t element, size_t leaf)
{
    const enum element type = compared->layout->leaves[leaf].element;
    const uint64_t wanted = bits_at(compared, compared->expected, element, leaf),
                   found = bits_at(compared, compared->actual, element, leaf);
    if (wanted == found)
        return true;
    if (compared->exact && !element_types[type].floating)
        return false;
    const double expected = number_of_bits(type, wanted), actual = number_of_bits(type, found);
    if (!isfinite(expected) || !isfinite(actual))
        return (isnan(expected) && isnan(actual)) || expected == actual;
    const double magnitude = compared->scale > 0 ? compared->scale : fabs(expected);
    return fabs(actual - expected) <= (compared->exact ? 0 : compared->bound * magnitude + compared->absolute);
}

static bool numbers_alike(const struct compared *compared)
{
    for (uint64_t i = compared->first; i < compared->end; i++) {
        for (size_t leaf = compared->first_leaf; leaf < compared->end_leaf; leaf++) {
            if (!number_alike(compared, i, leaf))
                return false;
        }
    }
    return true;
}

/* ---- checks */

static bool same_part(const struct job_check *one, const struct job_check *other)
{
    return one->first_leaf == other->first_leaf && one->leaf_count == other->leaf_count &&
           one->partial == other->partial && one->first == other->first && one->count == other->count &&
           one->exact == other->exact;
}

static bool check_alike(const struct alike_case *expected, const struct alike_case *actual,
                        const struct job_check *one, const struct job_check *other)
{
    const struct job_buffer *buffer = &expected->job_case->buffers[expected->buffer];
    struct compared compared = {
        .layout = buffer->layout,
        .expected = expected->bytes,
        .actual = actual->bytes,
        .first_leaf = one->first_leaf,
        .end_leaf = one->first_leaf + job_check_leaves(one, buffer->layout),
        .first = job_check_first(one),
        .end = job_check_first(one) + job_check_count(one, buffer->extent),
        .exact = one->exact,
        .bound = one->bound + other->bound,
        .absolute = one->absolute + other->absolute,
    };
    if (!same_part(one, other))
        return false;
    if (!one->exact && steps_use_magnitude(&expected->job_case->reference, expected->buffer))
        compared.scale = largest(&compared);
    return numbers_alike(&compared);
}

bool alike(const struct alike_case *expected, const struct alike_case *actual)
{
    const struct job_check *one, *other;
    size_t index = 0;
    do {
        one = check_of(expected->job_case, expected->buffer, index);
        other = check_of(actual->job_case, actual->buffer, index);
        if (!one != !other || (one && !check_alike(expected, actual, one, other)))
            return false;
        index++;
    } while (one);
    return true;
}
