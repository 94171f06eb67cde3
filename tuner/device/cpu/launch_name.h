/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_name.h - the kernel that a launch in a source names: `ns::scan` of ns::scan<int, 4><<<...>>>(...).
 */
#ifndef TUNE_DEVICE_CPU_LAUNCH_NAME_H
#define TUNE_DEVICE_CPU_LAUNCH_NAME_H

#include <stddef.h>

/* The name that ends before `at`, the place of the <<<; `start` is where the text begins. Template arguments may
 * stand between. `*length` is 0 if there is no name. */
const char *launch_name(const char *start, const char *at, size_t *length);

#endif
