/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_abi.h - the interface between a compiled kernel module and the CPU device.
 *
 * The program reads it as C, and every kernel source, which it precedes, as C++; its declarations mean the same in
 * both. A module exports four names: TUNE_MODULE_KERNELS and TUNE_MODULE_SYMBOLS, tables that end with an entry
 * without a name; TUNE_MODULE_CONTEXT, a tune_context_function, which returns the calling thread's context and takes
 * the address of its blocks' dynamic shared memory; TUNE_MODULE_ALIGNMENT, a size_t, that memory's declared
 * alignment.
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

struct tune_worker; /* of the device: runs blocks on one operating-system thread, one at a time */

/* What a running kernel calls. `line` is the line of the call in the user's source. */
struct tune_services {
    /* Wait for all threads of the block. Returns how many of the `arrived` had a true `predicate`. */
    uint32_t (*barrier)(struct tune_worker *worker, int predicate, int line, uint32_t *arrived);
    /*
     * Wait for the lanes of `mask` and share their values: the result has TUNE_WARP entries and is valid until the
     * next exchange. `present` receives the lanes that took part.
     */
    const uint64_t *(*exchange)(struct tune_worker *worker, uint32_t mask, uint64_t value, int line,
                                uint32_t *present);
    void (*yield)(struct tune_worker *worker);
    void (*fault)(struct tune_worker *worker, const char *text, int line); /* does not return */
    int (*print)(const char *format, va_list arguments);
    uint64_t (*nanoseconds)(void);
};

/* Called by an instrumented module; `code` is the address after the instruction. */
struct tune_watcher {
    void *context;
    void (*access)(void *context, const void *address, size_t bytes, unsigned kind, const void *code);
    void (*fence)(void *context);
    /* An index outside the bounds of its array type, which is in the compiler's words: "float [17]". */
    void (*index)(void *context, const char *type, uint64_t index, unsigned column, const void *code);
    /* An address that is not a multiple of what its type, in the compiler's words, asks for. */
    void (*misaligned)(void *context, const void *address, const char *type, size_t alignment, const void *code);
};
enum { TUNE_READ = 1, TUNE_WRITE = 2, TUNE_ATOMIC = 4, TUNE_VOLATILE = 8 }; /* kinds of access */

/* One per operating-system thread and module. The device updates `thread` whenever another thread continues. */
struct tune_context {
    struct tune_index thread, block, block_size, grid_size;
    uint32_t lane;
    void *dynamic_shared;
    struct tune_worker *worker;
    const struct tune_services *services;
    const struct tune_watcher *watcher; /* NULL: unwatched */
};

enum { TUNE_OTHER, TUNE_INTEGER, TUNE_REAL, TUNE_POINTER }; /* kinds of type */

struct tune_parameter_type {
    unsigned kind, is_unsigned;
    size_t bytes; /* 0: unknown */
};

/* What a kernel takes. */
struct tune_parameter {
    struct tune_parameter_type type, target; /* `target` is what a pointer points to */
    const char *signature; /* of a function whose template argument is the type, as the compiler prints it */
};

struct tune_kernel {
    const char *name;
    void (*run)(void **arguments); /* one thread, to its end */
    size_t parameter_count;
    const struct tune_parameter *parameters;
};

struct tune_symbol {
    const char *name;
    void *address;
    size_t bytes;
};

typedef struct tune_context *tune_context_function(void *dynamic_shared);

#define TUNE_MODULE_KERNELS   "tune_module_kernels"
#define TUNE_MODULE_SYMBOLS   "tune_module_symbols"
#define TUNE_MODULE_CONTEXT   "tune_module_context"
#define TUNE_MODULE_ALIGNMENT "tune_module_alignment"

#endif
