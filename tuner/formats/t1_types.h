/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_types.h - the types of T1 files as those of templates: numbers, and vectors such as float4. Vectors that
 * templates do not have, OpenCL's float16 for instance, are that many numbers.
 */
#ifndef TUNE_FORMATS_T1_TYPES_H
#define TUNE_FORMATS_T1_TYPES_H

#include "tuner/formats/draft_types.h"
#include "tuner/formats/t1_parts.h"

/* Set the argument's element, type and width; `*count` of that type are one of the file's. `*found`: it is known.
 * False: out of memory. */
bool t1_type_find(struct t1 *t1, const char *name, struct t1_argument *argument, unsigned *count, bool *found,
                  struct error *error);

/* The same of a buffer whose kernel has another type for it. */
void t1_type_take(struct t1_argument *argument, const struct draft_type *type, unsigned *count);

#endif
