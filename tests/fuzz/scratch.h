/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h - a folder in memory for targets that read files, removed when the process exits.
 */
#ifndef TUNE_FUZZ_SCRATCH_H
#define TUNE_FUZZ_SCRATCH_H

#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static char scratch_folder[64];

static inline void scratch_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", scratch_folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", scratch_folder);
}

/* FOLDER/name, in a buffer of PATH_MAX bytes. */
static inline void scratch_path(char *path, const char *name)
{
    if (!scratch_folder[0]) {
        strcpy(scratch_folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/tune-fuzz-XXXXXX" : "/tmp/tune-fuzz-XXXXXX");
        fuzz_require(mkdtemp(scratch_folder) && atexit(scratch_remove) == 0);
    }
    snprintf(path, PATH_MAX, "%s/%s", scratch_folder, name);
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fuzz_require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Allocated. */
static inline uint8_t *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    fuzz_require(file && fseek(file, 0, SEEK_END) == 0);
    long end = ftell(file);
    fuzz_require(end >= 0 && fseek(file, 0, SEEK_SET) == 0);
    *size = (size_t)end;
    uint8_t *bytes = malloc(*size + 1);
    fuzz_require(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

#endif
