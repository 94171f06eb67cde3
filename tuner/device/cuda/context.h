/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.h - an open GPU, a loaded program and its kernels, as the files of this folder share them.
 *
 * A GPU is used through its primary context and one stream of its own, from the thread that opened it.
 */
#ifndef TUNE_DEVICE_CUDA_CONTEXT_H
#define TUNE_DEVICE_CUDA_CONTEXT_H

#include "tuner/device/cuda/clocks.h"
#include "tuner/device/cuda/hold.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/cuda/library.h"
#include "tuner/device/cuda/timer.h"
#include "tuner/device/device.h"

struct device {
    struct cuda_library cuda;
    struct clocks clocks;
    struct device_description description;
    cuda_device id;
    cuda_context context;
    cuda_stream stream;
    struct hold hold;
    struct timer timer;
    cuda_address flush_buffer; /* 0 until it is first used */
    size_t flush_bytes;
};

struct module {
    struct device *device;
    cuda_module handle;
    void *image; /* a copy, which `view` looks into */
    struct image_view view;
    struct device_kernel *kernels;
};

struct device_kernel {
    struct device_kernel *next;
    struct module *module;
    const char *lowered; /* in the module's image */
    cuda_function function;
    int registers, local_bytes, static_shared, max_threads;
    int dynamic_allowed; /* bytes of dynamic shared memory that a launch may ask for as things stand */
    size_t parameter_count;
    char name[];
};

bool cuda_load(struct device *device, const void *image, size_t bytes, struct module **module, struct error *error);
void cuda_unload(struct device *device, struct module *module);
bool cuda_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *error);
bool cuda_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error);
bool cuda_resources(struct device *device, struct device_kernel *kernel, uint32_t block_threads,
                    size_t dynamic_shared, struct kernel_resources *resources, struct error *error);
bool cuda_launch(struct device *device, struct device_kernel *kernel, struct dimensions grid, struct dimensions block,
                 size_t dynamic_shared, void *const *arguments, size_t argument_count, struct error *error);

/* Queue writing twice the L2 cache's size. */
bool cuda_flush_cache(struct device *device, struct error *error);

#endif
