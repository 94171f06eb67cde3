/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver.h - NVIDIA GPUs as a device, by the CUDA driver API: the table of functions, and what an open GPU holds.
 *
 * A worker uses a GPU through its primary context and its streams, from the thread that opened it.
 */
#ifndef TUNE_DEVICE_CUDA_DRIVER_H
#define TUNE_DEVICE_CUDA_DRIVER_H

#include "tuner/device/cuda/blocking_kernel.h"
#include "tuner/device/cuda/cache_flush.h"
#include "tuner/device/cuda/clocks.h"
#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/streams.h"
#include "tuner/device/cuda/timer.h"
#include "tuner/device/device.h"

struct device {
    struct context context;
    struct clocks clocks;
    struct blocking_kernel blocking;
    struct cache_flush flush;
    struct streams streams;
    struct timer timer;
    size_t host_allocations; /* of memory that both reach */
    bool guest;              /* in a program that is not tune's: see guest.h, */
    bool retained;           /* in the primary context; */
    bool borrows;            /* a view */
};

extern const struct device_driver cuda_driver;

#endif
