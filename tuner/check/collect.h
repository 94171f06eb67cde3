/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect.h - turn the raw diagnostics that a worker left behind into diagnostics of the report, with file and line.
 */
#ifndef TUNE_CHECK_COLLECT_H
#define TUNE_CHECK_COLLECT_H

#include "tuner/check/check_report.h"

/* In the folder of a check: the module, to resolve locations in it, and the raw diagnostics. */
#define CHECK_MODULE_FILE      "kernel.so"
#define CHECK_DIAGNOSTICS_FILE "diagnostics"

/* What was checked, and by what. */
struct check_origin {
    const char *tool, *path, *size; /* path: of the program */
    const char *configuration;      /* canonical JSON */
    size_t number;                  /* of the configuration */
    const char *folder;
};

/*
 * Add everything in the folder to the report; `*count` is how many raw diagnostics there were. An uninitialised read
 * that also takes part in a race is dropped: which thread came first is an accident.
 */
bool collect_diagnostics(const struct check_origin *origin, struct check_report *report, size_t *count,
                         struct error *error);

/* Add the expression of the template that fails for a configuration. */
bool collect_host_error(const struct check_origin *origin, const struct error *failure, struct check_report *report,
                        struct error *error);

/* Add one that has no location. */
bool collect_text(const struct check_origin *origin, enum diagnostic_kind kind, const char *text,
                  struct check_report *report, struct error *error);

#endif
