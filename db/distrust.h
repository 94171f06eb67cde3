/* SPDX-License-Identifier: Apache-2.0 */
/*
 * distrust.h - a database may come from anyone: what is in it is data, and what is no data is not used.
 *
 * - Its triggers do not run, its views are not read and it has no virtual tables: the program's queries use views of
 *   its own, temporary ones with the text of the schema. Its CHECK constraints, defaults and indices may call nothing
 *   with side effects.
 * - Its texts, its statements and the depth of their expressions have limits far below SQLite's.
 * - A query ends: it may take only so many steps, and hand out only so many bytes, as a file of its size can need. A
 *   damaged or forged tree of pages may look like more rows than atoms, and a row be repeated without end.
 */
#ifndef TUNE_DB_DISTRUST_H
#define TUNE_DB_DISTRUST_H

#include "db/connection.h"

/* Take these measures for an open connection, before anything is read. */
bool distrust(struct store *store, struct error *error);

/* The views that the program's own queries use; the schema is up to date. */
bool distrust_views(struct store *store, struct error *error);

/* Look at the size of the file, whose queries may take that much, before the connection leads to a copy. */
void distrust_size(struct store *store);

/* Has the query handed out more bytes than a database of this size can hold? */
bool distrust_bytes(struct store *store, uint64_t bytes);

#endif
