/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guest.h - a GPU in a program that is not tune's: its context, its streams. See tuner/device/guest.h.
 */
#ifndef TUNE_DEVICE_CUDA_GUEST_H
#define TUNE_DEVICE_CUDA_GUEST_H

#include "tuner/device/cuda/driver.h"
#include "tuner/device/guest.h"

extern const struct device_guest cuda_guest;

/* The `close` of devices that are guests. */
void cuda_guest_close(struct device *device);

#endif
