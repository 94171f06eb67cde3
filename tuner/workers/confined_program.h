/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confined_program.h - a program of the user's choice, such as a script that is imported, run with few rights.
 *
 * It may read whatever the user may, since a script loads data from anywhere, but writes to one folder only and has
 * no network, as far as the system's kernel enforces it (confinement.h); files that it writes are bounded to 1 GiB
 * each. It dies with this process.
 */
#ifndef TUNE_WORKERS_CONFINED_PROGRAM_H
#define TUNE_WORKERS_CONFINED_PROGRAM_H

#include "tuner/error/error.h"

struct confined_program {
    char *const *arguments; /* the first is the program, looked for in PATH; NULL ends them */
    const char *folder;     /* that it may write to; also its TMPDIR */
    const char *output;     /* a file there that its output goes to */
    double seconds;         /* after which it is killed */
    bool unconfined;
};

/* Run it to its end. `*status` is from waitpid; `*late`: it was killed for its time. Errors: it cannot be started. */
bool confined_program_run(const struct confined_program *program, int *status, bool *late, struct error *error);

#endif
