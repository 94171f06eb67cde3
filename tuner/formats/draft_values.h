/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft_values.h - what the name of a tunable parameter tells about it: what it is for, and values to try.
 */
#ifndef TUNE_FORMATS_DRAFT_VALUES_H
#define TUNE_FORMATS_DRAFT_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum draft_purpose {
    DRAFT_BLOCK, /* threads of a block, in one dimension or each */
    DRAFT_ITEMS, /* elements that a thread takes on */
    DRAFT_TILE,  /* either: the block where nothing else says it, else the elements */
    DRAFT_SWITCH,
    DRAFT_OTHER,
};

enum draft_axis { DRAFT_X, DRAFT_Y, DRAFT_Z, DRAFT_NO_AXIS };

enum draft_purpose draft_purpose_of(const char *name);

/* By the end of the name: BLOCK_SIZE_X, block_y, TX. */
enum draft_axis draft_axis_of(const char *name);

/* Values to try, as text of the language, and the one to begin with. `known`: the source has a default, `value`.
 * `dimensions` are the kernel's. Cut off at `size`. */
void draft_values(enum draft_purpose purpose, enum draft_axis axis, unsigned dimensions, bool known, long long value,
                  char *text, size_t size, long long *first);

#endif
