/* SPDX-License-Identifier: Apache-2.0 */
/*
 * element.h - the element types of buffers, which are also the types of scalar arguments.
 */
#ifndef TUNE_LANG_ELEMENT_H
#define TUNE_LANG_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

enum element {
    ELEMENT_CHAR,
    ELEMENT_UCHAR,
    ELEMENT_SHORT,
    ELEMENT_USHORT,
    ELEMENT_INT,
    ELEMENT_UINT,
    ELEMENT_LONG,  /* 64 bits, `long long` in the kernels */
    ELEMENT_ULONG, /* 64 bits, `unsigned long long` in the kernels */
    ELEMENT_FLOAT,
    ELEMENT_DOUBLE,
    ELEMENT_COUNT,
};

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

#endif
