/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/partial_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT = 200, DIGITS = 16 };
static const char ending[] = ".partial";

/* A byte that no file has; SQLite locks others. */
static const off_t locked_byte = (off_t)1 << 62;

/* Locks go with the open file, not with the process: SQLite opens it as well, and closes it. */
static bool lock(int file, off_t start, off_t length)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/* False: somebody who takes it for abandoned is about to remove it. */
static bool keep(int file)
{
    struct stat status;
    return (lock(file, locked_byte, 1) || errno != EAGAIN) && fstat(file, &status) == 0 && status.st_nlink > 0;
}

static int create_named(int folder, const char *name, mode_t mode)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file < 0 || keep(file))
        return file;
    close(file);
    unlinkat(folder, name, 0);
    errno = EEXIST;
    return -1;
}

int partial_create(int folder, const char *name, mode_t mode, char **partial)
{
    enum { TRIES = 100 };
    int created = -1;
    errno = EEXIST;
    *partial = NULL;
    for (int i = 0; i < TRIES && created < 0 && errno == EEXIST; i++) {
        uint64_t number;
        free(*partial);
        *partial = NULL;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return -1;
        if (asprintf(partial, "%.*s.%0*" PRIx64 "%s", KEPT, name, DIGITS, number, ending) < 0) {
            *partial = NULL;
            errno = ENOMEM;
            return -1;
        }
        created = create_named(folder, *partial, mode);
    }
    return created;
}

static bool is_partial(const char *entry, const char *name)
{
    size_t length = strnlen(name, KEPT);
    if (strncmp(entry, name, length) != 0 || entry[length] != '.')
        return false;
    const char *digits = entry + length + 1;
    return strspn(digits, "0123456789abcdef") == DIGITS && strcmp(digits + DIGITS, ending) == 0;
}

/* Last what tells that there is something to remove. */
static void remove_with_sides(int folder, const char *name)
{
    static const char *const sides[] = {"-journal", "-wal", "-shm", ""};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char *side;
        if (asprintf(&side, "%s%s", name, sides[i]) < 0)
            return;
        unlinkat(folder, side, 0);
        free(side);
    }
}

static void remove_if_abandoned(int folder, const char *name)
{
    struct stat status;
    int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && lock(file, 0, 0))
        remove_with_sides(folder, name);
    close(file);
}

void partial_remove_abandoned(int folder, const char *name)
{
    int opened = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = opened < 0 ? NULL : fdopendir(opened);
    if (!entries) {
        if (opened >= 0)
            close(opened);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (is_partial(entry->d_name, name))
            remove_if_abandoned(folder, entry->d_name);
    }
    closedir(entries);
}
