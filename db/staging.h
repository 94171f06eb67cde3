/* SPDX-License-Identifier: Apache-2.0 */
/*
 * staging.h - a database on a network file system is worked on in the node's own storage.
 *
 * SQLite needs locks and shared memory that network file systems lack or get wrong, and a commit for each row is slow
 * there. So a sweep opens a copy in $TMPDIR, and joins it with the database again (store_merge) every few minutes and
 * at the end: what other jobs have stored meanwhile stays. The new file takes the old one's place at once, by a
 * rename; jobs that do so take turns by a lock on FILE.lock. If the node is lost, so is what was stored since the
 * last time.
 */
#ifndef TUNE_DB_STAGING_H
#define TUNE_DB_STAGING_H

#include "tuner/error/error.h"

struct staging;

enum { STAGING_INTERVAL = 120 }; /* seconds between two times that it is saved */

/* Is this file (or, if there is none yet, the folder that it is to be in) on a network file system? */
bool staging_is_remote(const char *path);

/* Begin with a copy of the database `path`, or of the one that this link leads to, if there is one; else the folders
 * above it are made. `folder`: where, NULL for $TMPDIR or /tmp. */
bool staging_begin(const char *path, const char *folder, struct staging **result, struct error *error);

/* The copy; it may be opened, and need not exist yet. */
const char *staging_path(const struct staging *staging);

/* Put what the copy has into the database. The copy may be open. After an error it is where it was. */
bool staging_save(struct staging *staging, struct error *error);

/* The same, if that was not done for a while. */
bool staging_save_now_and_then(struct staging *staging, struct error *error);

/* Remove the copy, unless the last attempt to save it has failed; NULL is allowed. */
void staging_end(struct staging *staging);

#endif
