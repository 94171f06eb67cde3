/* SPDX-License-Identifier: Apache-2.0 */
/*
 * toolkit.h - where the CUDA Toolkit's headers are: beside NVRTC, or where the environment says the Toolkit is.
 */
#ifndef TUNE_DEVICE_CUDA_TOOLKIT_H
#define TUNE_DEVICE_CUDA_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The folder of cuda_fp16.h and its like. `library` is NVRTC's, "" if unknown. False: "", there is none. */
bool toolkit_find(const char *library, char *folder, size_t size);

/*
 * What the headers are, as far as that can be told without opening NVRTC, whose version stands for those beside it:
 * what the environment says, and the sizes and times of some headers in each place that it names.
 */
void toolkit_write_stamps(FILE *stream);

/* Call `visit` with each folder of headers beside one in LD_LIBRARY_PATH: compilers must be allowed to read them. */
void toolkit_visit_places(void (*visit)(void *context, const char *folder), void *context);

#endif
