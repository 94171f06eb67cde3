/* SPDX-License-Identifier: Apache-2.0 */
/*
 * races.h - a watch that finds races and reads of what nobody wrote.
 */
#ifndef TUNE_CHECK_RACES_H
#define TUNE_CHECK_RACES_H

#include "tuner/check/watched.h"
#include "tuner/device/cpu/watch.h"

struct races;

/* Buffers that are inputs have values, others none. The watch belongs to the races; `watched` must outlive them. */
bool races_create(struct watched *watched, struct races **result, struct error *error);
const struct block_watch *races_watch(struct races *races);
/* False if memory ran out while the kernels ran. */
bool races_complete(const struct races *races);
void races_free(struct races *races);

#endif
