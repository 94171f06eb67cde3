/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder.h - a folder that pages are written to: it must be tune's own, since files in it are replaced.
 *
 * A folder is tune's if it holds the file .tune-report. A new or empty folder gets one, and so does a folder with
 * pages of an earlier version, which wrote none. Any other is left alone. The folder stays open: what happens to its
 * path meanwhile, or to links in it, cannot lead a page elsewhere.
 */
#ifndef TUNE_REPORTS_FOLDER_H
#define TUNE_REPORTS_FOLDER_H

#include "tuner/error/error.h"

struct folder {
    int descriptor;
    char *path; /* for messages */
};

/*
 * Open the folder, and create it, with its parents, if need be. Parents may be links. The folder itself may be one
 * only if the user `named` it, not where tune chose the name. Errors, each with a hint: an empty path, a folder that
 * is not tune's, one that cannot be created.
 */
bool folder_open(const char *path, bool named, struct folder *folder, struct error *error);
void folder_close(struct folder *folder); /* also allowed after folder_open has failed */

#endif
