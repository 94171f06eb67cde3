/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory of a parsed document: many small pieces, freed all at once.
 */
#ifndef TUNE_LANG_ARENA_H
#define TUNE_LANG_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
};

/* Zeroed memory, aligned for anything, or NULL when there is none left. */
void *arena_allocate(struct arena *arena, size_t size);

/* A copy of `length` bytes with a NUL behind it, or NULL. */
char *arena_string(struct arena *arena, const char *text, size_t length);

void arena_free(struct arena *arena);

/* An array that grows inside an arena; the items move when it does. */
struct list {
    void *items;
    size_t count, capacity;
};

/* One more zeroed item at the end, or NULL when there is no memory left. All items of a list have one size. */
void *list_append(struct list *list, struct arena *arena, size_t item_size);

#endif
