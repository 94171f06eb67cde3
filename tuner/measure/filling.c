/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/filling.h"

#include <math.h>
#include <string.h>

struct filling filling_poison(enum element element)
{
    return (struct filling){.element = element, .kind = INITIAL_NONE};
}

struct filling filling_other_poison(enum element element)
{
    return (struct filling){.element = element, .kind = INITIAL_NONE, .first = 1};
}

struct filling filling_bits(enum element element, uint64_t bits)
{
    return (struct filling){.element = element, .kind = INITIAL_CONSTANT, .first = bits};
}

/* The smallest integer of a type and the one past its largest, both exact as doubles. */
static void integer_range(enum element element, double *least, double *beyond)
{
    const struct element_type *type = &element_types[element];
    int digits = (int)type->bytes * 8 - type->is_signed;
    *beyond = ldexp(1, digits);
    *least = type->is_signed ? -*beyond : 0;
}

/* The bits of an integral double, truncated to the width of the type. */
static uint64_t integer_bits(enum element element, double value)
{
    uint64_t all = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
    size_t bytes = element_types[element].bytes;
    return bytes == 8 ? all : all & ((UINT64_C(1) << (8 * bytes)) - 1);
}

static bool uniform_integers(const struct job_buffer *buffer, struct filling *filling, struct error *error)
{
    double least, beyond;
    integer_range(buffer->element, &least, &beyond);
    double first = ceil(buffer->a), end = ceil(buffer->b); /* half-open */
    if (!(first < end))
        return error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) contains no integer", buffer->name,
                         buffer->a, buffer->b);
    if (first < least || end > beyond)
        return error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) does not fit type %s", buffer->name,
                         buffer->a, buffer->b, element_types[buffer->element].name);
    double choices = end - first;
    filling->first = first < 0 ? (uint64_t)(int64_t)first : (uint64_t)first;
    filling->choices = choices < 0x1p64 ? (uint64_t)choices : 0;
    return true;
}

static uint64_t real_bits(enum element element, double value)
{
    uint64_t all = 0;
    float rounded = (float)value;
    if (element == ELEMENT_FLOAT)
        memcpy(&all, &rounded, sizeof rounded);
    else
        memcpy(&all, &value, sizeof value);
    return all;
}

static bool constant(const struct job_buffer *buffer, struct filling *filling, struct error *error)
{
    if (element_types[buffer->element].floating) {
        filling->first = real_bits(buffer->element, buffer->a);
        return true;
    }
    double least, beyond;
    integer_range(buffer->element, &least, &beyond);
    if (!(buffer->a >= least && buffer->a < beyond) || buffer->a != floor(buffer->a))
        return error_set(error, ERROR_INPUT, "buffer %s: constant(%g) does not fit type %s", buffer->name, buffer->a,
                         element_types[buffer->element].name);
    filling->first = integer_bits(buffer->element, buffer->a);
    return true;
}

bool filling_of_buffer(const struct job_buffer *buffer, size_t index, uint64_t seed, struct filling *filling,
                       struct error *error)
{
    *filling = (struct filling){
        .element = buffer->element,
        .kind = buffer->initial,
        .key = seed * UINT64_C(0xd1342543de82ef95) + (index + 1) * UINT64_C(0xda942042e4dd58b5), /* far apart */
        .low = buffer->a,
        .high = buffer->b,
    };
    if (buffer->initial == INITIAL_CONSTANT)
        return constant(buffer, filling, error);
    if (buffer->initial != INITIAL_UNIFORM)
        return true;
    if (!element_types[buffer->element].floating)
        return uniform_integers(buffer, filling, error);
    if (!(buffer->a < buffer->b) || isinf(buffer->b - buffer->a))
        return error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) is empty or infinite", buffer->name,
                         buffer->a, buffer->b);
    return true;
}
