/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search_space.h - the valid configurations as search strategies see them: numbered, and as points with coordinates.
 *
 * A dimension is a tunable parameter, its positions are the parameter's values: ascending if all of them are numbers,
 * else as declared. Parameters with a single value are dimensions too. Where the members of a union name different
 * parameters, one more position, the last, stands for "not set" (its value is VALUE_UNSET). A point is an array of
 * one position for each dimension; a point that is no valid configuration has no index.
 *
 * Nothing here depends on a device or on a template, so that recorded results of other tools are searched like a
 * problem of our own. Read-only once made: threads may share one.
 */
#ifndef TUNE_SPACE_SEARCH_SPACE_H
#define TUNE_SPACE_SEARCH_SPACE_H

#include "tuner/error/error.h"
#include "tuner/lang/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct search_space;

/* A dimension to make a search space of; its values in any order, without repetitions. */
struct dimension {
    const char *name;
    const struct value *values;
    size_t count; /* at most 65535 */
};

/*
 * The search space of `count` configurations that are listed: `rows` holds for each of them, and in it for each
 * dimension, an index into that dimension's values as they were given. Configuration i is row i. Everything is
 * copied. Errors: a configuration that is listed twice (a system error's text says which), out of memory.
 */
bool search_space_listed(const struct dimension *dimensions, size_t dimension_count, const uint16_t *rows,
                         size_t count, struct search_space **result, struct error *error);

/*
 * One of the sets of configurations that follow each other in a search space: a diagram (diagram.h) whose levels are
 * dimensions; the other dimensions have one value each.
 */
struct diagram;
struct search_space_member {
    const struct diagram *diagram; /* must outlive the search space */
    const size_t *dimensions;      /* by level */
    const uint16_t *const *values; /* by level and the diagram's value index: which of the dimension's values */
    const uint16_t *fixed;         /* by dimension: which value, where no level is that dimension */
};

/* The search space of members that have no configuration in common. All but the diagrams is copied. */
bool search_space_of_members(const struct dimension *dimensions, size_t dimension_count,
                             const struct search_space_member *members, size_t member_count,
                             struct search_space **result, struct error *error);

void search_space_free(struct search_space *space);

size_t search_space_count(const struct search_space *space);
size_t search_space_dimensions(const struct search_space *space);

const char *search_space_name(const struct search_space *space, size_t dimension);
size_t search_space_positions(const struct search_space *space, size_t dimension);
struct value search_space_value(const struct search_space *space, size_t dimension, size_t position);

/* The point of configuration `index`: search_space_dimensions() positions. */
void search_space_point(const struct search_space *space, size_t index, uint16_t *point);

/* The configuration at a point, or false if none is valid there. */
bool search_space_find(const struct search_space *space, const uint16_t *point, size_t *index);

/*
 * The configurations that differ from `point`, valid or not, in one dimension at most: `indices` gets one for each of
 * the dimension's positions, SEARCH_SPACE_NONE where none is valid. Faster than to look for each. `point` comes back
 * as it was.
 */
#define SEARCH_SPACE_NONE ((size_t)-1)
void search_space_line(const struct search_space *space, uint16_t *point, size_t dimension, size_t *indices);

/* The bytes that the configurations take, without the dimensions' values. */
size_t search_space_bytes(const struct search_space *space);

#endif
