/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16384 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

static struct arena_chunk *add_chunk(struct arena *arena, size_t size)
{
    size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + room);
    if (!chunk)
        return NULL;
    chunk->size = room;
    if (size > CHUNK_BYTES &&
        arena->chunks) { /* a chunk that one large piece fills: the current one stays in front */
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *arena_allocate(struct arena *arena, size_t size)
{
    if (size > (size_t)-1 / 4)
        return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        chunk = add_chunk(arena, size);
        if (!chunk)
            return NULL;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += size;
    return memory;
}

char *arena_string(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void arena_free(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunks;
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    arena->chunks = NULL;
}

void *list_append(struct list *list, struct arena *arena, size_t item_size)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 4;
        if (capacity > (size_t)-1 / 4 / item_size)
            return NULL;
        void *items = arena_allocate(arena, capacity * item_size);
        if (!items)
            return NULL;
        if (list->count)
            memcpy(items, list->items, list->count * item_size);
        list->items = items;
        list->capacity = capacity;
    }
    return (unsigned char *)list->items + item_size * list->count++;
}
