/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_files.h - the files beside an imported template: its space, the reference, and a placeholder for the kernel.
 */
#ifndef TUNE_FORMATS_T1_FILES_H
#define TUNE_FORMATS_T1_FILES_H

#include "tuner/error/input_file.h"
#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_parts.h"

/* Choose the names: the kernel's file without folders and ending in .cu, and one for the reference that differs. */
bool t1_name_files(const struct t1 *t1, struct t1_import *import, struct error *error);

bool t1_write_space(const struct t1 *t1, struct t1_import *import, struct error *error);

/* The kernel with the configuration `fixed`, and kernels that widen its outputs; nothing if it has no outputs. */
bool t1_write_reference(const struct t1 *t1, const struct value *fixed, struct t1_import *import,
                        struct error *error);

/*
 * Read the kernel's source, which the import will copy: a file in the T1 file's folder or below, under the name that
 * the T1 file gives or, where that leads elsewhere, under its last part. A T1 file is a stranger's: what it names is
 * only read if it is a regular file with the ending of a source, and lies there also when links are followed. Where
 * there is none, `source->state` is INPUT_ABSENT. The caller frees the bytes.
 */
bool t1_read_kernel(const char *t1_path, const char *kernel_file, struct input_file *source, struct error *error);

bool t1_write_placeholder(const struct t1 *t1, struct t1_import *import, struct error *error);

#endif
