/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runs.h - runs whose process died.
 */
#ifndef TUNE_DB_RUNS_H
#define TUNE_DB_RUNS_H

#include "db/connection.h"

/* Mark runs that seem to be running as "killed" if their process is gone, as "lost" if they have been silent for long
 * and it cannot be told. */
bool runs_end_orphans(struct store *store, struct error *error);

#endif
