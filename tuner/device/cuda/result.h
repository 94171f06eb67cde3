/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result.h - the driver's result codes as errors.
 */
#ifndef TUNE_DEVICE_CUDA_RESULT_H
#define TUNE_DEVICE_CUDA_RESULT_H

#include "tuner/device/cuda/library.h"
#include "tuner/error/error.h"

/* The results that callers distinguish (CUresult). */
enum {
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NOT_READY = 600,
    CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_CAPTURING_ELSEWHERE = 906, /* the default stream would wait for a stream that is captured */
    CUDA_INVALID_CLUSTER_SIZE = 912,
};

/* ERROR_FAULT: the context is dead. ERROR_DEVICE: so may the GPU be, whatever the kernel. ERROR_DOES_NOT_FIT,
 * ERROR_RESOURCES; ERROR_WORK for everything else. */
enum error_code cuda_result_code(cuda_result result);

/* True on success, else fills in "<doing>: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)". */
bool cuda_check(const struct cuda_library *cuda, cuda_result result, struct error *error, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));

#endif
