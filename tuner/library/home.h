/* SPDX-License-Identifier: Apache-2.0 */
/*
 * home.h - where the shipped templates, spaces and knowledge are, and what is in a folder.
 *
 * Home is what the caller chooses, else the first of these that holds a folder `templates`: $TUNE_HOME;
 * ../share/tune or ../../share/tune beside the program or shared library that this code is in (installed, perhaps in
 * lib/ARCHITECTURE); the folder above (a build inside the source tree); the source tree that it was built from.
 */
#ifndef TUNE_LIBRARY_HOME_H
#define TUNE_LIBRARY_HOME_H

#include "tuner/error/error.h"

/* The home folder, `chosen` (NULL: nobody has chosen) if that holds templates; allocated, NULL and an error if there
 * is none. */
char *home_find(const char *chosen, struct error *error);

/* "folder/name"; allocated, NULL when out of memory. */
char *path_join(const char *folder, const char *name);

bool path_is_folder(const char *path);
bool path_is_file(const char *path);

/* Is this argument a path rather than the name of something shipped? A path contains '/', is "." or "..", or ends
 * with the suffix. */
bool path_is_meant(const char *argument, const char *suffix);

struct names {
    char **list;
    size_t count;
};

/* The sorted names of the folders in `folder` (suffix NULL), or of the files with the suffix, which is left out. A
 * folder that cannot be read has none. Free with names_free. */
bool names_list(const char *folder, const char *suffix, struct names *names, struct error *error);
void names_free(struct names *names);

/* "a, b, c"; allocated, NULL when out of memory. */
char *names_text(const struct names *names);

#endif
