/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_settings.h - what a sweep is told, from the command line.
 */
#ifndef TUNE_CLI_SWEEP_SETTINGS_H
#define TUNE_CLI_SWEEP_SETTINGS_H

#include "tuner/cli/subject.h"
#include "tuner/engine/sweep.h"

/* `*parameters`, the strategy's, are for the caller to free. */
bool sweep_settings(const struct options *options, const struct subject *subject, double **parameters,
                    struct sweep_options *settings, struct error *error);

#endif
