/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scope.h - the names of a document: values (which have slots) and buffers, in one namespace.
 */
#ifndef TUNE_LANG_SCOPE_H
#define TUNE_LANG_SCOPE_H

#include "tuner/lang/arena.h"
#include "tuner/lang/expr.h"
#include "tuner/lang/text.h"

enum symbol_kind { SYMBOL_VALUE, SYMBOL_BUFFER };

struct symbol {
    const char *name;
    enum symbol_kind kind;
    size_t index;            /* the slot, or the buffer's number */
    const struct text *text; /* where it was declared; NULL: built in */
    size_t offset;
    bool hidden; /* the block that it was declared in has ended */
};

/* An empty scope in the arena, or NULL when there is no memory left. */
struct scope *scope_create(struct arena *arena);

/* A copy without the names of blocks, whose slots stay. */
struct scope *scope_copy(const struct scope *scope, struct arena *arena);

/* The visible symbol of this name, or NULL. */
const struct symbol *scope_symbol(const struct scope *scope, const char *name, size_t length);

/*
 * Declare a name that scope_symbol does not find; false when there is no memory left. A name that an earlier block
 * had gets that block's slot again.
 */
bool scope_add_value(struct scope *scope, const char *name, size_t length, enum name_kind kind,
                     const struct text *text, size_t offset, size_t *slot);
bool scope_add_buffer(struct scope *scope, const char *name, size_t length, size_t buffer, const struct text *text,
                      size_t offset);

/* How high the tree of the expression is that the slot stands for; 0 for what is no let. */
void scope_set_height(struct scope *scope, size_t slot, unsigned height);
unsigned scope_height(const struct scope *scope, size_t slot);

/* Forget the names declared since there were `count` of them (scope_symbol_count). */
size_t scope_symbol_count(const struct scope *scope);
void scope_hide_since(struct scope *scope, size_t count);

/* The visible name of this kind that is most like `name`, or NULL. */
const char *scope_nearest(const struct scope *scope, enum symbol_kind kind, const char *name);

/* "a size", "a buffer": for messages. */
const char *symbol_noun(const struct scope *scope, const struct symbol *symbol);

/* The names in front of every template's own: device.kind, .name, .architecture and the numeric fields. */
bool scope_add_device(struct scope *scope);

#endif
