/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - a device is a table of functions: find, describe, compile, load, allocate, launch, time.
 *
 * Everything above this header knows neither CUDA nor the CPU device. A new kind of device is one file (or folder)
 * and one line in the table `device_drivers`. All functions are called from one thread of a worker process, except
 * `compile`, which needs no open device and runs in compile workers.
 *
 * Addresses on the device are 64-bit numbers. Launches, copies and fills are queued in order; `synchronize` waits and
 * reports what went wrong: ERROR_FAULT means that the context is dead and only a new process recovers.
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

struct device;        /* an open device */
struct module;        /* a loaded image */
struct device_kernel; /* a function of a module; lives as long as the module */

/* What to compile. All strings belong to the caller. */
struct compile_request {
    const char *path; /* the source file, for messages and relative includes */
    const char *text; /* its text, already read */
    size_t length;
    const char *folder;         /* searched for #include "..." */
    const char *defines;        /* lines `#define NAME value`, put ahead of the text (line numbers stay true) */
    const char *const *kernels; /* names of __global__ functions that will be asked for, plain or extern "C" */
    size_t kernel_count;
    const char *const *symbols; /* names of __constant__ and __device__ variables that will be asked for */
    size_t symbol_count;
    const char *const *options; /* further options for the compiler */
    size_t option_count;
    const char *scratch_folder; /* for the compiler's temporary files; the caller removes it */
    /* NULL, or a folder that outlives the compilation and belongs to one process, for what its later ones can use
     * again; the caller removes it. */
    const char *keep_folder;
};

struct compile_result {
    bool compiled;  /* false: the source is at fault and `log` says why, with the user's lines */
    bool crashed;   /* not compiled because the compiler itself died */
    bool too_large; /* not compiled because the kernel needs more memory than the device has */
    void *image;    /* opaque to all but the device; free() it */
    size_t image_bytes;
    char *log; /* the compiler's messages, "" if none; free() it */
    double seconds;
    bool cached;         /* not compiled now: what an earlier compilation gave */
    int64_t spill_bytes; /* spill stores + loads reported by the compiler; -1: not known */
};

struct dimensions {
    uint32_t x, y, z;
};

struct device_driver {
    const char *kind;  /* as users name it: the "cuda" of cuda:0 */
    const char *title; /* for messages: "CUDA GPU", "CPU device" */
    /* Has devices of its own, apart from the host's cores: preferred by default, and several can run at once
     * (cuda:0,cuda:1 or all). */
    bool accelerator;

    /* How many are there? 0 is no error; `error` then says why (no driver library, no GPU). */
    bool (*count)(int *count, struct error *error);
    bool (*open)(int ordinal, struct device **device, struct error *error);
    void (*close)(struct device *device);
    bool (*describe)(struct device *device, struct device_description *description, struct error *error);
    /* Describe a device without making it ready, where that is much quicker; else NULL. */
    bool (*look)(int ordinal, struct device_description *description, struct error *error);

    /* Compile for `description`; false only when the compiler itself cannot be used. */
    bool (*compile)(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *error);
    /*
     * What an image for `description` depends on beside the request and what the description says of compiler and
     * architecture: options and text that the driver adds, the compiler's place, the environment. `*text` is to be
     * freed. False: it cannot be told, so that images cannot be kept. Opens no library and starts no process.
     */
    bool (*compile_identity)(const struct device_description *description, char **text, struct error *error);

    bool (*load)(struct device *device, const void *image, size_t bytes, struct module **module, struct error *error);
    void (*unload)(struct device *device, struct module *module);
    bool (*kernel)(struct module *module, const char *name, struct device_kernel **kernel, struct error *error);
    bool (*symbol)(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error);
    bool (*resources)(struct device *device, struct device_kernel *kernel, uint32_t block_threads,
                      size_t dynamic_shared, struct kernel_resources *resources, struct error *error);

    bool (*allocate)(struct device *device, size_t bytes, uint64_t *address, struct error *error);
    void (*release)(struct device *device, uint64_t address);
    bool (*upload)(struct device *device, uint64_t to, const void *from, size_t bytes, struct error *error);
    bool (*download)(struct device *device, void *to, uint64_t from, size_t bytes, struct error *error);
    bool (*copy)(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *error); /* queued */
    bool (*fill)(struct device *device, uint64_t address, uint8_t byte, size_t bytes,
                 struct error *error); /* queued */

    /* Queue a launch. `arguments[i]` points at the i-th argument's bytes (an address is a uint64_t). */
    bool (*launch)(struct device *device, struct device_kernel *kernel, struct dimensions grid,
                   struct dimensions block, size_t dynamic_shared, void *const *arguments, size_t argument_count,
                   struct error *error);
    bool (*synchronize)(struct device *device, struct error *error);

    /*
     * Hold back what is queued from here on until `stop` has been called or anything waits for the device, so that
     * all launches lie ready when the clock starts, and the time that the host takes to queue them is not in the
     * timing. Queued work must have run before (a first launch loads code, and may wait for the device). NULL:
     * launching takes no time of its own.
     */
    bool (*hold)(struct device *device, struct error *error);
    /*
     * Time what is queued between the two calls; `stop` waits for it and gives nanoseconds on the device, always more
     * than 0. What the device's clock shows for a launch that does nothing is no part of it: a GPU's driver finds
     * that out before the first timing, and takes it off once a timing (cuda/timer.h). So a kernel that spins for 5
     * us takes 5 us; between the launches of a sequence stays what they cost.
     */
    bool (*start)(struct device *device, struct error *error);
    bool (*stop)(struct device *device, double *nanoseconds, struct error *error);

    /* Make the caches forget the buffers before a timed launch (queued). */
    bool (*flush_cache)(struct device *device, struct error *error);
    /* Cheap enough to ask at each measurement; temperature, power and memory clock may be a second old. */
    void (*state)(struct device *device, struct device_state *state);
    /* The energy that the device has used since some time in the past. It grows in steps, some 20 to 100 ms apart on
     * a GPU. NULL, or ERROR_WORK: it cannot tell. */
    bool (*energy)(struct device *device, double *joules, struct error *error);

    bool shares_cores; /* compiling on the host disturbs timings on this device */
};

/* In order of preference: the first accelerator that is present is the default device, else the first other one. */
extern const struct device_driver *const device_drivers[];
extern const size_t device_driver_count;

/* By kind; NULL if there is none. */
const struct device_driver *device_driver_find(const char *kind);

#endif
