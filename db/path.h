/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.h - the folders above a database.
 */
#ifndef TUNE_DB_PATH_H
#define TUNE_DB_PATH_H

#include "tuner/error/error.h"

/* Create the missing folders above `path`, accessible only to the user (0700). */
bool path_make_folders(const char *path, struct error *error);

#endif
