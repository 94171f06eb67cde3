/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables.h - the names and locations of a compiled module's variables, from its ELF symbols.
 */
#ifndef TUNE_CHECK_VARIABLES_H
#define TUNE_CHECK_VARIABLES_H

#include "tuner/error/error.h"

#include <stdint.h>

struct variable {
    char name[64];  /* as in the source, without scope and mangling */
    uint64_t value; /* offset from the module's base, or in its thread-local storage */
    uint64_t bytes;
    bool thread_local;
    bool in_function;
};

struct variables {
    struct variable *list;
    size_t count;
    uint64_t context;                /* offset of tune_context in the thread-local storage */
    uint64_t writable, writable_end; /* offsets of the writable data */
};

/* Read into `variables`, which must be cleared. ERROR_INPUT: not a module of the CPU device. */
bool variables_read(const void *image, size_t bytes, struct variables *variables, struct error *error);
void variables_clear(struct variables *variables);

/*
 * The name under which a source declares dynamic shared memory (extern __shared__ float tile[]), or "dynamic shared
 * memory" if there is no declaration or several names.
 */
void variables_dynamic_name(const char *source, char *name, size_t size);

#endif
