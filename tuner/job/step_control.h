/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_control.h - loops and conditions: unrolled and resolved where all is known beforehand, else steps with steps
 * inside.
 *
 * Swaps are carried out by renaming. Where that is not possible, since it depends on a flag or a count how often or
 * whether they take place, and they do not cancel out, they become steps that exchange the buffers' memory.
 */
#ifndef TUNE_JOB_STEP_CONTROL_H
#define TUNE_JOB_STEP_CONTROL_H

#include "tuner/job/unrolling.h"

bool step_for_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);
bool step_if_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);
bool step_repeat_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);

#endif
