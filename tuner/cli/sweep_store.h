/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_store.h - the database of a sweep: the file itself, or a copy in the node's own storage if the file is on a
 * network file system, or if $TUNE_DB_LOCAL names a folder for it (db/staging.h).
 */
#ifndef TUNE_CLI_SWEEP_STORE_H
#define TUNE_CLI_SWEEP_STORE_H

#include "db/staging.h"
#include "db/store.h"
#include "tuner/engine/sweep.h"

struct sweep_store {
    struct store *store;
    struct staging *staging; /* NULL: the file itself */
};

/* `path` as in store_default_path. Unless `quiet`, stderr says where a copy is. */
bool sweep_store_open(const char *path, bool quiet, struct sweep_store *opened, struct error *error);

/* What watches a sweep and the database that it writes to. */
struct sweep_watch {
    const struct sweep_store *database;
    sweep_observer *observe;
    void *context;
};

/* Observe a sweep, `context` being a struct sweep_watch: save the copy now and then, and tell its observer. Trouble
 * with the copy is printed; the end of the sweep tries again. */
sweep_observer sweep_watch;

/* Save the copy, whether the sweep is `done` or has failed, and close the store. Returns `done`, but false if the
 * copy could not be saved; after a failure of the sweep, that is only printed. */
bool sweep_store_close(struct sweep_store *opened, bool done, struct error *error);

#endif
