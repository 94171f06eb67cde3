/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cubin.h - what a compiled program tells of a kernel without a GPU.
 *
 * A cubin is an ELF file. For each kernel it has a section .text.<kernel>, attributes in .nv.info (registers and
 * stack) and .nv.info.<kernel> (launch bounds, parameters), and .nv.shared.<kernel>, whose size is that of the static
 * shared memory. The attributes are those that NVIDIA's cuobjdump and nvdisasm print as EIATTR_*.
 */
#ifndef TUNE_DEVICE_CUDA_CUBIN_H
#define TUNE_DEVICE_CUDA_CUBIN_H

#include "tuner/error/error.h"

#include <stddef.h>
#include <stdint.h>

struct cubin_kernel {
    int64_t registers;    /* a thread; -1: not told */
    int64_t stack_bytes;  /* a thread, with the functions it calls; spills lie here; -1: not told */
    int64_t shared_bytes; /* static, without what the system reserves for itself */
    int64_t max_threads;  /* of a block by __launch_bounds__; 0: not bounded */
    size_t parameter_count;
};

/* `kernel` is the name in the cubin (mangled). Fails on a cubin that is damaged or has no such kernel. */
bool cubin_kernel(const void *cubin, size_t bytes, const char *kernel, struct cubin_kernel *result,
                  struct error *error);

#endif
