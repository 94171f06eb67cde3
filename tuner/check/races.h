/* SPDX-License-Identifier: Apache-2.0 */
/*
 * races.h - a watch that finds data races and reads of memory that was never written.
 */
#ifndef TUNE_CHECK_RACES_H
#define TUNE_CHECK_RACES_H

#include "tuner/check/watched.h"
#include "tuner/device/cpu/watch.h"

struct races;

/* Input buffers count as written, all others as unwritten. `watched` must outlive the result. */
bool races_create(struct watched *watched, struct races **result, struct error *error);
/* A late buffer is allocated (validation_kernels.h). */
void races_on_allocate(size_t buffer, bool done, void *context);

const struct block_watch *races_watch(struct races *races);
/* False if memory ran out while a kernel ran; the diagnostics are then unreliable. */
bool races_complete(const struct races *races);
void races_free(struct races *races);

#endif
