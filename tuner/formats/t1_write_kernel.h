/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_write_kernel.h - the KernelSpecification of a T1 document: the first launch of the default configuration.
 */
#ifndef TUNE_FORMATS_T1_WRITE_KERNEL_H
#define TUNE_FORMATS_T1_WRITE_KERNEL_H

#include "tuner/formats/t1_writing.h"

bool t1_write_kernel(struct t1_writing *writing, json_t *document);

#endif
