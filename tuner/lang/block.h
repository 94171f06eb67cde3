/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.h - { ... }: launches, copies, fills and swaps, and the loops and conditions around them.
 */
#ifndef TUNE_LANG_BLOCK_H
#define TUNE_LANG_BLOCK_H

#include "tuner/lang/builder.h"

/* Parse a block; names that it declares end with it. */
bool parse_block(struct builder *builder, struct block *block);

#endif
