/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image.h - what a module will take, read from its ELF file without loading it: memory, and its kernels' static
 * shared memory.
 *
 * __shared__ variables are thread_local, hence the symbols of type STT_TLS (ELF gABI; the Itanium C++ ABI names
 * variables inside functions).
 */
#ifndef TUNE_DEVICE_CPU_IMAGE_H
#define TUNE_DEVICE_CPU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it an untruncated shared object? */
bool image_is_valid(const void *image, size_t bytes);

/* The address space that loading it takes: code, constants, variables. 0: unknown, as it is no module. */
uint64_t image_memory_bytes(const void *image, size_t bytes);

/*
 * Bytes of shared memory of `kernel`: its own variables and all those outside kernels. `kernels` are the names of all
 * kernels of the module. The variables of a template's instances count for each of them. At most INT64_MAX / 2, so
 * that a launch can add its own.
 */
int64_t image_shared_bytes(const void *image, size_t bytes, const char *kernel, const char *const *kernels,
                           size_t kernel_count);

#endif
