/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_sizes.h - tune TEMPLATE --sizes FILE: one sweep for many sizes (engine/set_sweep.h), its progress and result.
 */
#ifndef TUNE_CLI_TUNE_SIZES_H
#define TUNE_CLI_TUNE_SIZES_H

#include "tuner/cli/subject.h"

enum { TUNE_SIZES_CONFIGURATIONS = 8 }; /* by default */

/* The subject has a template, a space, an objective and a device. `*status` becomes 1 if nothing is valid, and
 * `interrupted` if the user asked to stop. */
bool tune_sizes(const struct options *options, struct subject *subject, int interrupted, int *status,
                struct error *error);

#endif
