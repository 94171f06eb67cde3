/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knowledge.h - open the database for a command, with the shipped knowledge loaded.
 */
#ifndef TUNE_CLI_KNOWLEDGE_H
#define TUNE_CLI_KNOWLEDGE_H

#include "db/store.h"

/*
 * Open the database at `path` (NULL: the default one) and load the files of db/known into it. If it has them already,
 * or is read-only, it is opened for reading alone. A shipped file that cannot be loaded is reported on stderr and
 * otherwise ignored. Where there is no database none is made: one that `path` names is an error, and in place of the
 * default one there is a private one.
 */
bool knowledge_open(const char *path, struct store **store, struct error *error);

/* Open it to read what it has itself: nothing is loaded, and one that is missing is an error. */
bool knowledge_open_unloaded(const char *path, struct store **store, struct error *error);

/* Open or create it to store results; nothing is loaded. */
bool knowledge_open_to_write(const char *path, struct store **store, struct error *error);

/* The same for questions about one template (NULL: about all): of the shipped files only its own and those of the
 * probes are loaded. What is stored is brought in line with the metrics that the template defines now; a database
 * that cannot be written keeps the values that it has, with a warning. One that `path` names need not be there: what
 * came with tune may answer, and stderr says so. */
struct template;
bool knowledge_open_for(const struct template *template, const char *path, struct store **store, struct error *error);

#endif
