/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_files.h - the files beside an imported template: its space, the reference, and a placeholder for the kernel.
 */
#ifndef TUNE_FORMATS_T1_FILES_H
#define TUNE_FORMATS_T1_FILES_H

#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_parts.h"

/* Choose the names: the kernel's file without folders and ending in .cu, and one for the reference that differs. */
bool t1_name_files(const struct t1 *t1, struct t1_import *import, struct error *error);

bool t1_write_space(const struct t1 *t1, struct t1_import *import, struct error *error);

bool t1_write_placeholder(const struct t1 *t1, struct t1_import *import, struct error *error);

#endif
