/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_arguments.h - the Arguments of a T1 kernel as buffers and scalars, with the tolerances of ReferenceArguments.
 */
#ifndef TUNE_FORMATS_T1_ARGUMENTS_H
#define TUNE_FORMATS_T1_ARGUMENTS_H

#include "tuner/formats/t1_members.h"

/* After the parameters and sizes. `kernel` is the KernelSpecification. */
bool t1_read_arguments(struct t1 *t1, const json_t *kernel, struct error *error);

#endif
