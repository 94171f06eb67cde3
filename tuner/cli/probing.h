/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probing.h - measure what a device can do at best: a sweep over the shipped template `ceilings`, whose
 * configurations are probes. The results are rows like any other; the view `ceilings` makes ceilings of them.
 */
#ifndef TUNE_CLI_PROBING_H
#define TUNE_CLI_PROBING_H

#include "db/store.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/options.h"

#include <signal.h>

struct probing {
    const struct options *options;
    const struct device_choice *device; /* the first of them is probed */
    struct store *store;
    const volatile sig_atomic_t *interrupted;
    bool fresh; /* even if it has been done with this device, driver and compiler */
};

/* Probe the device unless that was done. A line on stderr says so, unless quiet. An interrupted sweep is no error. */
bool probe_device(const struct probing *probing, struct error *error);

/* The same where it costs a second or two and nothing depends on it: after a sweep on a GPU. A failure is a line on
 * stderr. */
void probe_by_the_way(const struct probing *probing);

#endif
