/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/memory.h"

#include <stdlib.h>

bool memory_allocate(struct memory *memory, size_t bytes, uint64_t *address, struct error *error)
{
    if (bytes > memory->limit || memory->used > memory->limit - bytes)
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %zu bytes does not fit: %zu of %zu bytes are in use",
                         bytes, memory->used, memory->limit);
    struct allocation *allocation = malloc(sizeof *allocation);
    void *buffer = NULL;
    if (!allocation || posix_memalign(&buffer, MEMORY_PAGE, bytes ? bytes : 1) != 0) {
        free(allocation);
        return error_out_of_memory(error);
    }
    *allocation = (struct allocation){memory->allocations, (uint64_t)(uintptr_t)buffer, bytes};
    memory->allocations = allocation;
    memory->used += bytes;
    *address = allocation->address;
    return true;
}

void memory_release(struct memory *memory, uint64_t address)
{
    for (struct allocation **link = &memory->allocations; *link; link = &(*link)->next) {
        struct allocation *allocation = *link;
        if (allocation->address == address) {
            *link = allocation->next;
            memory->used -= allocation->bytes;
            free((void *)(uintptr_t)address);
            free(allocation);
            return;
        }
    }
}

void memory_clear(struct memory *memory)
{
    while (memory->allocations)
        memory_release(memory, memory->allocations->address);
}
