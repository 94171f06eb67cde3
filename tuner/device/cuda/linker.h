/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linker.h - links a cubin whose kernels launch kernels with CUDA's device run-time library (libcudadevrt.a), by
 * nvJitLink.
 *
 * A plain cubin is complete, and most are. One that calls the run-time library has to be compiled as relocatable code
 * (-rdc=true) and linked, which costs time and may cost speed, so it is done only where NVRTC misses the library.
 */
#ifndef TUNE_DEVICE_CUDA_LINKER_H
#define TUNE_DEVICE_CUDA_LINKER_H

#include "tuner/device/cuda/library.h"

#include <limits.h>

struct linker {
    struct jitlink_library library;
    char runtime[PATH_MAX]; /* libcudadevrt.a */
};

struct linked {
    void *cubin; /* NULL: it cannot be linked, and `log` says why; free() it */
    size_t bytes;
    char *log; /* the linker's messages, "" if none; free() it */
};

/* Does NVRTC's log say that what is missing is declared for relocatable code only? */
bool linker_is_missed(const char *log);

/* What belongs to this NVRTC. False: it is not installed; the hint says what to do. */
bool linker_open(struct linker *linker, const struct nvrtc_library *nvrtc, struct error *error);
void linker_close(struct linker *linker);

/* Link relocatable code for `architecture` ("sm_90"). `name` stands for it in messages. False: the linker itself does
 * not work. */
bool linker_run(const struct linker *linker, const char *architecture, const char *name, const void *cubin,
                size_t bytes, struct linked *linked, struct error *error);

#endif
