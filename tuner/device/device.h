/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - a device is a table of functions: find, describe, compile, load, allocate, launch, time.
 *
 * Nothing above this header knows CUDA or the CPU device. A new kind of device is one folder and one line in the
 * table `device_drivers`. All functions are called from one thread of a worker process, except `compile`, which needs
 * no open device and runs in compile workers.
 *
 * Device addresses are 64-bit numbers. Launches, copies and fills are queued and run in order, unless they use
 * several streams; `synchronize` waits for them and reports what went wrong. After ERROR_FAULT the device's context
 * is dead, and only a new process recovers.
 */
#ifndef TUNE_DEVICE_DEVICE_H
#define TUNE_DEVICE_DEVICE_H

#include "tuner/description/description.h"
#include "tuner/description/resources.h"
#include "tuner/description/state.h"
#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device; /* an open device */
struct device_guest;
struct module;         /* a loaded image */
struct device_texture; /* a texture or surface object */
struct device_kernel;  /* a function of a module; lives as long as the module */

/* Before the name of a kernel that the host's cores run, where a request or a look-up names it: "host add_rest". An
 * image for any device but the host itself has these beside its own. */
#define HOST_KERNEL "host "

/* What to compile. All strings belong to the caller. */
struct compile_request {
    const char *path; /* the source file, for messages and relative includes */
    const char *text; /* its text, already read */
    size_t length;
    const char *folder;         /* searched for #include "..." */
    const char *preamble;       /* source that comes before the defines; NULL: none */
    const char *defines;        /* lines `#define NAME value`, prepended to the text (line numbers stay right) */
    const char *const *kernels; /* names of the __global__ functions to look up later, extern "C" or not */
    size_t kernel_count;
    const char *const *symbols; /* names of the __constant__ and __device__ variables to look up later */
    size_t symbol_count;
    const char *const *options; /* additional compiler options */
    size_t option_count;
    bool awaited; /* and not to be measured: it may use all cores, by which some instructions may differ */
    const char *scratch_folder; /* for the compiler's temporary files; the caller removes it */
    /* NULL, or a folder of this process where a compilation leaves files that speed up later ones; the caller removes
     * it. */
    const char *keep_folder;
};

struct compile_result {
    bool compiled;  /* false: the source is wrong, and `log` says where, in the user's lines */
    bool crashed;   /* not compiled because the compiler itself crashed */
    bool too_large; /* not compiled because the kernel needs more memory than the device has */
    bool unlinked;  /* not compiled because its kernels launch kernels, and there is no linker for that here */
    void *image;    /* opaque to everyone but the device; free() it */
    size_t image_bytes;
    char *log; /* the compiler's messages, "" if none; free() it */
    double seconds;
    bool cached;         /* the result of an earlier compilation */
    int64_t spill_bytes; /* spill stores plus loads, as the compiler reports them; -1: unknown */
};

struct dimensions {
    uint32_t x, y, z;
};

enum { DEVICE_LAUNCHES = 2048 }; /* by kernels that may wait at once, unless a launch asks for more */

enum { DEVICE_STREAMS = 16 }; /* that a sequence of launches may use; 0 is the main stream, which is timed */

/* How a kernel is launched. */
struct launch_shape {
    struct dimensions grid, block;
    struct dimensions cluster; /* how many blocks share their shared memory, in each dimension; zeros: none, unless
                                * the kernel itself has __cluster_dims__ */
    size_t dynamic_shared;     /* bytes per block */
    bool cooperative;          /* all blocks run at the same time, and may wait for each other */
    uint32_t launches;         /* by its threads, and theirs, that may wait at once; 0: DEVICE_LAUNCHES */
};

enum address_mode { ADDRESS_CLAMP, ADDRESS_BORDER, ADDRESS_WRAP, ADDRESS_MIRROR };

/* How kernels see memory as a texture or a surface. */
struct texture_shape {
    bool surface;
    unsigned dimensions; /* 1 to 3; 0: a texture of linear memory, for tex1Dfetch, without what follows `extent` */
    struct dimensions extent; /* texels; 1 beyond `dimensions`; of linear memory, x */
    bool linear;              /* filter, else the nearest texel */
    bool normalized;          /* coordinates from 0 to 1 */
    enum address_mode address;
};

struct texel {
    unsigned channels; /* 1, 2 or 4 */
    unsigned bytes;    /* of a channel: 1, 2 or 4; of a float, 4 */
    bool floating, is_signed;
};

/* What a kernel takes, as far as its image tells. */
enum parameter_kind {
    PARAMETER_UNKNOWN,
    PARAMETER_INTEGER, /* bool, characters and enumerations as well */
    PARAMETER_REAL,    /* float, double */
    PARAMETER_POINTER,
    PARAMETER_OTHER, /* a class, a vector type, ... */
};

struct parameter_type {
    enum parameter_kind kind;
    size_t bytes; /* 0: unknown */
    bool is_unsigned;
};

struct kernel_parameter {
    struct parameter_type type;
    struct parameter_type target; /* of a pointer: what it points to; of unknown kind: void, say */
    char text[64];                /* the type as in C++, "const float *"; "": unknown */
};

struct device_driver {
    const char *kind;  /* as users name it: the "cuda" of cuda:0 */
    const char *title; /* for messages: "CUDA GPU", "CPU device" */
    /* Has devices of its own, apart from the host's cores: preferred by default, and several can run at once
     * (cuda:0,cuda:1 or all). */
    bool accelerator;

