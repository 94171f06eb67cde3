/* SPDX-License-Identifier: Apache-2.0 */
/*
 * migrate.h - bring a file's schema up to date, in numbered steps within one transaction.
 */
#ifndef TUNE_DB_MIGRATE_H
#define TUNE_DB_MIGRATE_H

#include "db/connection.h"

/* "tune" in ASCII, to distinguish our files from other SQLite files. */
#define STORE_APPLICATION_ID 0x74756e65

/* Step i leads from version i to version i + 1. */
struct migration {
    const char *sql;
};
extern const struct migration store_migrations[];
extern const size_t store_migration_count; /* also the current version */

/* Statements that make the newest views. */
extern const char tune_schema_views[];

/* The version of an open file; 0: it is empty. Errors: another program's file, a version above `count`. */
bool migrate_version(struct store *store, size_t count, size_t *version, struct error *error);

/* Carry out the missing steps. On failure the file is unchanged. */
bool migrate(struct store *store, const struct migration *migrations, size_t count, struct error *error);

/* The program's own steps, or at once what they come to if the file is empty. Then views can be left out, which are
 * for people (distrust.h). */
bool migrate_to_newest(struct store *store, bool views, struct error *error);

#endif
