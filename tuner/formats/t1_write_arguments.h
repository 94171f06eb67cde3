/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_write_arguments.h - the Arguments of a T1 kernel: what a launch passes, and variables that are uploaded before
 * it.
 */
#ifndef TUNE_FORMATS_T1_WRITE_ARGUMENTS_H
#define TUNE_FORMATS_T1_WRITE_ARGUMENTS_H

#include "tuner/formats/t1_writing.h"

bool t1_write_arguments(struct t1_writing *writing, const struct statement *launch, json_t *kernel);

#endif
