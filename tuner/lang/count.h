/* SPDX-License-Identifier: Apache-2.0 */
/*
 * count.h - `count NAME at most expression`, a number that launches find out, and `read NAME = buffer[element]`, the
 * statement of a block that reads it back.
 */
#ifndef TUNE_LANG_COUNT_H
#define TUNE_LANG_COUNT_H

#include "tuner/lang/builder.h"

/* Parse what follows the word `count`. */
bool parse_count(struct builder *builder);

/* Parse what follows the word `read`. */
bool parse_read(struct builder *builder, struct statement *statement);

#endif