    /* How many devices are present. None is a success; `error` then holds the reason (no driver library, no GPU). */
    bool (*count)(int *count, struct error *error);
    bool (*open)(int ordinal, struct device **device, struct error *error);
    void (*close)(struct device *device);
    bool (*describe)(struct device *device, struct device_description *description, struct error *error);
    /* What `describe` would measure, as of this earlier description, made by another process; NULL: it measures
     * nothing. */
    void (*recall)(const struct device_description *earlier);
    /* Describe a device without opening it, where that is much faster; else NULL. */
    bool (*look)(int ordinal, struct device_description *description, struct error *error);

    /* Compile for `description`. False only if the compiler itself does not work. */
    bool (*compile)(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *error);
    /* Fill in what is all but certain of every device here, and all that `compile` needs: kind, architecture and
     * compiler. At once, from any thread; NULL: that is no faster than describing one. */
    bool (*guess)(struct device_description *description);
    /*
     * What an image for `description` depends on besides the request and the description's compiler and architecture:
     * options and text that the driver adds, the compiler's path, the environment. The caller frees `*text`. False:
     * unknown, so images cannot be cached. Opens no library and starts no process.
     */
    bool (*compile_identity)(const struct device_description *description, char **text, struct error *error);

    bool (*load)(struct device *device, const void *image, size_t bytes, struct module **module, struct error *error);
    void (*unload)(struct device *device, struct module *module);
    bool (*kernel)(struct module *module, const char *name, struct device_kernel **kernel, struct error *error);
    bool (*symbol)(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error);
    /* What the kernel takes; the array lives as long as the module. */
    const struct kernel_parameter *(*parameters)(const struct device_kernel *kernel, size_t *count);
    bool (*resources)(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *resources, struct error *error);

    bool (*allocate)(struct device *device, size_t bytes, uint64_t *address, struct error *error);
    void (*release)(struct device *device, uint64_t address);
    /* Memory of the host's that its launches and kernels on the device reach at one address, pinned. Both NULL: all
     * memory is. */
    bool (*host_allocate)(struct device *device, size_t bytes, uint64_t *address, struct error *error);
    void (*host_release)(struct device *device, uint64_t address);
    bool (*upload)(struct device *device, uint64_t to, const void *from, size_t bytes, struct error *error);
    bool (*download)(struct device *device, void *to, uint64_t from, size_t bytes, struct error *error);
    bool (*copy)(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *error); /* queued */
    bool (*fill)(struct device *device, uint64_t address, uint8_t byte, size_t bytes,
                 struct error *error); /* queued */

    /*
     * Make an object of the texels at `address`; kernels take `*handle`. One of several dimensions may have memory of
     * its own, a copy: `fill` queues the copying into it, `drain` back from it. ERROR_RESOURCES: too large for one.
     */
    bool (*texture_create)(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                           uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *error);
    bool (*texture_fill)(struct device *device, struct device_texture *texture, struct error *error);
    bool (*texture_drain)(struct device *device, struct device_texture *texture, struct error *error);
    void (*texture_release)(struct device *device, struct device_texture *texture);

    /* Queue a launch, also of a kernel of the host. `arguments[i]` points to the bytes of the i-th argument (an
     * address is a uint64_t). */
    bool (*launch)(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                   void *const *arguments, size_t argument_count, struct error *error);
    /*
     * Launches, copies and fills go to this stream from now on: 0, the main stream, to DEVICE_STREAMS - 1. All else
     * uses the main stream, which the caller returns to. Both NULL: everything runs in the order in which it is
     * queued.
     */
    bool (*use_stream)(struct device *device, unsigned stream, struct error *error);
    /* What is queued in each of `waiters` from now on, a bit a stream, waits for what is queued in `awaited` now. */
    bool (*wait)(struct device *device, uint32_t waiters, uint32_t awaited, struct error *error);
    bool (*synchronize)(struct device *device, struct error *error);

    /*
     * Queue a blocking kernel (NVBench's term): nothing queued after it runs until `stop`, or anything else that
     * waits for the device. All launches are then queued when the clock starts, so the host's launch overhead stays
     * out of the timing. A kernel must have run once before, since a first launch loads code and may wait for the
     * device. NULL: launching takes no time of its own.
     */
    bool (*blocking_kernel)(struct device *device, struct error *error);
    /*
     * Time what is queued between the two calls. `stop` waits for it and returns nanoseconds on the device, always
     * more than 0. What the device's clock shows for an empty launch is not included: a GPU's driver measures it
     * before the first timing and subtracts it once per timing (cuda/timer.h), so a kernel that spins for 5 us takes
     * 5 us. Gaps between the launches of a sequence count.
     */
    bool (*start)(struct device *device, struct error *error);
    bool (*stop)(struct device *device, double *nanoseconds, struct error *error);

    /* Evict the buffers from the caches before a timed launch (queued). */
    bool (*flush_cache)(struct device *device, struct error *error);
    /* Cheap enough to read at each measurement; temperature, power and memory clock may be a second old. */
    void (*state)(struct device *device, struct device_state *state);
    /* Energy used since some moment in the past. It grows in steps, 20 to 100 ms apart on a GPU. NULL, or ERROR_WORK:
     * the device does not report energy. */
    bool (*energy)(struct device *device, double *joules, struct error *error);

    const struct device_guest *guest; /* in a program that is not tune's (guest.h) */

    bool shares_cores; /* compiling on the host disturbs timings on this device */
};

/* In order of preference: the first accelerator that is present is the default device, else the first other one. */
extern const struct device_driver *const device_drivers[];
extern const size_t device_driver_count;

/* NULL if there is no such kind. */
const struct device_driver *device_driver_find(const char *kind);

/* Split "cuda:1" or "cuda", whose ordinal is 0. False: it names no kind of device. */
bool device_name_parse(const char *text, const struct device_driver **driver, int *ordinal);

#endif
