/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_beside.h - the files that a T1 file names: the kernel's source, and data.
 *
 * They are looked for in the T1 file's folder or below, under the name that it gives or, where that leads elsewhere,
 * under the name's last part. A T1 file is a stranger's: what it names is only read if it is a regular file with the
 * ending of a source, or of data, and lies there also when links are followed.
 */
#ifndef TUNE_FORMATS_T1_BESIDE_H
#define TUNE_FORMATS_T1_BESIDE_H

#include "tuner/error/input_file.h"

/* Where there is none, `source->state` is INPUT_ABSENT and `*path` NULL. The caller frees the path and the bytes. */
bool t1_beside_source(const char *t1_path, const char *kernel_file, char **path, struct input_file *source,
                      struct error *error);

/* A .npy file, or raw bytes (.bin, .raw, .dat), which is not read. `*path`, allocated, is NULL where there is none.
 */
bool t1_beside_data(const char *t1_path, const char *data_source, char **path, struct error *error);

#endif
