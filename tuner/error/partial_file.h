/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partial_file.h - files that are being written, under names that say so: NAME.RANDOM.partial.
 *
 * A partial file is locked for as long as it is open, so that what a killed program left behind can be told from what
 * another one is writing. Where files cannot be locked, nothing is removed.
 */
#ifndef TUNE_PARTIAL_FILE_H
#define TUNE_PARTIAL_FILE_H

#include "tuner/error/error.h"

#include <sys/types.h>

/* Create one for `name` in an open folder, for writing; its name, which cannot be guessed, is allocated. -1: errno
 * says why not. `name` may be as long as names can be. */
int partial_create(int folder, const char *name, mode_t mode, char **partial);

/* Remove what programs that are gone have left of `name`: partial files of our own that nobody has locked, with what
 * SQLite had beside them. */
void partial_remove_abandoned(int folder, const char *name);

#endif
