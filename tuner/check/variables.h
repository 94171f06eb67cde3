/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables.h - the names of a compiled module's variables and where they lie, from its ELF symbols.
 */
#ifndef TUNE_CHECK_VARIABLES_H
#define TUNE_CHECK_VARIABLES_H

#include "tuner/error/error.h"

#include <stdint.h>

struct variable {
    char name[64];  /* as it was written: no scope, no mangling */
    uint64_t value; /* offset from the module's base, or into its thread-local block */
    uint64_t bytes;
    bool thread_local;
    bool in_function;
};

struct variables {
    struct variable *list;
    size_t count;
    uint64_t context;                /* offset of the module's tune_context in its thread-local block */
    uint64_t writable, writable_end; /* offsets of its data */
};

/* Fill `variables`; they own memory. ERROR_INPUT: no module of the CPU device's. */
bool variables_read(const void *image, size_t bytes, struct variables *variables, struct error *error);
void variables_clear(struct variables *variables);

/*
 * The name of the dynamic shared memory that a source declares (extern __shared__ float tile[]), or "dynamic shared
 * memory" if there is none or more than one.
 */
void variables_dynamic_name(const char *source, char *name, size_t size);

#endif
