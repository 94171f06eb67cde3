/* SPDX-License-Identifier: Apache-2.0 */
/*
 * distrust.h - a database may come from anyone: what is in it is data, and what is no data is not used.
 *
 * - Its triggers do not run, its views are not read and it has no virtual tables: queries that read a view begin with
 *   the program's own text of it. Its CHECK constraints, defaults and indices may call nothing with side effects.
 * - Its texts, its statements and the depth of their expressions have limits far below SQLite's.
 * - A query ends: it may take only so many steps, and hand out only so many bytes, as a file of its size can need. A
 *   damaged or forged tree of pages may look like more rows than atoms, and a row be repeated without end.
 */
#ifndef TUNE_DB_DISTRUST_H
#define TUNE_DB_DISTRUST_H

#include "db/connection.h"

/* Take these measures for an open connection, before anything is read. */
bool distrust(struct store *store, struct error *error);

/* The text of a query that reads the view `name` as the program has it. Allocated; NULL: out of memory. */
char *distrust_view(const char *name, const char *query);

/* Look at the size of the file, whose queries may take that much, before the connection leads to a copy. */
void distrust_size(struct store *store);

/* Has the query handed out more bytes than a database of this size can hold? */
bool distrust_bytes(struct store *store, uint64_t bytes);

#endif
