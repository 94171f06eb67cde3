/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search_space.h - the valid configurations as search strategies see them: numbered, and as points with coordinates.
 *
 * A dimension is a tunable parameter; its positions are the parameter's values, ascending if all of them are numbers,
 * else as declared. Parameters with a single value are dimensions, too. Where the members of a union have different
 * parameters, the last position stands for "not set" (its value is VALUE_UNSET). A point has one position per
 * dimension; only valid configurations have an index.
 *
 * Nothing here depends on a device or a template, so recorded results of other tools can be searched just like a
 * problem. Read-only once made: threads may share one.
 */
#ifndef TUNE_SPACE_SEARCH_SPACE_H
#define TUNE_SPACE_SEARCH_SPACE_H

#include "tuner/error/error.h"
#include "tuner/lang/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct search_space;

/* A dimension of a search space to be made: its values in any order, all different. */
struct dimension {
    const char *name;
    const struct value *values;
    size_t count; /* at most 65535 */
};

/*
 * The search space of a list of `count` configurations. Each row of `rows` is one, with an index into each
 * dimension's values as given; configuration i is row i. Everything is copied. Errors: a configuration that is listed
 * twice (ERROR_SYSTEM; the text says which), out of memory.
 */
bool search_space_listed(const struct dimension *dimensions, size_t dimension_count, const uint16_t *rows,
                         size_t count, struct search_space **result, struct error *error);

/*
 * A search space may consist of several sets of configurations, one after another: each is a diagram (diagram.h)
 * whose levels are dimensions, while the other dimensions have a fixed value each.
 */
struct diagram;
struct search_space_member {
    const struct diagram *diagram; /* must outlive the search space */
    const size_t *dimensions;      /* by level */
    const uint16_t *const *values; /* by level and value index: which of the dimension's values */
    const uint16_t *fixed;         /* by dimension that is not a level: which of its values */
};

/* The search space of members without common configurations. Everything but the diagrams is copied. */
bool search_space_of_members(const struct dimension *dimensions, size_t dimension_count,
                             const struct search_space_member *members, size_t member_count,
                             struct search_space **result, struct error *error);

void search_space_free(struct search_space *space);

size_t search_space_count(const struct search_space *space);
size_t search_space_dimensions(const struct search_space *space);

const char *search_space_name(const struct search_space *space, size_t dimension);
bool search_space_dimension(const struct search_space *space, const char *name, size_t *dimension); /* false: none */
size_t search_space_positions(const struct search_space *space, size_t dimension);
struct value search_space_value(const struct search_space *space, size_t dimension, size_t position);

/* The point of configuration `index`: search_space_dimensions() positions. */
void search_space_point(const struct search_space *space, size_t index, uint16_t *point);

/* The configuration at a point, or false if there is none. */
bool search_space_find(const struct search_space *space, const uint16_t *point, size_t *index);

/*
 * The configurations that differ from `point`, which need not be valid, in at most one dimension: `indices` gets one
 * per position of that dimension, SEARCH_SPACE_NONE where there is none. Faster than finding each. `point` is changed
 * on the way and restored.
 */
#define SEARCH_SPACE_NONE ((size_t)-1)
void search_space_line(const struct search_space *space, uint16_t *point, size_t dimension, size_t *indices);

/* The memory that the configurations take, without the dimensions' values. */
size_t search_space_bytes(const struct search_space *space);

#endif
