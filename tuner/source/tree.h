/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - all files below a folder, as far as they may be read by a compiler.
 *
 * Left out are what is no source whatever it holds: hidden files and folders, templates and spaces (`*.template`,
 * `*.space`: they have hashes of their own), and SQLite databases with their journals, which change while tune works.
 * Links are followed, but not into a folder that contains them.
 */
#ifndef TUNE_SOURCE_TREE_H
#define TUNE_SOURCE_TREE_H

#include "tuner/error/error.h"

#include <sys/stat.h>

enum { TREE_FILES_MOST = 16384 };

/* Called with each regular file: its path, and the path from the folder on. False: stop. */
typedef bool tree_visitor(void *context, const char *path, const char *name, const struct stat *status,
                          struct error *error);

/* Visit the files in the order of their names. False, with an error: the folder has more than TREE_FILES_MOST of
 * them, it cannot be read, or the visitor stopped. A folder that does not exist has none. */
bool tree_visit(const char *folder, tree_visitor *visit, void *context, struct error *error);

#endif
