/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_abi.h - what a compiled kernel module and the CPU device know of each other.
 *
 * Read by C as part of the program and by C++ as the head of every kernel source, so it holds declarations that mean
 * the same in both. A module exports three names: TUNE_MODULE_KERNELS and TUNE_MODULE_SYMBOLS, tables that end with
 * an entry without a name, and TUNE_MODULE_CONTEXT, a tune_context_function that gives the calling thread's context
 * and tells it where the dynamic shared memory of its blocks lies.
 */
#ifndef TUNE_KERNEL_ABI_H
#define TUNE_KERNEL_ABI_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define TUNE_WARP 32

struct tune_index {
    uint32_t x, y, z;
};

struct tune_worker; /* the device's: an operating-system thread that runs one block at a time */

/* What a kernel asks of the device while it runs. `line` is the line of the user's source that asks. */
struct tune_services {
    /* Wait for all threads of the block; returns how many came with `predicate`, and through `arrived` how many came.
     */
    uint32_t (*barrier)(struct tune_worker *worker, int predicate, int line, uint32_t *arrived);
    /*
     * Wait for the lanes of `mask` and show each the others' values: the result has TUNE_WARP entries and is good
     * until the next request. `present` gets the lanes that took part.
     */
    const uint64_t *(*exchange)(struct tune_worker *worker, uint32_t mask, uint64_t value, int line,
                                uint32_t *present);
    void (*yield)(struct tune_worker *worker);
    void (*fault)(struct tune_worker *worker, const char *text, int line); /* does not return */
    int (*print)(const char *format, va_list arguments);
    uint64_t (*nanoseconds)(void);
};

/* Told by an instrumented module of what it does; `code` is the address behind the instruction. */
struct tune_watcher {
    void *context;
    void (*access)(void *context, const void *address, size_t bytes, unsigned kind, const void *code);
    void (*fence)(void *context);
    /* An index outside of its array's type, in the compiler's words: "float [17]". */
    void (*index)(void *context, const char *type, uint64_t index, unsigned column, const void *code);
};
enum { TUNE_READ = 1, TUNE_WRITE = 2, TUNE_ATOMIC = 4, TUNE_VOLATILE = 8 }; /* kinds of access */

/* One in each operating-system thread and module. The device changes `thread` whenever another thread goes on. */
struct tune_context {
    struct tune_index thread, block, block_size, grid_size;
    uint32_t lane;
    void *dynamic_shared;
    struct tune_worker *worker;
    const struct tune_services *services;
    const struct tune_watcher *watcher; /* NULL: nobody watches */
};

struct tune_kernel {
    const char *name;
    void (*run)(void **arguments); /* one thread, to its end */
    size_t argument_count;
};

struct tune_symbol {
    const char *name;
    void *address;
    size_t bytes;
};

typedef struct tune_context *tune_context_function(void *dynamic_shared);

#define TUNE_MODULE_KERNELS "tune_module_kernels"
#define TUNE_MODULE_SYMBOLS "tune_module_symbols"
#define TUNE_MODULE_CONTEXT "tune_module_context"

#endif
