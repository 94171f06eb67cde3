/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compound.h - the parser of arguments that are vectors and structs by value: `float4(1, 2, 3, 4)`,
 * `body(float3(0, 0, 0), [1, 2], x + 3)`.
 */
#ifndef TUNE_LANG_COMPOUND_H
#define TUNE_LANG_COMPOUND_H

#include "tuner/lang/builder.h"

/* Parses a pointer: a buffer with an offset, ref() or mag(); `*taken`: there is one. */
typedef bool parse_pointer_argument(struct builder *builder, struct argument *argument, bool *taken);

/* Parse one of this vector or struct type, from its name on. */
bool parse_compound(struct builder *builder, const struct type *type, parse_pointer_argument *parse_pointer,
                    struct argument *argument);

#endif
