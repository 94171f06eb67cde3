/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handmade.h - a watched launch made by hand: buffers in host memory, variables at made-up offsets, diagnostics in a
 * file. The test plays the device and the instrumented module.
 */
#ifndef TUNE_TESTS_HANDMADE_H
#define TUNE_TESTS_HANDMADE_H

#include "tests/unit/fixture.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/check/watched.h"

#include <fcntl.h>

enum { HANDMADE_BYTES = 64, HANDMADE_DATA = 256, HANDMADE_TLS = 512 };

struct handmade {
    struct watched watched;
    struct instance instance;
    struct instance_buffer buffers[2];
    struct job_buffer names[2];
    struct job_case job_case;
    struct variable variables[8];
    char *allocations[2];
    char data[HANDMADE_DATA]; /* the module's */
    /* The module's thread-local storage: the context and the variables in shared memory. */
    struct {
        struct tune_context context;
        char shared[HANDMADE_TLS];
    } tls;
    char dynamic[128];
};

/* Buffers "in" (given) and "out", each of HANDMADE_BYTES. */
static inline struct handmade *handmade_create(void)
{
    struct handmade *h = calloc(1, sizeof *h);
    assert_non_null(h);
    unlink(scratch_path("diagnostics"));
    h->watched.file = open(scratch_path("diagnostics"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(h->watched.file >= 0);
    for (size_t i = 0; i < 2; i++) {
        h->allocations[i] = calloc(1, HANDMADE_BYTES + 2 * BUFFER_GUARD_BYTES);
        assert_non_null(h->allocations[i]);
        h->buffers[i] =
            (struct instance_buffer){.layout = &scalar_layouts[ELEMENT_FLOAT],
                                     .role = i ? BUFFER_OUT : BUFFER_IN,
                                     .extent = HANDMADE_BYTES / 4,
                                     .memory = {.allocation = (uintptr_t)h->allocations[i],
                                                .address = (uintptr_t)h->allocations[i] + BUFFER_GUARD_BYTES,
                                                .bytes = HANDMADE_BYTES}};
        h->names[i] =
            (struct job_buffer){.name = (char *)(i ? "out" : "in"), .layout = &scalar_layouts[ELEMENT_FLOAT]};
    }
    h->instance = (struct instance){.buffers = h->buffers, .buffer_count = 2};
    h->job_case = (struct job_case){.buffers = h->names, .buffer_count = 2};
    h->watched.instance = &h->instance;
    h->watched.job_case = &h->job_case;
    h->watched.base = (uintptr_t)h->data;
    h->watched.variables.list = h->variables;
    h->watched.variables.writable = 0;
    h->watched.variables.writable_end = HANDMADE_DATA;
    h->tls.context.block_size = (struct tune_index){64, 1, 1};
    snprintf(h->watched.dynamic_name, sizeof h->watched.dynamic_name, "room");
    return h;
}

static inline void handmade_free(struct handmade *h)
{
    close(h->watched.file);
    free(h->allocations[0]);
    free(h->allocations[1]);
    free(h);
}

static inline void handmade_variable(struct handmade *h, const char *name, uint64_t value, uint64_t bytes,
                                     bool thread_local, bool in_function)
{
    struct variable *variable = &h->variables[h->watched.variables.count++];
    *variable = (struct variable){.value = value, .bytes = bytes};
    variable->thread_local = thread_local;
    variable->in_function = in_function;
    snprintf(variable->name, sizeof variable->name, "%s", name);
}

static inline char *handmade_buffer(const struct handmade *h, size_t i)
{
    return (char *)(uintptr_t)h->buffers[i].memory.address;
}

/* Where the instruction is that the module announces. */
static inline const void *handmade_code(const struct handmade *h, unsigned offset)
{
    return h->data + offset;
}

static inline struct raw_diagnostic *handmade_diagnostics(size_t *count)
{
    struct raw_diagnostic *list;
    struct error error = {0};
    assert_success(raw_diagnostics_read(scratch_path("diagnostics"), &list, count, &error), &error);
    return list;
}

#endif
