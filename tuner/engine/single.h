/* SPDX-License-Identifier: Apache-2.0 */
/*
 * single.h - evaluate one configuration outside a sweep (`tune run`).
 */
#ifndef TUNE_ENGINE_SINGLE_H
#define TUNE_ENGINE_SINGLE_H

#include "tuner/workers/crew.h"

#include <signal.h>

struct single_options {
    struct crew_plan crew;                    /* of one compile worker; the device is the problem's */
    uint64_t seed;                            /* of the inputs */
    bool energy;                              /* meter it, where the device can */
    const volatile sig_atomic_t *interrupted; /* set by the caller's signal handler; may be NULL */
};

/* Evaluate configuration `index`. `*from_cache`: its image came from the cache. */
bool evaluate_single(const struct problem *problem, size_t index, const struct single_options *options,
                     struct evaluation *evaluation, bool *from_cache, struct error *error);

#endif
