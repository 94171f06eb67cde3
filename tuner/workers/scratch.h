/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h - folders for temporary files that are gone when the work is over, however it ended.
 *
 * A scratch folder lies under $TMPDIR (or /tmp) and its owner holds a lock on it. A process that was killed leaves
 * its folder behind without the lock; the next one to make a scratch folder removes it.
 */
#ifndef TUNE_WORKERS_SCRATCH_H
#define TUNE_WORKERS_SCRATCH_H

#include "tuner/error/error.h"

struct scratch {
    char path[512];
    int lock;
};

/* Make an empty folder, and remove those whose owners are gone. */
bool scratch_create(struct scratch *scratch, struct error *error);
void scratch_remove(struct scratch *scratch);

/* Remove a folder and all in it; symbolic links are not followed. What cannot be removed stays. */
void folder_remove(const char *path);

#endif
