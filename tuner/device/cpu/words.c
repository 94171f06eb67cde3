/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/words.h"

#include "tuner/device/cpu/child.h"
#include "tuner/device/cpu/source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { PAYS_FROM = 9 };    /* kernels; precompiling takes as long as it saves with eight */
enum { ROOM = 256 << 20 }; /* a precompiled header takes tens of megabytes; where space is scarce, kernels need it */

static bool has_room(const char *folder)
{
    struct statvfs space;
    return statvfs(folder, &space) == 0 && (unsigned long long)space.f_bavail * space.f_frsize >= ROOM;
}

static bool write_header(const char *path)
{
    FILE *stream = fopen(path, "we");
    if (!stream)
        return false;
    source_write_words(stream);
    bool written = !ferror(stream);
    if (fclose(stream) == 0 && written)
        return true;
    unlink(path);
    return false;
}

/* After a failure an empty file stays, so that it is not tried again. */
static void precompile(const char *folder, const char **arguments, size_t count, const char *header,
                       const char *precompiled)
{
    int status = -1, nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    arguments[count] = "-o";
    arguments[count + 1] = precompiled;
    arguments[count + 2] = header;
    arguments[count + 3] = NULL;
    bool done = nowhere >= 0 && has_room(folder) && child_run(arguments, folder, nowhere, &status, NULL) &&
                child_succeeded(status);
    if (nowhere >= 0)
        close(nowhere);
    int file = done ? -1 : open(precompiled, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
}

/* The how many-th kernel of the folder is this? A file has a byte for each. 0: unknown. */
static long number_of_kernel(const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/kernels", folder) >= (int)sizeof path)
        return 0;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    long number = file >= 0 && write(file, "+", 1) == 1 ? (long)lseek(file, 0, SEEK_CUR) : 0;
    if (file >= 0)
        close(file);
    return number;
}

bool words_prepare(const char *keep_folder, const char **arguments, size_t count, char *path)
{
    char precompiled[PATH_MAX];
    int length = snprintf(path, PATH_MAX, "%s/cuda_words.hpp", keep_folder);
    if (length < 0 || length >= PATH_MAX ||
        snprintf(precompiled, sizeof precompiled, "%s.gch", path) >= (int)sizeof precompiled)
        return false;
    if (access(precompiled, R_OK) == 0)
        return true;
    if (number_of_kernel(keep_folder) != PAYS_FROM || !write_header(path))
        return false;
    precompile(keep_folder, arguments, count, path, precompiled);
    return access(precompiled, R_OK) == 0;
}
