/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.h - a watch that finds accesses outside of variables and buffers.
 *
 * The module's code asks the shadow memory of AddressSanitizer (Serebryany et al., USENIX ATC 2012) before each
 * access. The compiler puts red zones around the variables in static shared and constant memory and around local
 * arrays; this watch puts them around every buffer and around the dynamic shared memory that a launch has.
 */
#ifndef TUNE_CHECK_BOUNDS_H
#define TUNE_CHECK_BOUNDS_H

#include "tuner/check/watched.h"
#include "tuner/device/cpu/watch.h"

struct bounds;

/* Is the run time of AddressSanitizer in this process? */
bool bounds_possible(void);

/* Puts the red zones around the buffers, which stay until bounds_free. */
bool bounds_create(struct watched *watched, struct bounds **result, struct error *error);
const struct block_watch *bounds_watch(struct bounds *bounds);
void bounds_free(struct bounds *bounds);

#endif
