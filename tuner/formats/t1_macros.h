/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_macros.h - sizes that the source of a T1 kernel fixes as macros: `#define width 4096`, where the problem is 4096
 * wide.
 *
 * Each becomes a size of its own, `size width = problem_size_x` with `define width`, so that another problem size
 * reaches the kernel; for this the copy of the source gets an #ifndef around the definition. Which extent a macro
 * stands for is guessed from its value and, where several have that value, from its name.
 */
#ifndef TUNE_FORMATS_T1_MACROS_H
#define TUNE_FORMATS_T1_MACROS_H

#include "tuner/formats/t1_parts.h"

/* After the sizes and parameters, and before the arguments, whose names must differ. */
bool t1_read_macros(struct t1 *t1, struct error *error);

#endif
