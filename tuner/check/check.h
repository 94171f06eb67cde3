/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - run configurations of a problem under the sanitizers and gather what they find.
 *
 * Every configuration is compiled and run twice on the CPU device, at the template's awkward size unless sizes were
 * given: once with AddressSanitizer and the bounds of arrays (bounds.h), once with every access of every thread
 * announced (races.h). The second is left out where the first found something, for a kernel that writes where it must
 * not makes any other finding doubtful. Kernels run in worker processes: what they destroy is theirs.
 *
 * On a GPU the same configurations run under compute-sanitizer (sanitizer_tool.h) besides.
 */
#ifndef TUNE_CHECK_CHECK_H
#define TUNE_CHECK_CHECK_H

#include "tuner/check/flaw.h"
#include "tuner/space/problem.h"

#include <signal.h>

enum { CHECK_NOTES = 8, CHECK_NOTE_TEXT = 400 };

struct check_report {
    struct flaws flaws;
    size_t configurations;                    /* checked */
    size_t refused;                           /* left out: they need more than the device has */
    size_t total;                             /* of the problem */
    char notes[CHECK_NOTES][CHECK_NOTE_TEXT]; /* what could not be checked, and why */
    size_t note_count;
};

struct check_plan {
    const size_t *list; /* configurations */
    size_t count;
    uint64_t seed;   /* of the inputs */
    bool awkward;    /* at the awkward size where the configuration is valid there */
    unsigned jobs;   /* configurations at a time; 0: as many as there are processors */
    double deadline; /* seconds for one configuration and tool; 0: the default */
    const volatile sig_atomic_t *interrupted;
    void (*progress)(size_t done, size_t count, const struct check_report *report, void *context); /* may be NULL */
    void *context;
};

/* Check on the CPU device, which `problem` is made for. False: nothing can be checked, or the caller interrupted. */
bool check_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
               struct error *error);

void check_note(struct check_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void check_report_clear(struct check_report *report);

#endif
