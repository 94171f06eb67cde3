/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch_folder.h - a temporary folder for a test, with files written to it.
 */
#ifndef TUNE_TESTS_SCRATCH_FOLDER_H
#define TUNE_TESTS_SCRATCH_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_folder[64];

static inline int scratch_folder_create(void **state)
{
    (void)state;
    snprintf(scratch_folder, sizeof scratch_folder, "/tmp/tune-test-XXXXXX");
    return mkdtemp(scratch_folder) ? 0 : -1;
}

static inline int scratch_remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

/* With all that is in it; not by a command, since tests empty PATH. */
static inline int scratch_remove(const char *folder)
{
    return nftw(folder, scratch_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int scratch_folder_remove(void **state)
{
    (void)state;
    return scratch_remove(scratch_folder);
}

/* The path of a file in the folder; valid until the fourth call from now. */
static inline const char *scratch_path(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder, name);
    return path;
}

/* All that stand before a slash in the path; those that are there stay as they are. */
static inline void scratch_make_folders(const char *path)
{
    char folder[256];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        (void)mkdir(folder, 0700);
    }
}

/* In a folder that is made if it is not there. */
static inline void scratch_write_to(const char *path, const char *text)
{
    scratch_make_folders(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* In any folder. */
static inline void scratch_write_in(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    scratch_write_to(path, text);
}

static inline const char *scratch_write(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    scratch_write_to(path, text);
    return path;
}

static inline const char *scratch_script(const char *name, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", body);
    const char *path = scratch_write(name, text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

#endif
