/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.h - loads a compiled module into this process and finds its kernels and symbols. Leaves no file behind.
 */
#ifndef TUNE_DEVICE_CPU_LOADER_H
#define TUNE_DEVICE_CPU_LOADER_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/device.h"

struct device_kernel {
    const char *name;
    const struct tune_kernel *entry; /* NULL: kernels alone launch it */
    tune_context_function *context;
    int64_t shared_bytes;      /* static */
    size_t shared_alignment;   /* of dynamic shared memory, as declared; 0: not */
    struct tune_index cluster; /* __cluster_dims__; zeros: none */
    struct kernel_parameter *parameters;
    const struct module *module;
};

/*
 * The image need not outlive the call. ERROR_DOES_NOT_FIT, ERROR_WORK: it cannot be loaded; ERROR_SYSTEM: nothing
 * can, at present; ERROR_INPUT: it is not a module of tune.
 */
bool loader_open(const void *image, size_t bytes, struct module **module, struct error *error);
void loader_close(struct module *module);

/* ERROR_INPUT, with the nearest name as a hint, if there is no such name. */
bool loader_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *error);
bool loader_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error);
/* The kernel that `parent` launches by this name: its shared memory and cluster. `parent`, if there is no such name.
 */
const struct device_kernel *loader_launched(const struct device_kernel *parent, const char *name);
const struct kernel_parameter *loader_parameters(const struct device_kernel *kernel, size_t *count);

#endif
