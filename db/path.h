/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.h - the folders that a database is kept in.
 */
#ifndef TUNE_DB_PATH_H
#define TUNE_DB_PATH_H

#include "tuner/error/error.h"

/* Make the folders above `path` that are missing, for the user alone (0700). */
bool path_make_folders(const char *path, struct error *error);

#endif
