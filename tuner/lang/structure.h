/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structure.h - the parser of types: their names, `struct NAME { field : type ... }`, and fields of elements.
 */
#ifndef TUNE_LANG_STRUCTURE_H
#define TUNE_LANG_STRUCTURE_H

#include "tuner/lang/builder.h"

/* Take the name of a type, built in or declared. */
bool parse_type(struct builder *builder, const struct type **type);

/* The type that the current token names, if it names nothing else; NULL: none. False: out of memory. */
bool find_type(struct builder *builder, const struct type **type);

/* Parse what follows the word `struct`. */
bool parse_struct(struct builder *builder);

/* `.mass`, `.position.x`, `.spin[2]`: take what there is of it. The leaves are [*first, *first + *count) of the
 * type's; all of them if there is nothing. */
bool parse_field_path(struct builder *builder, const struct type *type, size_t *first, size_t *count);

#endif
