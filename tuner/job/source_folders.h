/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_folders.h - where the compilers of a template read: its folder, the folders of files that it links to, and
 * those that its options name; and the data files. Workers are confined to them (tuner/workers/confinement.h).
 */
#ifndef TUNE_JOB_SOURCE_FOLDERS_H
#define TUNE_JOB_SOURCE_FOLDERS_H

#include "tuner/data/inputs.h"

struct source_folders {
    char **paths; /* absolute, without links */
    size_t count;
};

/* With the data files themselves, not their folders. Free them with source_folders_clear. What does not exist is left
 * out. */
bool source_folders_find(const struct template *template, const struct inputs *inputs, struct source_folders *folders,
                         struct error *error);
/* Add more data files, found as before. */
bool source_folders_add(struct source_folders *folders, const struct inputs *inputs, struct error *error);
void source_folders_clear(struct source_folders *folders);

#endif
