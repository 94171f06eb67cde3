/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_name.h - the names of kernels, which compilers see as C++: k, ns::k, ns::k<64, ns::pair<float, 2>>.
 *
 * They are written into generated code, so nothing that could end an expression there may pass.
 */
#ifndef TUNE_SOURCE_KERNEL_NAME_H
#define TUNE_SOURCE_KERNEL_NAME_H

#include <stdbool.h>

/* Identifiers joined by ::, then template arguments or nothing? */
bool kernel_name_is_valid(const char *name);

/* Can the text be one of several template arguments: no comma outside brackets, each bracket closed? */
bool kernel_name_is_argument(const char *text);

#endif
