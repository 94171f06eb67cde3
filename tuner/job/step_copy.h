/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_copy.h - copies between buffers, uploads to symbols, and fills, within the extents of their buffers.
 */
#ifndef TUNE_JOB_STEP_COPY_H
#define TUNE_JOB_STEP_COPY_H

#include "tuner/job/unrolling.h"

/* An empty copy becomes no step. */
bool step_copy_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);
bool step_copy_symbol_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);
bool step_fill_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);

#endif
