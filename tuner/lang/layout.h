/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h - where the numbers of a buffer's elements lie: a scalar has one, a float4 four, a struct one for each of
 * its fields and their components.
 *
 * Whatever fills, poisons or compares a buffer goes through its numbers, the `leaves`, and leaves padding alone. Leaf
 * `l` of element `e` is number e * leaf_count + l of the buffer; expected values and magnitudes lie in this order,
 * one double each.
 */
#ifndef TUNE_LANG_LAYOUT_H
#define TUNE_LANG_LAYOUT_H

#include "tuner/lang/element.h"

#include <stdint.h>

struct leaf {
    enum element element;
    uint32_t offset;  /* in the element, bytes */
    const char *path; /* for messages: ".position.x"; "" of a scalar */
};

/* `alignment` is a power of two, and divides `bytes`. A leaf lies at a multiple of its own size. */
struct layout {
    const char *name;   /* in templates: "float", "float4", "body" */
    const char *c_name; /* in kernels: "float", "float4", "body" */
    size_t bytes;       /* of an element, with padding */
    size_t alignment;
    size_t leaf_count;
    const struct leaf *leaves;
};

enum { LEAVES_LIMIT = 4096, LAYOUT_BYTES_LIMIT = 1 << 16, ALIGNMENT_LIMIT = 128 };

/* Those of the element types. */
extern const struct layout scalar_layouts[ELEMENT_COUNT];

static inline bool layout_is_scalar(const struct layout *layout)
{
    return layout->leaf_count == 1 && layout->leaves[0].path[0] == '\0';
}

/* Leaves of the same type that lie one behind the other: an array. */
struct leaf_run {
    enum element element;
    size_t offset; /* of the first one, bytes */
    size_t first;  /* leaf */
    size_t count;
};

/* The longest run of leaves from `first` on, which end before `end`. There must be one. */
struct leaf_run layout_run(const struct layout *layout, size_t first, size_t end);

/* Are all leaves one run without padding, so that a buffer is an array of numbers? */
bool layout_is_array(const struct layout *layout);

/* Does one of the leaves [first, end) have a floating-point type? */
bool layout_has_floats(const struct layout *layout, size_t first, size_t end);

/* Are they the same type, with the same leaves? */
bool layout_equal(const struct layout *a, const struct layout *b);

/* "y[12].x": what number `number` of buffer `name` is called, in `size` bytes. */
void layout_number_text(const struct layout *layout, const char *name, uint64_t number, char *text, size_t size);

/* A copy in memory of its own, to be freed with free(); a scalar's, too. NULL: out of memory. */
struct layout *layout_copy(const struct layout *layout);

/* "damaged" layouts that come from elsewhere: do the rules above hold? */
bool layout_is_sound(const struct layout *layout);

#endif
