/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h - folders for temporary files that disappear when the work is over, however it ends.
 *
 * A scratch folder is under $TMPDIR (or /tmp) and its owner holds a lock on it. A killed process leaves its folder
 * behind, unlocked; the next process that creates a scratch folder removes it.
 */
#ifndef TUNE_WORKERS_SCRATCH_H
#define TUNE_WORKERS_SCRATCH_H

#include "tuner/error/error.h"

struct scratch {
    char path[512];
    int lock;
};

/* Create an empty folder, and remove those whose owners are gone. */
bool scratch_create(struct scratch *scratch, struct error *error);
void scratch_remove(struct scratch *scratch);

/* Remove a folder and its contents, without following symbolic links. What cannot be removed stays. */
void folder_remove(const char *path);

#endif
