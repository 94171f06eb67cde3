/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.h - the parser of blocks: launches, copies, fills and swaps, loops and conditions.
 */
#ifndef TUNE_LANG_BLOCK_H
#define TUNE_LANG_BLOCK_H

#include "tuner/lang/builder.h"

/* Parse { ... }; the names declared inside are hidden afterwards. */
bool parse_block(struct builder *builder, struct block *block);

#endif
