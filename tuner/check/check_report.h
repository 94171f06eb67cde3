/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_report.h - the result of a check over all its configurations.
 */
#ifndef TUNE_CHECK_CHECK_REPORT_H
#define TUNE_CHECK_CHECK_REPORT_H

#include "tuner/check/diagnostic.h"

enum { CHECK_NOTES = 8, CHECK_NOTE_TEXT = 400 };

struct check_report {
    struct diagnostics diagnostics;
    size_t configurations;                    /* checked */
    size_t refused;                           /* skipped: they exceed the device's limits */
    size_t total;                             /* in the space */
    char notes[CHECK_NOTES][CHECK_NOTE_TEXT]; /* what could not be checked, and why */
    size_t note_count;
    bool lines_noted; /* a note says that lines cannot be resolved */
};

/* Add a note. Line breaks become blanks; notes beyond CHECK_NOTES are dropped. */
void check_note(struct check_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void check_report_clear(struct check_report *report);

#endif
