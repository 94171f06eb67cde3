/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visited.h - the files that a scan has read, numbered in the order in which it met them.
 *
 * A file is its inode and that of its folder, by whatever path. So a link in another folder is another file: what it
 * includes may lie beside it there.
 */
#ifndef TUNE_SOURCE_VISITED_H
#define TUNE_SOURCE_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct visited_file {
    dev_t folder_device, device;
    ino_t folder_node, node;
};

struct visited_folder {
    char *path; /* with its slash; "": the working directory */
    dev_t device;
    ino_t node;
};

/* All zero: none yet. */
struct visited {
    struct visited_file *files;
    size_t count, capacity;
    struct visited_folder *folders; /* that files were looked for in */
    size_t folder_count;
};

/* The length of the part of a path that names the folder, with its slash. */
size_t visited_folder_length(const char *path);

/* Which file is at this path, given its status? False: out of memory. */
bool visited_identify(struct visited *visited, const char *path, const struct stat *status,
                      struct visited_file *file);

/* The number of a file; SIZE_MAX: it was not read. */
size_t visited_number(const struct visited *visited, const struct visited_file *file);

/* Give a file that has none the next number. False: out of memory. */
bool visited_add(struct visited *visited, const struct visited_file *file);

void visited_clear(struct visited *visited);

#endif
