/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_store.h - the database of a sweep: the file itself, or a copy in the node's own storage if the file is on a
 * network file system, or if $TUNE_DB_LOCAL names a folder for it (db/staging.h).
 */
#ifndef TUNE_CLI_SWEEP_STORE_H
#define TUNE_CLI_SWEEP_STORE_H

#include "db/staging.h"
#include "db/store.h"

struct sweep_store {
    struct store *store;
    struct staging *staging; /* NULL: the file itself */
};

/* `path` as in store_default_path. Unless `quiet`, stderr says where a copy is. */
bool sweep_store_open(const char *path, bool quiet, struct sweep_store *opened, struct error *error);

/* Now and then: save the copy. Trouble is told; the end of the sweep tries again. */
void sweep_store_tick(const struct sweep_store *opened);

/* Save the copy, whether the sweep is `done` or has failed, and close the store. Returns `done`, but false if the
 * copy could not be saved; after a failure of the sweep, that is only printed. */
bool sweep_store_close(struct sweep_store *opened, bool done, struct error *error);

#endif
