/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/numbers.h"

#include "tuner/lang/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* NumPy has no bfloat16: ml_dtypes writes bytes, 'V2', which might be anything. */
static char kind_of(enum element element)
{
    const struct element_type *type = &element_types[element];
    return element == ELEMENT_BFLOAT16 ? '\0' : type->floating ? 'f' : type->is_signed ? 'i' : 'u';
}

bool numpy_element(char kind, unsigned bytes, enum element *element)
{
    char wanted = kind == 'b' ? 'u' : kind;
    for (int i = 0; i < ELEMENT_COUNT && (kind != 'b' || bytes == 1); i++) {
        *element = (enum element)i;
        if (kind_of(*element) == wanted && element_types[i].bytes == bytes)
            return kind != '\0';
    }
    return false;
}

void numpy_name(char kind, unsigned bytes, char name[32])
{
    static const struct {
        char kind;
        const char *name;
        bool sized;
    } kinds[] = {{'f', "float", true},     {'i', "int", true},        {'u', "uint", true},  {'b', "bool", false},
                 {'c', "complex", true},   {'O', "object", false},    {'U', "text", false}, {'S', "bytes", false},
                 {'M', "datetime", false}, {'m', "timedelta", false}, {'V', "void", true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].kind != kind)
            continue;
        if (kinds[i].sized)
            snprintf(name, 32, "%s%u", kinds[i].name, 8 * bytes);
        else
            snprintf(name, 32, "%s", kinds[i].name);
        return;
    }
    snprintf(name, 32, "an unknown type");
}

void numpy_element_name(enum element element, char name[32])
{
    if (element == ELEMENT_BFLOAT16)
        snprintf(name, 32, "void16");
    else
        numpy_name(kind_of(element), (unsigned)element_types[element].bytes, name);
}

void numbers_to_double(enum element element, const void *from, size_t count, double *to)
{
    const unsigned char *bytes = from;
    size_t size = element_types[element].bytes;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < size; k++)
            bits |= (uint64_t)bytes[i * size + k] << 8 * k;
        double value = number_of_bits(element, bits);
        to[i] = isnan(value) ? (double)NAN : value;
    }
}
