/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_memory.h - the memory that the examples launch with: a GPU's if they are compiled with -DWITH_CUDA, else
 * that of the CPU device, which is the program's own. libtune needs neither CUDA's headers nor its runtime; it takes
 * the pointers that a program has anyway.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include <stddef.h>

#ifdef WITH_CUDA
#include <cuda_runtime_api.h>

static const char *const device_name = "cuda:0";

static inline void *device_new(size_t bytes) /* NULL: there is no room */
{
    void *memory = NULL;
    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : NULL;
}

static inline void device_free(void *memory)
{
    cudaFree(memory);
}

/* To the device or from it, when all that was launched before has ended. */
static inline int device_copy(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess;
}

static inline int device_wait(void)
{
    return cudaDeviceSynchronize() == cudaSuccess;
}
#else
#include <stdlib.h>
#include <string.h>

static const char *const device_name = "cpu:0";

static inline void *device_new(size_t bytes) /* as aligned as that of a GPU, for vector loads */
{
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static inline void device_free(void *memory)
{
    free(memory);
}

static inline int device_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 1;
}

static inline int device_wait(void) /* launches end before they return */
{
    return 1;
}
#endif

#endif
