/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_read.h - counts that are read back, and the buffers whose extents they decide.
 *
 * A count that an extent depends on is read once, in setup or prepare, whatever the other counts are: then the extent
 * is the same wherever the buffer is used.
 */
#ifndef TUNE_JOB_STEP_READ_H
#define TUNE_JOB_STEP_READ_H

#include "tuner/job/unrolling.h"

bool step_read_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);

/* Allocate the buffers whose extents are known by now and were not before; only prepare does. */
bool step_read_allocate(const struct unrolling *unrolling, struct step_list *list);

#endif
