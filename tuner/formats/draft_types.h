/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft_types.h - the types of kernels' parameters as types of the template language.
 */
#ifndef TUNE_FORMATS_DRAFT_TYPES_H
#define TUNE_FORMATS_DRAFT_TYPES_H

#include <stdbool.h>

struct draft_type {
    const char *name;  /* in templates */
    const char *whole; /* the same, or of a vector such as float4 the vector */
    unsigned width;    /* numbers of that type in one of the kernel's */
    bool integer;
    bool floating;
};

/* `type` as kernel_scan.h writes it; false: not known, such as a struct. */
bool draft_type_find(const char *type, struct draft_type *found);

/* The type of templates in C++: "unsigned int" for "uint". */
const char *draft_type_c_name(const char *name);

#endif
