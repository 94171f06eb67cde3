/* SPDX-License-Identifier: Apache-2.0 */
/*
 * home.h - where the shipped templates, spaces and knowledge lie, and what is there.
 *
 * The first of these that holds a folder `templates`: $TUNE_HOME; ../share/tune beside the program (installed);
 * the folder above the program (a build inside the source tree); the source tree that the program was built from.
 */
#ifndef TUNE_CLI_HOME_H
#define TUNE_CLI_HOME_H

#include "tuner/error/error.h"

/* The home folder; allocated. */
char *home_find(struct error *error);

/* `folder`/`name`; allocated, NULL when out of memory. */
char *path_join(const char *folder, const char *name);

bool path_is_folder(const char *path);
bool path_is_file(const char *path);

/* Is this argument a path rather than the name of something shipped? */
bool path_is_meant(const char *argument, const char *suffix);

/* Sorted names of a folder: its folders (suffix NULL), or its files with the suffix, without the suffix. An
 * unreadable folder has no names. Free with names_free. */
struct names {
    char **list;
    size_t count;
};
bool names_list(const char *folder, const char *suffix, struct names *names, struct error *error);
void names_free(struct names *names);

/* "a, b, c" of the names, at most `size` bytes. */
void names_text(const struct names *names, char *buffer, size_t size);

#endif
