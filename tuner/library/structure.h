/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structure.h - structures of tune.h that may grow: theirs, of the version that the caller was built with, and ours.
 */
#ifndef TUNE_LIBRARY_STRUCTURE_H
#define TUNE_LIBRARY_STRUCTURE_H

#include "tuner/library/tune.h"

#include <stdbool.h>

/* Copy what the caller passes, whose first member is its size; what it lacks is zero. `least` is the size of the
 * first version. False: the size is wrong, or the caller asks for what only a later version knows. */
bool structure_read(const void *theirs, void *ours, size_t size, size_t least);

/* Copy what the caller asked for, as far as both know it; its size stays. */
void structure_write(const void *ours, size_t size, void *theirs);

#endif
