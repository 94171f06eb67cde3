/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/races.h"

#include "tuner/check/happens_before.h"
#include "tuner/check/shadow.h"

#include <stdlib.h>
#include <string.h>

struct races {
    struct watched *watched;
    struct happens_before happens_before;
    struct shadow *shadow;
    struct tune_watcher accesses;
    struct block_watch watch;
    bool out_of_memory;
};

/* ---- diagnostics ---- */

static void name_element(const struct conflict *conflict, char *text, size_t size)
{
    size_t offset = conflict->address - conflict->region->address;
    snprintf(text, size, "%s (%s), byte %zu", conflict->region->name, region_space_names[conflict->region->space],
             offset);
}

static void report_uninitialised(struct races *races, const struct conflict *conflict)
{
    char element[160], thread[64];
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_UNINITIALISED, .code = conflict->now.code};
    name_element(conflict, element, sizeof element);
    watched_thread_text(races->watched, conflict->now.thread, thread, sizeof thread);
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", conflict->region->name);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s reads %s, which was never written", thread, element);
    watched_report(races->watched, &diagnostic);
}

static const char *verb(unsigned kind)
{
    if (kind & TUNE_ATOMIC)
        return kind & TUNE_WRITE ? "atomically updates" : "atomically reads";
    return kind & TUNE_WRITE ? "writes" : "reads";
}

static void report_race(struct races *races, const struct conflict *conflict)
{
    char element[160], now[64], before[64];
    bool other_block = conflict->before.block != conflict->now.block;
    struct raw_diagnostic diagnostic = {
        .kind = DIAGNOSTIC_RACE, .code = conflict->now.code, .other = conflict->before.code};
    name_element(conflict, element, sizeof element);
    watched_thread_text(races->watched, conflict->now.thread, now, sizeof now);
    watched_thread_text(races->watched, conflict->before.thread, before, sizeof before);
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", conflict->region->name);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s %s %s, which %s%s %s at %s without synchronisation", now,
             verb(conflict->now.kind), element, before, other_block ? " of another block" : "",
             verb(conflict->before.kind), DIAGNOSTIC_OTHER);
    watched_report(races->watched, &diagnostic);
}

static void found(void *context, const struct conflict *conflict)
{
    if (conflict->before.kind)
        report_race(context, conflict);
    else
        report_uninitialised(context, conflict);
}

/* ---- calls from the module ---- */

static void on_access(void *context, const void *address, size_t bytes, unsigned kind, const void *code)
{
    struct races *races = context;
    const struct watched *watched = races->watched;
    if (!watched->thread || bytes == 0)
        return;
    const struct access now = {races->happens_before.time, races->happens_before.block,
                               (uint32_t)watched_code(watched, code), (uint16_t)watched_thread(watched),
                               (uint16_t)kind};
    if (!shadow_access(races->shadow, &races->happens_before, (uintptr_t)address, bytes, &now, found, races))
        races->out_of_memory = true;
}

static void on_fence(void *context)
{
    struct races *races = context;
    if (races->watched->thread)
        happens_before_fence(&races->happens_before, watched_thread(races->watched));
}

static void on_index(void *context, const char *type, uint64_t index, unsigned column, const void *code)
{
    (void)context, (void)type, (void)index, (void)column, (void)code; /* left to the bounds check */
}

/* ---- calls from the device ---- */

/* A pointer to dynamic shared memory is accompanied by a binding of its name and is not itself shared. */
static bool is_pointer(const struct variables *variables, const struct variable *variable)
{
    char binding[96];
    snprintf(binding, sizeof binding, "tune_binding_of_%s", variable->name);
    for (size_t i = 0; i < variables->count; i++) {
        if (strncmp(variables->list[i].name, binding, sizeof variables->list[i].name - 1) == 0)
            return true;
    }
    return false;
}

/* A block's shared memory, of which a running thread's context tells where it is. */
static bool add_shared(struct races *races, const struct tune_context *thread, const void *shared)
{
    const struct watched *watched = races->watched;
    uintptr_t block = (uintptr_t)thread - watched->variables.context;
    bool added = true;
    for (size_t i = 0; added && i < watched->variables.count; i++) {
        const struct variable *variable = &watched->variables.list[i];
        if (!variable->thread_local || is_pointer(&watched->variables, variable))
            continue;
        struct shadow_region region = {.space = SPACE_STATIC_SHARED, .address = block + variable->value};
        region.bytes = variable->bytes;
        snprintf(region.name, sizeof region.name, "%s", variable->name);
        added = shadow_add(races->shadow, &region, false, NULL);
    }
    struct shadow_region dynamic = {.space = SPACE_DYNAMIC_SHARED, .address = (uintptr_t)shared};
    dynamic.bytes = watched->shared_bytes;
    snprintf(dynamic.name, sizeof dynamic.name, "%s", watched->dynamic_name);
    return added && shadow_add(races->shadow, &dynamic, false, NULL);
}

static void on_launch(void *context, const struct tune_context *thread, void *shared, size_t bytes, size_t room)
{
    struct races *races = context;
    struct watched *watched = races->watched;
    const struct tune_index *size = &thread->block_size;
    watched->thread = thread;
    watched->shared = (uintptr_t)shared;
    watched->shared_bytes = bytes;
    watched->shared_room = room;
    happens_before_launch(&races->happens_before, size->x * size->y * size->z);
    if (!add_shared(races, thread, shared))
        races->out_of_memory = true;
}

