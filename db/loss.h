/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loss.h - noticing that the files of an open database were removed, renamed, replaced or overwritten.
 *
 * What is written then goes to files without a name, and is gone when they are closed, without an error of SQLite's.
 * So the names are looked at with the commits: they must lead to the same files as before. If they do not, everything
 * that can still be read through the open files is copied to a new database beside the old one's place, FILE.rescued,
 * and the store refuses to go on. An older copy of the same database that is written over it, in its place, is not
 * noticed.
 */
#ifndef TUNE_DB_LOSS_H
#define TUNE_DB_LOSS_H

#include "db/connection.h"

/* Note which files the database consists of. It has been opened for writing. */
void loss_watch(struct store *store);

/* False if the database is lost. The error says how, and where its rows are now. No transaction is open. */
bool loss_check(struct store *store, struct error *error);

/* The same, but look only if that was last done a second ago or longer. */
bool loss_check_soon(struct store *store, double now, struct error *error);

/* The error of a database that was found lost before. Always returns false. */
bool loss_fail(const struct store *store, struct error *error);

#endif
