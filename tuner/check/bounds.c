/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/bounds.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Of AddressSanitizer's frames: a magic number and the text that describes them lie below the variables. */
enum { FRAME_MAGIC = 0x41B58AB3, STACK_BYTES = 64 << 10 };

typedef void mark_function(void const volatile *address, size_t bytes);

struct bounds {
    struct watched *watched;
    mark_function *forbid, *allow;
    struct tune_watcher accesses;
    struct block_watch watch;
};

static mark_function *find_mark(const char *name)
{
    mark_function *function;
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function;
}

bool bounds_possible(void)
{
    return find_mark("__asan_poison_memory_region") && find_mark("__asan_unpoison_memory_region");
}

/* ---- whose memory it is ---- */

/* A variable or buffer, and where an address lies from its first byte on. */
struct owner {
    char name[64];
    const char *space;
    int64_t offset;
    uint64_t bytes;
};

static uint64_t distance(const struct owner *owner)
{
    if (owner->offset < 0)
        return (uint64_t)-owner->offset;
    return (uint64_t)owner->offset < owner->bytes ? 0 : (uint64_t)owner->offset - owner->bytes + 1;
}

/* Take `candidate` if it is nearer; a red zone belongs to what lies below it. */
static void prefer(struct owner *best, const struct owner *candidate)
{
    if (!best->space || distance(candidate) < distance(best))
        *best = *candidate;
}

static bool find_buffer(const struct watched *watched, uintptr_t address, struct owner *best)
{
    for (size_t i = 0; i < watched->instance->buffer_count; i++) {
        const struct guarded *memory = &watched->instance->buffers[i].memory;
        if (address - memory->allocation >= memory->bytes + 2 * BUFFER_GUARD_BYTES)
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
    enum { BEFORE = 4096 };
    if (address - (watched->shared - BEFORE) >= watched->shared_room + (uintptr_t)2 * BEFORE)
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
        prefer(best, &owner);
    }
    return best->space != NULL;
}

/* "2 32 4 3 sum 48 16 9 table:12": how many, then of each its offset, size, length of name and name[:line]. */
static void read_frame(const char *description, int64_t offset, struct owner *best)
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
        prefer(best, &owner);
        at += length;
    }
}

/* Reads red zones, which a sanitized build of this program must not object to. */
__attribute__((no_sanitize("address"))) static bool find_local(uintptr_t address, struct owner *best)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (address < here || address - here >= STACK_BYTES)
        return false;
    for (uintptr_t word = address & ~(uintptr_t)7; word > here; word -= sizeof(uintptr_t)) {
        const uintptr_t *frame = (const uintptr_t *)word;
        if (*frame == FRAME_MAGIC) {
            read_frame((const char *)frame[1], (int64_t)(address - word), best);
            return best->space != NULL;
        }
    }
    return false;
}

static void describe_place(const struct owner *owner, char *text, size_t size)
{
    if (owner->offset < 0)
        snprintf(text, size, "%llu bytes before %s (%s, %llu bytes)", (unsigned long long)-owner->offset, owner->name,
                 owner->space, (unsigned long long)owner->bytes);
    else if ((uint64_t)owner->offset >= owner->bytes)
        snprintf(text, size, "%llu bytes behind the end of %s (%s, %llu bytes)",
                 (unsigned long long)owner->offset - owner->bytes, owner->name, owner->space,
                 (unsigned long long)owner->bytes);
    else
        snprintf(text, size, "across the end of %s (%s, %llu bytes)", owner->name, owner->space,
                 (unsigned long long)owner->bytes);
}

static void on_access(void *context, const void *accessed, size_t bytes, unsigned kind, const void *code)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    if (!watched->thread)
        return;
    uintptr_t address = (uintptr_t)accessed;
    struct owner owner = {0};
    char place[200] = "no variable's or buffer's memory", thread[64];
    if (find_buffer(watched, address, &owner) || find_dynamic(watched, address, &owner) ||
        find_variable(watched, address, &owner) || find_local(address, &owner))
        describe_place(&owner, place, sizeof place);
    struct raw_flaw flaw = {.kind = FLAW_OUT_OF_BOUNDS, .code = watched_code(watched, code)};
    snprintf(flaw.variable, sizeof flaw.variable, "%s", owner.name);
    watched_thread_text(watched, watched_thread(watched), thread, sizeof thread);
    snprintf(flaw.text, sizeof flaw.text, "%s %s %zu bytes %s", thread, kind & TUNE_WRITE ? "writes" : "reads", bytes,
             place);
    watched_tell(watched, &flaw);
}

static void on_index(void *context, const char *type, uint64_t index, unsigned column, const void *code)
{
    struct bounds *bounds = context;
    if (!bounds->watched->thread)
        return;
    char thread[64];
    struct raw_flaw flaw = {.kind = FLAW_OUT_OF_BOUNDS, .code = watched_code(bounds->watched, code)};
    flaw.column = (int)column;
    watched_thread_text(bounds->watched, watched_thread(bounds->watched), thread, sizeof thread);
    snprintf(flaw.text, sizeof flaw.text, "%s uses index %lld of an array of type %s", thread, (long long)index,
             type);
    watched_tell(bounds->watched, &flaw);
}

static void on_fence(void *context)
{
    (void)context;
}

/* ---- red zones ---- */

static void mark_guards(const struct bounds *bounds, mark_function *mark)
{
    const struct instance *instance = bounds->watched->instance;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct guarded *memory = &instance->buffers[i].memory;
        const char *first = (const char *)(uintptr_t)memory->address;
        mark((const char *)(uintptr_t)memory->allocation, (size_t)(memory->address - memory->allocation));
        mark(first + memory->bytes, (size_t)(memory->allocation + 2 * BUFFER_GUARD_BYTES - memory->address));
    }
}

static void on_launch(void *context, const struct tune_context *thread, void *shared, size_t bytes, size_t room)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    watched->thread = thread;
    watched->shared = (uintptr_t)shared;
    watched->shared_bytes = bytes;
    watched->shared_room = room;
    bounds->forbid((const char *)shared + bytes, room - bytes);
}

static void on_launched(void *context)
{
    struct bounds *bounds = context;
    struct watched *watched = bounds->watched;
    watched->thread = NULL;
    bounds->allow((const void *)watched->shared, watched->shared_room);
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
        return error_set(error, ERROR_WORK, "the run time of AddressSanitizer is not loaded");
    struct bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds)
        return error_out_of_memory(error);
    bounds->watched = watched;
    bounds->forbid = find_mark("__asan_poison_memory_region");
    bounds->allow = find_mark("__asan_unpoison_memory_region");
    bounds->accesses = (struct tune_watcher){bounds, on_access, on_fence, on_index};
    bounds->watch = (struct block_watch){
        .context = bounds,
        .accesses = &bounds->accesses,
        .launch = on_launch,
        .launched = on_launched,
        .block = on_block,
        .barrier = on_barrier,
        .exchange = on_exchange,
        .diverged = on_diverged,
        .fault = on_fault,
        .written = on_written,
    };
    mark_guards(bounds, bounds->forbid);
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
    mark_guards(bounds, bounds->allow);
    free(bounds);
}
