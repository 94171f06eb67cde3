/* SPDX-License-Identifier: Apache-2.0 */
/*
 * element.h - the types of numbers, of which buffers and arguments consist (layout.h).
 */
#ifndef TUNE_LANG_ELEMENT_H
#define TUNE_LANG_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* X(element, name in templates, name in kernels, bytes, floating, signed) */
#define ELEMENTS(X)                                                                                                  \
    X(ELEMENT_CHAR, "char", "signed char", 1, false, true)                                                           \
    X(ELEMENT_UCHAR, "uchar", "unsigned char", 1, false, false)                                                      \
    X(ELEMENT_SHORT, "short", "short", 2, false, true)                                                               \
    X(ELEMENT_USHORT, "ushort", "unsigned short", 2, false, false)                                                   \
    X(ELEMENT_INT, "int", "int", 4, false, true)                                                                     \
    X(ELEMENT_UINT, "uint", "unsigned int", 4, false, false)                                                         \
    X(ELEMENT_LONG, "long", "long long", 8, false, true) /* 64 bits everywhere */                                    \
    X(ELEMENT_ULONG, "ulong", "unsigned long long", 8, false, false)                                                 \
    X(ELEMENT_FLOAT, "float", "float", 4, true, true)                                                                \
    X(ELEMENT_DOUBLE, "double", "double", 8, true, true)                                                             \
    X(ELEMENT_HALF, "half", "__half", 2, true, true)                /* IEEE binary16 */                              \
    X(ELEMENT_BFLOAT16, "bfloat16", "__nv_bfloat16", 2, true, true) /* the upper half of a float */

#define ELEMENT_CONSTANT(element, ...) element,
enum element { ELEMENTS(ELEMENT_CONSTANT) ELEMENT_COUNT };
#undef ELEMENT_CONSTANT

struct element_type {
    const char *name;   /* in templates: "float", "uint" */
    const char *c_name; /* in kernels: "float", "unsigned int" */
    size_t bytes;
    bool floating;
    bool is_signed;
};

extern const struct element_type element_types[ELEMENT_COUNT];

/* Find a type by its name in templates. */
bool element_find(const char *name, size_t length, enum element *element);

/* Is the type's name reserved? Those of later types may be names of sizes and buffers, as they are in templates that
 * were written before. */
static inline bool element_is_reserved(enum element element)
{
    return element <= ELEMENT_DOUBLE;
}

#endif
