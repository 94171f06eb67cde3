/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knowledge.h - the database as commands open it: with the shipped knowledge in it.
 */
#ifndef TUNE_CLI_KNOWLEDGE_H
#define TUNE_CLI_KNOWLEDGE_H

#include "db/store.h"

/*
 * Open the database at `path` (NULL: the default one) and load what is shipped in db/known. A database that can only
 * be read is opened as it is. A shipped file that cannot be read costs a line on stderr, no more.
 */
bool knowledge_open(const char *path, struct store **store, struct error *error);

#endif
