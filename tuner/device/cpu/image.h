/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image.h - what a compiled module's bytes tell without loading it: how much static shared memory its kernels have.
 *
 * __shared__ variables are thread_local, so they are the symbols of type STT_TLS (ELF gABI; Itanium C++ ABI for the
 * names of variables inside functions).
 */
#ifndef TUNE_DEVICE_CPU_IMAGE_H
#define TUNE_DEVICE_CPU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it a whole ELF file for this machine? */
bool image_is_valid(const void *image, size_t bytes);

/*
 * Bytes of shared memory of `kernel`: its own variables, and all those outside of kernels. `kernels` are the names of
 * the module's kernels.
 */
int64_t image_shared_bytes(const void *image, size_t bytes, const char *kernel, const char *const *kernels,
                           size_t kernel_count);

#endif
