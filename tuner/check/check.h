/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - run configurations of a problem under the sanitizers and report what they find.
 *
 * Every configuration is compiled and run twice on the CPU device, at the template's awkward size unless sizes were
 * given: once with AddressSanitizer, array bounds and alignment checks (bounds.h), once with every memory access
 * instrumented (races.h). The second run is skipped if the first found something, because a kernel that corrupts
 * memory makes any further finding doubtful. Kernels run in worker processes, so they can only take down their own.
 *
 * With a GPU the same configurations also run there under compute-sanitizer (sanitizer_tool.h).
 */
#ifndef TUNE_CHECK_CHECK_H
#define TUNE_CHECK_CHECK_H

#include "tuner/check/check_report.h"
#include "tuner/space/problem.h"

#include <signal.h>

struct check_plan {
    const size_t *list; /* configurations */
    size_t count;
    uint64_t seed;   /* of the inputs */
    bool awkward;    /* use the awkward size where the configuration is valid there */
    unsigned jobs;   /* configurations at a time; 0: one for each processor */
    bool unconfined; /* workers may do what this process may (confinement.h) */
    double deadline; /* seconds for one configuration and tool; 0: the default */
    const volatile sig_atomic_t *interrupted;
    void (*progress)(size_t done, size_t count, const struct check_report *report, void *context); /* may be NULL */
    void *context;
};

/* Check on the CPU device, for which `problem` was created. False: nothing can be checked, or interrupted. */
bool check_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
               struct error *error);

#endif
