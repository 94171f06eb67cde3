/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cubin.h - facts about a compiled kernel, read without a GPU.
 *
 * A cubin is an ELF file. For each kernel it has a section .text.<kernel>, attributes in .nv.info (registers and
 * stack) and .nv.info.<kernel> (launch bounds, parameters), and .nv.shared.<kernel>, as large as the static shared
 * memory. NVIDIA's cuobjdump and nvdisasm print the attributes as EIATTR_*.
 */
#ifndef TUNE_DEVICE_CUDA_CUBIN_H
#define TUNE_DEVICE_CUDA_CUBIN_H

#include "tuner/error/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CUBIN_PARAMETERS = 256 };

struct cubin_kernel {
    int64_t registers;    /* per thread; -1: unknown */
    int64_t stack_bytes;  /* per thread, including the functions it calls and spills; -1: unknown */
    int64_t shared_bytes; /* static, without what the system reserves for itself */
    int64_t max_threads;  /* per block, by __launch_bounds__; 0: unbounded */
    size_t parameter_count;
    uint16_t parameter_bytes[CUBIN_PARAMETERS]; /* of the first ones; 0: unknown */
};

/* `kernel` is the (mangled) name in the cubin. Fails on a cubin that is damaged or lacks the kernel. */
bool cubin_kernel(const void *cubin, size_t bytes, const char *kernel, struct cubin_kernel *result,
                  struct error *error);

#endif
