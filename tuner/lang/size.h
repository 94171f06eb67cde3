/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size.h - the parser of problem sizes: `size n = 2 ** 26`, `awkward n = 1237, ...` and `define n, ...`, sizes that
 * sources see as macros.
 */
#ifndef TUNE_LANG_SIZE_H
#define TUNE_LANG_SIZE_H

#include "tuner/lang/builder.h"

/* Parse what follows the word. */
bool parse_size(struct builder *builder);
bool parse_awkward(struct builder *builder);
bool parse_define(struct builder *builder);

/* Parse the name of a declared size, which is derived from here on: a matrix says what of. */
bool parse_derived_size(struct builder *builder, size_t *slot);

#endif
