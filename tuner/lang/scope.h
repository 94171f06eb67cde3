/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scope.h - the names of a document, values and buffers in one namespace; values have slots.
 */
#ifndef TUNE_LANG_SCOPE_H
#define TUNE_LANG_SCOPE_H

#include "tuner/lang/arena.h"
#include "tuner/lang/expr.h"
#include "tuner/lang/text.h"

enum symbol_kind { SYMBOL_VALUE, SYMBOL_BUFFER, SYMBOL_TYPE, SYMBOL_MATRIX };

struct symbol {
    const char *name;
    enum symbol_kind kind;
    size_t index;            /* the slot, or the index of the buffer, struct or matrix */
    const struct text *text; /* where it was declared; NULL: built in */
    size_t offset;
    bool hidden; /* the block that declared it has ended */
};

/* An empty scope in the arena; NULL: out of memory. */
struct scope *scope_create(struct arena *arena);

/* A copy with all slots but without hidden names and without counts, which only blocks may use; NULL: out of memory.
 */
struct scope *scope_copy(const struct scope *scope, struct arena *arena);

/* The visible symbol of this name, or NULL. */
const struct symbol *scope_symbol(const struct scope *scope, const char *name, size_t length);

/*
 * Declare a name that scope_symbol does not find; false: out of memory. A NAME_LOOP that an earlier block declared
 * gets the same slot again.
 */
bool scope_add_value(struct scope *scope, const char *name, size_t length, enum name_kind kind,
                     const struct text *text, size_t offset, size_t *slot);
bool scope_add_buffer(struct scope *scope, const char *name, size_t length, size_t buffer, const struct text *text,
                      size_t offset);

bool scope_add_type(struct scope *scope, const char *name, size_t length, size_t type, const struct text *text,
                    size_t offset);

bool scope_add_matrix(struct scope *scope, const char *name, size_t length, size_t matrix, const struct text *text,
                      size_t offset);

/* The height of the expression that a let stands for; 0 for other slots. */
void scope_set_height(struct scope *scope, size_t slot, unsigned height);
unsigned scope_height(const struct scope *scope, size_t slot);

/* What is known of a let's value (condition.h); 0 for other slots. */
void scope_set_traits(struct scope *scope, size_t slot, unsigned traits);
unsigned scope_traits(const struct scope *scope, size_t slot);

/* Hide the names declared since scope_symbol_count was `count`. */
size_t scope_symbol_count(const struct scope *scope);
void scope_hide_since(struct scope *scope, size_t count);

/* The visible name of this kind that is most similar to `name`; NULL if none is similar. */
const char *scope_nearest(const struct scope *scope, enum symbol_kind kind, const char *name);

/* For messages: "a size", "a buffer". */
const char *symbol_noun(const struct scope *scope, const struct symbol *symbol);

/* Declare device.kind, .name, .architecture and the integer fields; false: out of memory. */
bool scope_add_device(struct scope *scope);

#endif
