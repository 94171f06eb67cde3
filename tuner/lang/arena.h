/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - many small allocations, freed all at once: the memory of a parsed document.
 */
#ifndef TUNE_LANG_ARENA_H
#define TUNE_LANG_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
};

/* Zeroed memory, aligned for any type; NULL: out of memory. */
void *arena_allocate(struct arena *arena, size_t size);

/* A copy of `length` bytes, NUL-terminated; NULL: out of memory. */
char *arena_string(struct arena *arena, const char *text, size_t length);

void arena_free(struct arena *arena);

/* A growing array in an arena; growing it moves the items. */
struct list {
    void *items;
    size_t count, capacity;
};

/* Append a zeroed item; NULL: out of memory. All items of a list have the same size. */
void *list_append(struct list *list, struct arena *arena, size_t item_size);

#endif
