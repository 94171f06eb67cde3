/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/owner.h"

#include <stdlib.h>
#include <string.h>

/* AddressSanitizer marks a frame with a magic number below its variables, followed by a pointer to their description.
 */
enum { FRAME_MAGIC = 0x41B58AB3, STACK_BYTES = 64 << 10 };

static uint64_t distance(const struct owner *owner)
{
    if (owner->offset < 0)
        return (uint64_t)-owner->offset;
    return (uint64_t)owner->offset < owner->bytes ? 0 : (uint64_t)owner->offset - owner->bytes + 1;
}

static void prefer_nearer(struct owner *best, const struct owner *owner)
{
    if (!best->space || distance(owner) < distance(best))
        *best = *owner;
}

static bool find_buffer(const struct watched *watched, uintptr_t address, struct owner *best)
{
    for (size_t i = 0; i < watched->instance->buffer_count; i++) {
        const struct guarded *memory = &watched->instance->buffers[i].memory;
        if (address - memory->allocation >= guarded_bytes(memory->bytes))
            continue;
        *best = (struct owner){.space = "global memory", .bytes = memory->bytes};
        best->offset = (int64_t)(address - memory->address);
        snprintf(best->name, sizeof best->name, "%s", watched->job_case->buffers[i].name);
        return true;
    }
    return false;
}

static bool find_dynamic(const struct watched *watched, uintptr_t address, struct owner *best)
{
    enum { MARGIN = 4096 };
    if (address - (watched->shared - MARGIN) >= watched->shared_room + (uintptr_t)2 * MARGIN)
        return false;
    *best = (struct owner){.space = "dynamic shared memory", .bytes = watched->shared_bytes};
    best->offset = (int64_t)(address - watched->shared);
    snprintf(best->name, sizeof best->name, "%s", watched->dynamic_name);
    return true;
}

static bool find_variable(const struct watched *watched, uintptr_t address, struct owner *best)
{
    const struct variables *variables = &watched->variables;
    uint64_t offset = address - watched->base;
    if (offset >= variables->writable_end)
        return false;
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->list[i];
        if (variable->thread_local || strncmp(variable->name, "tune_", 5) == 0 ||
            strncmp(variable->name, "__", 2) == 0)
            continue;
        struct owner owner = {.bytes = variable->bytes, .offset = (int64_t)(offset - variable->value)};
        owner.space = variable->in_function ? "static shared memory" : "constant or device memory";
        snprintf(owner.name, sizeof owner.name, "%s", variable->name);
        prefer_nearer(best, &owner);
    }
    return best->space != NULL;
}

/* "2 32 4 3 sum 48 16 9 table:12": the count, then for each variable its offset, its size, the length of its name and
 * the name, with ":LINE" or without. */
void owner_read_frame(const char *description, int64_t offset, struct owner *best)
{
    char *at;
    unsigned long count = strtoul(description, &at, 10);
    for (unsigned long i = 0; i < count; i++) {
        struct owner owner = {.space = "a local array"};
        owner.offset = offset - (int64_t)strtoul(at, &at, 10);
        owner.bytes = strtoul(at, &at, 10);
        size_t length = strtoul(at, &at, 10);
        if (*at++ != ' ' || strnlen(at, length) < length)
            return;
        int shown = (int)strcspn(at, ":");
        snprintf(owner.name, sizeof owner.name, "%.*s", (size_t)shown < length ? shown : (int)length, at);
        prefer_nearer(best, &owner);
        at += length;
    }
}

/* Reads red zones, which a build of this program with AddressSanitizer would report. */
__attribute__((no_sanitize("address"))) static bool find_local(uintptr_t address, struct owner *best)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (address < here || address - here >= STACK_BYTES)
        return false;
    for (uintptr_t word = address & ~(uintptr_t)7; word > here; word -= sizeof(uintptr_t)) {
        const uintptr_t *frame = (const uintptr_t *)word;
        if (*frame == FRAME_MAGIC) {
            owner_read_frame((const char *)frame[1], (int64_t)(address - word), best);
            return best->space != NULL;
        }
    }
    return false;
}

bool owner_find(const struct watched *watched, uintptr_t address, struct owner *owner)
{
    *owner = (struct owner){0};
    return find_buffer(watched, address, owner) || find_dynamic(watched, address, owner) ||
           find_variable(watched, address, owner) || find_local(address, owner);
}

void owner_text(const struct owner *owner, char *text, size_t size)
{
    unsigned long long bytes = owner->bytes;
    if (owner->offset < 0)
        snprintf(text, size, "%llu bytes before %s (%s, %llu bytes)", (unsigned long long)-owner->offset, owner->name,
                 owner->space, bytes);
    else if ((uint64_t)owner->offset >= owner->bytes)
        snprintf(text, size, "%llu bytes past the end of %s (%s, %llu bytes)",
                 (unsigned long long)owner->offset - bytes, owner->name, owner->space, bytes);
    else
        snprintf(text, size, "across the end of %s (%s, %llu bytes)", owner->name, owner->space, bytes);
}
