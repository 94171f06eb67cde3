/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.h - a GPU that is ready for work: the driver's functions, its primary context and one stream.
 *
 * The files of this folder build on each other in this order, and call nothing above themselves:
 *
 *     driver.c                              the table of functions; knows all the others
 *     guest.c                               the same for programs of others
 *     timer.c
 *     streams.c
 *     blocking_kernel.c, cache_flush.c
 *     module.c, groups.c, texture.c, compiler.c
 *     linker.c
 *     context.h, library.c, result.c, limits.c, clocks.c, architecture.c, compiler_log.c, cubin.c, image.c,
 *     toolkit.c
 */
#ifndef TUNE_DEVICE_CUDA_CONTEXT_H
#define TUNE_DEVICE_CUDA_CONTEXT_H

#include "tuner/description/description.h"
#include "tuner/device/cuda/library.h"
#include "tuner/device/host_part.h"

struct context {
    struct cuda_library cuda;
    struct device_description description;
    cuda_device id;
    cuda_context primary; /* NULL: the device is merely looked at */
    cuda_stream stream;   /* the main one, which is timed */
    cuda_stream current;  /* which launches, copies and fills go to */
    struct host *host;    /* NULL until a program has a part for it */
};

#endif
