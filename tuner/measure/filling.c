/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/filling.h"

#include "tuner/lang/number.h"

#include <math.h>

struct filling filling_poison(void)
{
    return (struct filling){.kind = INITIAL_NONE};
}

struct filling filling_other_poison(void)
{
    return (struct filling){.kind = INITIAL_NONE, .other = true};
}

struct filling filling_of_bits(uint64_t bits)
{
    return (struct filling){.kind = INITIAL_CONSTANT, .has_bits = true, .bits = bits};
}

/* As in validation.cu, poison_bits and other_poison_bits. */
bool filling_is_poison(enum element element, uint64_t bits)
{
    const uint64_t poison = UINT64_C(0xa5c3a5c35eeda5c3),
                   mask = UINT64_MAX >> (64 - 8 * element_types[element].bytes);
    return bits == (poison & mask) || bits == (~poison & mask);
}

struct filling_bits filling_bits(const struct filling *filling, enum element element)
{
    struct filling_bits bits = {0};
    if (filling->kind == INITIAL_NONE) {
        bits.first = filling->other;
    } else if (filling->kind == INITIAL_CONSTANT) {
        bits.first = filling->has_bits ? filling->bits : number_to_bits(element, filling->low);
    } else if (filling->kind == INITIAL_UNIFORM && !element_types[element].floating) {
        double first = ceil(filling->low), choices = ceil(filling->high) - first;
        bits.first = first < 0 ? (uint64_t)(int64_t)first : (uint64_t)first;
        bits.choices = choices < 0x1p64 ? (uint64_t)choices : 0;
    }
    return bits;
}

/* The smallest integer of a type and the one past its largest, both exact as doubles. */
static void integer_range(enum element element, double *least, double *beyond)
{
    const struct element_type *type = &element_types[element];
    int digits = (int)type->bytes * 8 - type->is_signed;
    *beyond = ldexp(1, digits);
    *least = type->is_signed ? -*beyond : 0;
}

static bool check_uniform(const struct job_buffer *buffer, enum element element, struct error *error)
{
    double least, beyond;
    if (element_types[element].floating)
        return (buffer->a < buffer->b && !isinf(buffer->b - buffer->a)) ||
               error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) is empty or infinite", buffer->name,
                         buffer->a, buffer->b);
    integer_range(element, &least, &beyond);
    double first = ceil(buffer->a), end = ceil(buffer->b); /* half-open */
    if (!(first < end))
        return error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) contains no integer", buffer->name,
                         buffer->a, buffer->b);
    return (first >= least && end <= beyond) ||
           error_set(error, ERROR_INPUT, "buffer %s: uniform(%g, %g) does not fit type %s", buffer->name, buffer->a,
                     buffer->b, element_types[element].name);
}

static bool check_constant(const struct job_buffer *buffer, enum element element, struct error *error)
{
    double least, beyond;
    if (element_types[element].floating)
        return true;
    integer_range(element, &least, &beyond);
    return (buffer->a >= least && buffer->a < beyond && buffer->a == floor(buffer->a)) ||
           error_set(error, ERROR_INPUT, "buffer %s: constant(%g) does not fit type %s", buffer->name, buffer->a,
                     element_types[element].name);
}

bool filling_of_buffer(const struct job_buffer *buffer, size_t index, uint64_t seed, struct filling *filling,
                       struct error *error)
{
    const struct layout *layout = buffer->layout;
    *filling = (struct filling){
        .kind = buffer->initial == INITIAL_FILE ? INITIAL_NONE : buffer->initial, /* until it has been read */
        .key = seed * UINT64_C(0xd1342543de82ef95) + (index + 1) * UINT64_C(0xda942042e4dd58b5), /* far apart */
        .low = buffer->a,
        .high = buffer->b,
    };
    for (size_t leaf = 0; leaf < layout->leaf_count;) {
        struct leaf_run run = layout_run(layout, leaf, layout->leaf_count);
        if ((buffer->initial == INITIAL_CONSTANT && !check_constant(buffer, run.element, error)) ||
            (buffer->initial == INITIAL_UNIFORM && !check_uniform(buffer, run.element, error)))
            return false;
        leaf += run.count;
    }
    return true;
}