static void drop_shared(struct races *races)
{
    shadow_drop(races->shadow, SPACE_STATIC_SHARED);
    shadow_drop(races->shadow, SPACE_DYNAMIC_SHARED);
}

static void on_team(void *context, const struct watched_block *blocks, size_t count, size_t cluster)
{
    struct races *races = context;
    happens_before_team(&races->happens_before, count, cluster);
    watched_team(races->watched, blocks);
    drop_shared(races);
    for (size_t i = 0; i < count; i++)
        races->out_of_memory |= !add_shared(races, blocks[i].thread, blocks[i].shared);
}

static void on_turn(void *context, size_t i)
{
    struct races *races = context;
    happens_before_turn(&races->happens_before, i);
    watched_turn(races->watched, i);
}

static void on_wide_barrier(void *context, enum tune_scope scope)
{
    struct races *races = context;
    if (scope == TUNE_GRID)
        happens_before_grid_barrier(&races->happens_before);
    else
        happens_before_cluster_barrier(&races->happens_before);
}

static void on_launched(void *context)
{
    struct races *races = context;
    watched_launched(races->watched);
    drop_shared(races);
}

static void on_block(void *context, const struct tune_index *block)
{
    struct races *races = context;
    (void)block;
    if (races->watched->team)
        return; /* it has begun with its team */
    happens_before_block(&races->happens_before);
    shadow_block(races->shadow);
}

static void on_barrier(void *context)
{
    struct races *races = context;
    happens_before_barrier(&races->happens_before);
}

static void on_exchange(void *context, uint32_t warp, uint32_t lanes)
{
    struct races *races = context;
    happens_before_exchange(&races->happens_before, warp, lanes);
}

static void on_diverged(void *context, const struct watched_place *at, int other, uint32_t ended)
{
    struct races *races = context;
    watched_diverged(races->watched, at, other, ended);
}

static void on_fault(void *context, const struct watched_place *at, const char *text)
{
    struct races *races = context;
    watched_fault(races->watched, at, text);
}

static void on_written(void *context, uint64_t address, size_t bytes)
{
    struct races *races = context;
    shadow_define(races->shadow, (uintptr_t)address, bytes);
}

/* ---- life ---- */

static bool add_buffer(struct races *races, size_t i, struct error *error)
{
    const struct instance_buffer *buffer = &races->watched->instance->buffers[i];
    struct shadow_region region = {.space = SPACE_GLOBAL, .address = (uintptr_t)buffer->memory.address};
    region.bytes = (size_t)buffer->memory.bytes;
    snprintf(region.name, sizeof region.name, "%s", races->watched->job_case->buffers[i].name);
    return shadow_add(races->shadow, &region, role_is_initialised(buffer->role), error);
}

static bool add_buffers(struct races *races, struct error *error)
{
    bool added = true;
    for (size_t i = 0; added && i < races->watched->instance->buffer_count; i++)
        added = add_buffer(races, i, error);
    return added;
}

void races_on_allocate(size_t buffer, bool done, void *context)
{
    struct races *races = context;
    const struct guarded *memory = &races->watched->instance->buffers[buffer].memory;
    if (!done && memory->bytes > 0)
        shadow_remove(races->shadow, (uintptr_t)memory->address);
    if (done && !add_buffer(races, buffer, NULL))
        races->out_of_memory = true;
}

/* Global __device__ and __constant__ variables. What is in a function is a constant or a C++ static. */
static bool add_module(struct races *races, struct error *error)
{
    const struct watched *watched = races->watched;
    bool added = true;
    for (size_t i = 0; added && i < watched->variables.count; i++) {
        const struct variable *variable = &watched->variables.list[i];
        if (variable->thread_local || variable->in_function || variable->value < watched->variables.writable ||
            variable->value + variable->bytes > watched->variables.writable_end ||
            strncmp(variable->name, "tune_", 5) == 0)
            continue;
        struct shadow_region region = {.space = SPACE_MODULE, .address = watched->base + variable->value};
        region.bytes = (size_t)variable->bytes;
        snprintf(region.name, sizeof region.name, "%s", variable->name);
        added = shadow_add(races->shadow, &region, true, error);
    }
    return added;
}

bool races_create(struct watched *watched, struct races **result, struct error *error)
{
    struct races *races = calloc(1, sizeof *races);
    *result = NULL;
    if (!races)
        return error_out_of_memory(error);
    races->watched = watched;
    happens_before_init(&races->happens_before);
    races->accesses = (struct tune_watcher){races, on_access, on_fence, on_index, NULL};
    races->watch = (struct block_watch){
        .context = races,
        .accesses = &races->accesses,
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
    if (!shadow_create(&races->shadow, error) || !add_buffers(races, error) || !add_module(races, error)) {
        races_free(races);
        return false;
    }
    *result = races;
    return true;
}

const struct block_watch *races_watch(struct races *races)
{
    return &races->watch;
}

bool races_complete(const struct races *races)
{
    return !races->out_of_memory && !races->happens_before.out_of_memory;
}

void races_free(struct races *races)
{
    if (!races)
        return;
    shadow_free(races->shadow);
    happens_before_clear(&races->happens_before);
    free(races);
}
