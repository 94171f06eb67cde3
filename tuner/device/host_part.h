/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_part.h - what the host's cores do in a program for another device: kernels that the CPU device's compiler
 * compiles, and its launches run, each of which the other device calls when its turn comes.
 *
 * An image is one of the other device, or one of each in one block of memory. Calls run on whatever thread the device
 * calls them from, one at a time; what goes wrong is kept for host_check. Images and calls are as those of the CPU
 * device: an access to no memory is a fault, or ends the process.
 */
#ifndef TUNE_DEVICE_HOST_PART_H
#define TUNE_DEVICE_HOST_PART_H

#include "tuner/device/device.h"

struct host;        /* the host's cores */
struct host_module; /* code for them */
struct host_kernel;
struct host_call; /* a launch */

/* The name of a kernel without HOST_KERNEL before it; NULL: it is not the host's. */
const char *host_kernel_name(const char *name);

/* Has a request any kernels of the host? */
bool host_is_wanted(const struct compile_request *request);

/* "g++ 12.2.0": what compiles for the host; "" if there is nothing. */
void host_compiler(char *name, size_t bytes);

/*
 * A device's `compile` for requests with kernels of the host: its own kernels are left to `compile`. If either
 * compiler refuses, the result is its.
 */
typedef bool device_compiler(const struct device_description *description, const struct compile_request *request,
                             struct compile_result *result, struct error *error);
bool host_compile(device_compiler *compile, const struct device_description *description,
                  const struct compile_request *request, struct compile_result *result, struct error *error);

/* The parts of such an image, whose memory they borrow; of any other image, all of it is the device's own. */
struct host_image {
    const void *own, *host; /* `host` is NULL if there is none */
    size_t own_bytes, host_bytes;
};
bool host_image_split(const void *image, size_t bytes, struct host_image *parts, struct error *error);

/* What a queued call has yet to run stays loaded, and open, for good. `guest`: in a program that is not tune's
 * (guest.h). */
bool host_open(bool guest, struct host **host, struct error *error);
void host_close(struct host *host);
bool host_load(struct host *host, const struct host_image *parts, struct host_module **module, struct error *error);
void host_unload(struct host *host, struct host_module *module);

/* As device_driver has them. */
bool host_find(struct host *host, struct host_module *module, const char *name, struct host_kernel **kernel,
               struct error *error);
const struct kernel_parameter *host_parameters(const struct host *host, const struct host_kernel *kernel,
                                               size_t *count);
bool host_resources(struct host *host, struct host_kernel *kernel, const struct launch_shape *shape,
                    struct kernel_resources *resources, struct error *error);

/* Arguments are copied. Run it once, or drop it; both release it. */
bool host_call_create(struct host *host, struct host_kernel *kernel, const struct launch_shape *shape,
                      void *const *arguments, size_t argument_count, struct host_call **call, struct error *error);
void host_call_run(void *call);
void host_call_drop(struct host_call *call);

/* Did all calls succeed that have run since the last time? After one that did not, those that follow do nothing until
 * then; after a fault, for good. */
bool host_check(struct host *host, struct error *error);

#endif
