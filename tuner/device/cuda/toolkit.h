/* SPDX-License-Identifier: Apache-2.0 */
/*
 * toolkit.h - where the CUDA Toolkit's headers and its device run-time library are: beside NVRTC, or where the
 * environment says the Toolkit is.
 */
#ifndef TUNE_DEVICE_CUDA_TOOLKIT_H
#define TUNE_DEVICE_CUDA_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The folder of cuda_fp16.h and its like. `library` is NVRTC's, "" if unknown. False: "", there is none. */
bool toolkit_find(const char *library, char *folder, size_t size);

/* The file libcudadevrt.a; `library` as above. */
bool toolkit_find_runtime(const char *library, char *path, size_t size);

/* Where libraries are in a Toolkit's folder, from the first place to look on; then NULL. */
extern const char *const toolkit_library_folders[];

/* Where nvJitLink is in NVIDIA's Python packages, from the folder of NVRTC. */
extern const char toolkit_linker_beside[];

/*
 * What the headers and libraries are, as far as that can be told without opening NVRTC, whose version stands for
 * those beside it: what the environment says, and the sizes and times of some files in each place that it names.
 */
void toolkit_write_stamps(FILE *stream);

/* Call `visit` with each folder of headers or of nvJitLink, and each device run-time library, beside a folder in
 * LD_LIBRARY_PATH: compilers must be allowed to read them. */
void toolkit_visit_places(void (*visit)(void *context, const char *path), void *context);

#endif
