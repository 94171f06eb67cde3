/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - loaded programs: their kernels, the resources those need, and their launch.
 *
 * The functions do what their namesakes in device.h promise.
 */
#ifndef TUNE_DEVICE_CUDA_MODULE_H
#define TUNE_DEVICE_CUDA_MODULE_H

#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/device.h"

struct module {
    const struct context *context;
    cuda_module handle;
    void *image; /* a copy, which `view` borrows from */
    struct image_view view;
    struct device_kernel *kernels;
    struct host_module *host; /* the host's part; NULL: none */
};

struct device_kernel {
    struct device_kernel *next;
    struct module *module;
    const char *lowered; /* in the module's image */
    cuda_function function;
    struct host_kernel *host; /* the host runs it, and what follows is empty; NULL: the GPU does */
    int registers, local_bytes, static_shared, max_threads;
    struct dimensions cluster; /* of the kernel itself, see groups_read */
    bool large_clusters;       /* are allowed */
    int dynamic_allowed;       /* bytes of dynamic shared memory that a launch may currently ask for */
    size_t parameter_count;
    struct kernel_parameter *parameters; /* NULL: none */
    char name[];
};

bool module_load(const struct context *context, const void *image, size_t bytes, struct module **module,
                 struct error *error);
void module_unload(struct module *module);
bool module_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *error);
bool module_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error);
const struct kernel_parameter *module_parameters(const struct device_kernel *kernel, size_t *count);
bool module_resources(struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *resources, struct error *error);
/* What module_launch does, without a look at what is launched: false, and nothing is known of why, if it cannot be
 * done that way. */
bool module_launch_quickly(const struct context *context, struct device_kernel *kernel, cuda_stream stream,
                           const struct launch_shape *shape, void *const *arguments);
/* In `stream`. Several threads may at once, with a shape that module_resources has approved. */
bool module_launch(struct device_kernel *kernel, cuda_stream stream, const struct launch_shape *shape,
                   void *const *arguments, size_t argument_count, struct error *error);

#endif
