/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target on every file in the given folders, for builds without libFuzzer.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int run_file(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    int failed = 1;
    FILE *file = fopen(path, "rb");
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size + 1);
    if (file && data && fread(data, 1, size, file) == size) {
        failed = 0;
        LLVMFuzzerTestOneInput(data, size);
    } else {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    }
    free(data);
    if (file)
        fclose(file);
    return failed;
}

static int run_folder(const char *folder, unsigned *files)
{
    int failed = 0;
    char path[4096];
    DIR *directory = opendir(folder);
    if (!directory) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return 1;
    }
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        failed |= run_file(path);
        ++*files;
    }
    closedir(directory);
    return failed;
}

int main(int count, char **folders)
{
    int failed = 0;
    unsigned files = 0;
    for (int i = 1; i < count; i++)
        failed |= run_folder(folders[i], &files);
    printf("%u files\n", files);
    return failed || files == 0;
}
