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

/* Is it an output, compared with the reference? */
static inline bool buffer_is_output(const struct buffer_declaration *buffer)
{
    return buffer->role == BUFFER_OUT || buffer->role == BUFFER_INOUT;
}

/* The visible symbol that the current token names, or NULL. */
const struct symbol *buffer_symbol(const struct parser *parser);

/* Once the template is complete: are outputs checked and referenced, and inputs initialised? */
bool check_buffers(const struct builder *builder);

#endif
