/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/shared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The inaccessible part is several times as large as any block's memory; it takes no memory itself. */
enum { PAGE = 4096, GUARD = 1 << 20, MARKED_BELOW = 64, MARK = 0xfd };

bool shared_create(struct shared *shared, size_t most, struct error *error)
{
    *shared = (struct shared){.most = most};
    size_t bytes = (most + PAGE - 1) / PAGE * PAGE + PAGE; /* the last term is room for marks and alignment */
    char *start = mmap(NULL, bytes + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return error_out_of_memory(error);
    shared->start = start;
    shared->base = shared->end = start + bytes;
    if (mprotect(start, bytes, PROT_READ | PROT_WRITE) == 0 &&
        posix_memalign(&shared->open, SHARED_MOST_ALIGNMENT, most ? most : 1) == 0)
        return true;
    shared->open = NULL;
    shared_destroy(shared);
    return error_out_of_memory(error);
}

void shared_destroy(struct shared *shared)
{
    if (shared->start)
        munmap(shared->start, (size_t)(shared->end - shared->start) + GUARD);
    free(shared->open);
    *shared = (struct shared){0};
}

static size_t between(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

void *shared_place(struct shared *shared, size_t bytes, size_t alignment)
{
    alignment = between(alignment, SHARED_LEAST_ALIGNMENT, SHARED_MOST_ALIGNMENT);
    bytes = between(bytes, 0, shared->most);
    size_t reserved = (bytes + alignment - 1) / alignment * alignment;
    shared->base = shared->end - reserved;
    shared->given = bytes;
    memset(shared->base - MARKED_BELOW, MARK, MARKED_BELOW);
    memset(shared->base + bytes, MARK, reserved - bytes);
    return shared->base;
}

void *shared_place_openly(struct shared *shared, size_t bytes)
{
    shared->base = shared->open;
    shared->given = bytes;
    return shared->open;
}

static bool is_marked(const char *from, const char *to)
{
    while (from < to && *(const unsigned char *)from == MARK)
        from++;
    return from == to;
}

bool shared_is_intact(const struct shared *shared)
{
    return is_marked(shared->base - MARKED_BELOW, shared->base) &&
           is_marked(shared->base + shared->given, shared->end);
}

bool shared_is_beyond(const struct shared *shared, const void *address, size_t *offset)
{
    uintptr_t at = (uintptr_t)address, end = (uintptr_t)shared->end;
    *offset = at - (uintptr_t)shared->base;
    return at >= end && at - end < GUARD;
}
