/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.h - a watch that finds accesses outside of variables and buffers.
 *
 * The instrumented module consults the shadow memory of AddressSanitizer (Serebryany et al., USENIX ATC 2012) before
 * each access. The compiler puts red zones around variables in static shared and constant memory and around local
 * arrays; this watch puts them around every buffer and around the dynamic shared memory of a launch.
 */
#ifndef TUNE_CHECK_BOUNDS_H
#define TUNE_CHECK_BOUNDS_H

#include "tuner/check/watched.h"
#include "tuner/device/cpu/watch.h"

struct bounds;

/* Is the runtime of AddressSanitizer loaded in this process? */
bool bounds_possible(void);

/* Puts red zones around the buffers; they stay until bounds_free. `watched` must outlive the result. */
bool bounds_create(struct watched *watched, struct bounds **result, struct error *error);
/* A late buffer is allocated (validation_kernels.h). */
void bounds_on_allocate(size_t buffer, bool done, void *context);

const struct block_watch *bounds_watch(struct bounds *bounds);
void bounds_free(struct bounds *bounds);

#endif
