/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_abi.h - the interface between a compiled kernel module and the CPU device.
 *
 * The program reads it as C, and every kernel source, which it precedes, as C++; its declarations mean the same in
 * both. A module exports six names: TUNE_MODULE_KERNELS, TUNE_MODULE_SYMBOLS and TUNE_MODULE_CLUSTERS, tables that
 * end with an entry without a name; TUNE_MODULE_LAUNCHED, the names of the kernels that its kernels launch, in any
 * number, and NULL; TUNE_MODULE_CONTEXT, a tune_context_function, which returns the calling thread's
 * context and takes the address of its blocks' dynamic shared memory; TUNE_MODULE_ALIGNMENT, a size_t, that memory's
 * declared alignment.
 */
#ifndef TUNE_KERNEL_ABI_H
#define TUNE_KERNEL_ABI_H

#ifdef __cplusplus /* a kernel has no types but those that NVRTC gives it without a header */
typedef __UINT32_TYPE__ tune_u32;
typedef __UINT64_TYPE__ tune_u64;
typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list tune_arguments;
#else
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
typedef uint32_t tune_u32;
typedef uint64_t tune_u64;
typedef va_list tune_arguments;
#endif

#define TUNE_WARP 32

struct tune_index {
    tune_u32 x, y, z;
};

/* A launch by a running kernel. */
struct tune_launch {
    const char *kernel; /* its name as the source has it, without template arguments */
    void (*run)(void **arguments);
    struct tune_index grid, block;
    size_t dynamic_shared;
    tune_u64 stream;
    size_t count; /* of arguments */
    const void *const *arguments;
    const size_t *bytes; /* of each */
    int line;            /* of the launch in the user's source */
};
enum { TUNE_STREAM_TAIL = 3, TUNE_STREAM_FIRE_AND_FORGET = 4 }; /* the handles that CUDA gives to these streams */

/* Who waits for each other at a wide barrier. */
enum tune_scope { TUNE_CLUSTER, TUNE_GRID };

struct tune_worker; /* of the device: runs blocks on one operating-system thread, one at a time */

/* What a running kernel calls. `line` is the line of the call in the user's source. */
struct tune_services {
    /* Wait for all threads of the block. Returns how many of the `arrived` had a true `predicate`. */
    tune_u32 (*barrier)(struct tune_worker *worker, int predicate, int line, tune_u32 *arrived);
    /*
     * Wait for the lanes of `mask` and share their values: the result has TUNE_WARP entries and is valid until the
     * next exchange. `present` receives the lanes that took part.
     */
    const tune_u64 *(*exchange)(struct tune_worker *worker, tune_u32 mask, tune_u64 value, int line,
                                tune_u32 *present);
    void (*yield)(struct tune_worker *worker);
    void (*fault)(struct tune_worker *worker, const char *text, int line); /* does not return */
    int (*print)(const char *format, tune_arguments arguments);
    tune_u64 (*nanoseconds)(void);
    /* Wait for all threads of the cluster or the grid (enum tune_scope). */
    void (*wide_barrier)(struct tune_worker *worker, unsigned scope, int line);
    /* The address in the shared memory of the block `rank` of the cluster that corresponds to `pointer` in this
     * block's; and the rank of the block whose shared memory it is in. */
    void *(*peer)(struct tune_worker *worker, const void *pointer, tune_u32 rank, int line);
    tune_u32 (*peer_rank)(struct tune_worker *worker, const void *pointer);
    void (*launch)(struct tune_worker *worker, const struct tune_launch *launch); /* returns if it will run */
};

/* Called by an instrumented module; `code` is the address after the instruction. */
struct tune_watcher {
    void *context;
    void (*access)(void *context, const void *address, size_t bytes, unsigned kind, const void *code);
    void (*fence)(void *context);
    /* An index outside the bounds of its array type, which is in the compiler's words: "float [17]". */
    void (*index)(void *context, const char *type, tune_u64 index, unsigned column, const void *code);
    /* An address that is not a multiple of what its type, in the compiler's words, asks for. */
    void (*misaligned)(void *context, const void *address, const char *type, size_t alignment, const void *code);
};
enum { TUNE_READ = 1, TUNE_WRITE = 2, TUNE_ATOMIC = 4, TUNE_VOLATILE = 8 }; /* kinds of access */

/* One per operating-system thread and module. The device updates `thread` whenever another thread continues. */
struct tune_context {
    struct tune_index thread, block, block_size, grid_size, cluster_size; /* the last in blocks */
    tune_u32 cooperative;
    tune_u32 lane;
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

enum { TUNE_ADDRESS_CLAMP, TUNE_ADDRESS_BORDER, TUNE_ADDRESS_WRAP, TUNE_ADDRESS_MIRROR };

/* What a texture or surface object, which is its address, stands for; see texture_words.hpp. */
struct tune_texture {
    void *data;
    tune_u32 width, height, depth; /* in texels; 1 beyond `dimensions` */
    tune_u32 dimensions;           /* 0: linear memory of `width` texels */
    tune_u32 texel_bytes;
    tune_u32 address_mode;
    unsigned char is_surface, is_filtered, is_normalized;
};

struct tune_symbol {
    const char *name;
    void *address;
    size_t bytes;
};

/* A kernel, by its name without scope and template arguments, that has __cluster_dims__. */
struct tune_cluster_of {
    const char *name;
    struct tune_index size;
};

typedef struct tune_context *tune_context_function(void *dynamic_shared);

#define TUNE_MODULE_KERNELS   "tune_module_kernels"
#define TUNE_MODULE_SYMBOLS   "tune_module_symbols"
#define TUNE_MODULE_CONTEXT   "tune_module_context"
#define TUNE_MODULE_ALIGNMENT "tune_module_alignment"
#define TUNE_MODULE_CLUSTERS  "tune_module_clusters"
#define TUNE_MODULE_LAUNCHED  "tune_module_launched"

#endif
