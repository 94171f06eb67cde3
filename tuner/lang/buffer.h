/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.h - the parser of `buffer NAME : type[extent] role initial` and of uses of the name.
 */
#ifndef TUNE_LANG_BUFFER_H
#define TUNE_LANG_BUFFER_H

#include "tuner/lang/builder.h"

/* Parse what follows the word. */
bool parse_buffer(struct builder *builder);

/* Take the name of a buffer; `buffer` is its index. */
bool parse_buffer_name(struct builder *builder, size_t *buffer);

struct buffer_declaration *buffer_at(const struct builder *builder, size_t buffer);
struct buffer_state *buffer_state_at(const struct builder *builder, size_t buffer);

/* Take `[first : last]` if it is there; either bound may be missing and is then NULL. */
bool parse_slice(struct builder *builder, bool *present, const struct expr **first, const struct expr **last);

/* The visible symbol that the current token names, or NULL. */
const struct symbol *buffer_symbol(const struct parser *parser);

/* Once the template is complete: are outputs checked and referenced, and inputs initialised? */
bool check_buffers(const struct builder *builder);

#endif
