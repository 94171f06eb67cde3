/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/bounds.h"

#include "tuner/check/owner.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef void mark_function(void const volatile *address, size_t bytes);

struct bounds {
    struct watched *watched;
    size_t team_blocks;
    mark_function *poison, *unpoison;
    struct tune_watcher accesses;
    struct block_watch watch;
};

static mark_function *find_function(const char *name)
{
    mark_function *function;
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function;
}

bool bounds_possible(void)
{
    return find_function("__asan_poison_memory_region") && find_function("__asan_unpoison_memory_region");
}

/* ---- accesses ---- */

static void on_access(void *context, const void *accessed, size_t bytes, unsigned kind, const void *code)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    if (!watched->thread)
        return;
    struct owner owner;
    char place[200] = "outside every variable and buffer", thread[64];
    if (owner_find(watched, (uintptr_t)accessed, &owner))
        owner_text(&owner, place, sizeof place);
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_OUT_OF_BOUNDS, .code = watched_code(watched, code)};
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", owner.name);
    watched_thread_text(watched, watched_thread(watched), thread, sizeof thread);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s %s %zu bytes %s", thread,
             kind & TUNE_WRITE ? "writes" : "reads", bytes, place);
    watched_report(watched, &diagnostic);
}

static void on_index(void *context, const char *type, uint64_t index, unsigned column, const void *code)
{
    struct bounds *bounds = context;
    if (!bounds->watched->thread)
        return;
    char thread[64];
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_OUT_OF_BOUNDS,
                                        .code = watched_code(bounds->watched, code)};
    diagnostic.column = (int)column;
    watched_thread_text(bounds->watched, watched_thread(bounds->watched), thread, sizeof thread);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s uses index %lld of a %s", thread, (long long)index, type);
    watched_report(bounds->watched, &diagnostic);
}

/* A GPU faults where the host's processor need not even be slower. */
static void on_misaligned(void *context, const void *accessed, const char *type, size_t alignment, const void *code)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    if (!watched->thread)
        return;
    struct owner owner = {0};
    char thread[64];
    (void)owner_find(watched, (uintptr_t)accessed, &owner);
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_MISALIGNED, .code = watched_code(watched, code)};
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", owner.name);
    watched_thread_text(watched, watched_thread(watched), thread, sizeof thread);
    snprintf(diagnostic.text, sizeof diagnostic.text,
             "%s accesses a %s at an address that is not a multiple of %zu bytes", thread, type, alignment);
    watched_report(watched, &diagnostic);
}

static void on_fence(void *context)
{
    (void)context;
}

/* ---- red zones ---- */

static void mark_guards_of(const struct bounds *bounds, size_t buffer, mark_function *mark)
{
    const struct guarded *memory = &bounds->watched->instance->buffers[buffer].memory;
    const char *first = (const char *)(uintptr_t)memory->address;
    mark((const char *)(uintptr_t)memory->allocation, (size_t)(memory->address - memory->allocation));
    mark(first + memory->bytes, (size_t)(memory->allocation + guarded_bytes(0) - memory->address));
}

static void mark_guards(const struct bounds *bounds, mark_function *mark)
{
    for (size_t i = 0; i < bounds->watched->instance->buffer_count; i++)
        mark_guards_of(bounds, i, mark);
}

void bounds_on_allocate(size_t buffer, bool done, void *context)
{
    const struct bounds *bounds = context;
    if (bounds->watched->instance->buffers[buffer].memory.allocation)
        mark_guards_of(bounds, buffer, done ? bounds->poison : bounds->unpoison);
}

static void on_launch(void *context, const struct tune_context *thread, void *shared, size_t bytes, size_t room)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    watched->thread = thread;
    watched->shared = (uintptr_t)shared;
    watched->shared_bytes = bytes;
    watched->shared_room = room;
    bounds->poison((const char *)shared + bytes, room - bytes);
}

static void on_team(void *context, const struct watched_block *blocks, size_t count, size_t cluster)
{
    struct bounds *bounds = context;
    const struct watched *watched = bounds->watched;
    (void)cluster;
    watched_team(bounds->watched, blocks);
    bounds->team_blocks = count;
    for (size_t i = 0; i < count; i++)
        bounds->poison((const char *)blocks[i].shared + watched->shared_bytes,
                       watched->shared_room - watched->shared_bytes);
}

static void on_turn(void *context, size_t i)
{
    struct bounds *bounds = context;
    watched_turn(bounds->watched, i);
}

static void on_wide_barrier(void *context, enum tune_scope scope)
{
    (void)context, (void)scope;
}

static void on_launched(void *context)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    bounds->unpoison((const void *)watched->shared, watched->shared_room);
    for (size_t i = 0; watched->team && i < bounds->team_blocks; i++)
        bounds->unpoison(watched->team[i].shared, watched->shared_room);
    watched_launched(watched);
}

static void on_block(void *context, const struct tune_index *block)
{
    (void)context, (void)block;
}

static void on_barrier(void *context)
{
    (void)context;
}

static void on_exchange(void *context, uint32_t warp, uint32_t lanes)
{
    (void)context, (void)warp, (void)lanes;
}

static void on_diverged(void *context, const struct watched_place *at, int other, uint32_t ended)
{
    struct bounds *bounds = context;
    watched_diverged(bounds->watched, at, other, ended);
}

static void on_fault(void *context, const struct watched_place *at, const char *text)
{
    struct bounds *bounds = context;
    watched_fault(bounds->watched, at, text);
}

static void on_written(void *context, uint64_t address, size_t bytes)
{
    (void)context, (void)address, (void)bytes;
}

/* ---- life ---- */

bool bounds_create(struct watched *watched, struct bounds **result, struct error *error)
{
    *result = NULL;
    if (!bounds_possible())
        return error_set(error, ERROR_WORK, "the runtime of AddressSanitizer is not loaded");
    struct bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds)
        return error_out_of_memory(error);
    bounds->watched = watched;
    bounds->poison = find_function("__asan_poison_memory_region");
    bounds->unpoison = find_function("__asan_unpoison_memory_region");
    bounds->accesses = (struct tune_watcher){bounds, on_access, on_fence, on_index, on_misaligned};
    bounds->watch = (struct block_watch){
        .context = bounds,
        .accesses = &bounds->accesses,
        .launch = on_launch,
        .launched = on_launched,
        .team = on_team,
        .turn = on_turn,
        .block = on_block,
        .barrier = on_barrier,
        .wide_barrier = on_wide_barrier,
        .exchange = on_exchange,
        .diverged = on_diverged,
        .fault = on_fault,
        .written = on_written,
    };
    mark_guards(bounds, bounds->poison);
    *result = bounds;
    return true;
}

const struct block_watch *bounds_watch(struct bounds *bounds)
{
    return &bounds->watch;
}

void bounds_free(struct bounds *bounds)
{
    if (!bounds)
        return;
    mark_guards(bounds, bounds->unpoison);
    free(bounds);
}
