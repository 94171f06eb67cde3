/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/scalar.h"

#include "tuner/lang/number.h"

#include <math.h>
#include <string.h>

enum element scalar_default_type(struct value value)
{
    return value.kind == VALUE_FLOAT ? ELEMENT_FLOAT : ELEMENT_INT;
}

static bool does_not_fit(struct value value, enum element element, struct place place, struct error *error)
{
    char text[64];
    value_text(value, text, sizeof text);
    error_at(error, ERROR_INPUT, place, "%s does not fit type %s", text, element_types[element].name);
    if (element == ELEMENT_INT || element == ELEMENT_UINT)
        return error_hint(error, "write long(...) or ulong(...) for a 64-bit integer");
    if (element == ELEMENT_FLOAT)
        return error_hint(error, "write double(...) for a double");
    if (element == ELEMENT_HALF)
        return error_hint(error, "the largest half is 65504");
    return false;
}

/* Little-endian on any host. */
static void store(uint64_t bits, size_t count, unsigned char bytes[8])
{
    memset(bytes, 0, 8);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
}

static bool convert_real(struct value value, enum element element, struct place place, unsigned char bytes[8],
                         struct error *error)
{
    double real = value.kind == VALUE_FLOAT ? value.real : (double)value.integer;
    uint64_t bits = number_to_bits(element, real);
    if (isfinite(real) && !isfinite(number_of_bits(element, bits)))
        return does_not_fit(value, element, place, error);
    store(bits, element_types[element].bytes, bytes);
    return true;
}

static bool whole_of(struct value value, int64_t *whole)
{
    if (value.kind == VALUE_INTEGER) {
        *whole = value.integer;
        return true;
    }
    if (!(value.real >= -0x1p63 && value.real < 0x1p63) || value.real != floor(value.real))
        return false;
    *whole = (int64_t)value.real;
    return true;
}

static bool convert_whole(struct value value, enum element element, struct place place, unsigned char bytes[8],
                          struct error *error)
{
    const struct element_type *type = &element_types[element];
    int64_t whole;
    if (value.kind == VALUE_FLOAT && isfinite(value.real) && value.real != floor(value.real))
        return error_at(error, ERROR_INPUT, place, "%g is not a whole number, as type %s requires", value.real,
                        type->name);
    if (!whole_of(value, &whole))
        return does_not_fit(value, element, place, error);
    unsigned bits = (unsigned)type->bytes * 8 - (type->is_signed ? 1 : 0);
    int64_t most = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    int64_t least = type->is_signed ? -most - 1 : 0;
    if (whole < least || whole > most)
        return does_not_fit(value, element, place, error);
    store((uint64_t)whole, type->bytes, bytes);
    return true;
}

bool scalar_convert(struct value value, enum element element, struct place place, unsigned char bytes[8],
                    struct error *error)
{
    if (value.kind == VALUE_BOOLEAN)
        value = value_integer(value.boolean ? 1 : 0);
    if (value.kind != VALUE_INTEGER && value.kind != VALUE_FLOAT)
        return error_at(error, ERROR_INPUT, place, "expected a number, not a %s", value_kind_name(value.kind));
    if (element_types[element].floating)
        return convert_real(value, element, place, bytes, error);
    return convert_whole(value, element, place, bytes, error);
}
