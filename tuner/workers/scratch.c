/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "tune-scratch-";

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status, (void)kind, (void)position;
    (void)remove(path); /* keep going: the rest may still be removable */
    return 0;
}

void folder_remove(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    (void)nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] == '/' ? folder : "/tmp";
}

/* Lock the folder; -1: it is gone, not ours, or locked by another process. */
static int lock_folder(int parent, const char *name)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -1;
    struct stat status;
    if (fstat(folder, &status) != 0 || status.st_uid != geteuid() || flock(folder, LOCK_EX | LOCK_NB) != 0) {
        int reason = errno;
        close(folder);
        errno = reason;
        return -1;
    }
    return folder;
}

static void remove_abandoned(void)
{
    DIR *parent = opendir(temporary_folder());
    if (!parent)
        return;
    for (struct dirent *entry; (entry = readdir(parent));) {
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        int lock = lock_folder(dirfd(parent), entry->d_name);
        if (lock < 0)
            continue;
        char path[512];
        int length = snprintf(path, sizeof path, "%s/%s", temporary_folder(), entry->d_name);
        if (length > 0 && (size_t)length < sizeof path)
            folder_remove(path);
        close(lock);
    }
    closedir(parent);
}

bool scratch_create(struct scratch *scratch, struct error *error)
{
    remove_abandoned();
    scratch->lock = -1;
    /* Until it is locked, another process may take the new folder for an abandoned one and remove it: try again. */
    for (int attempt = 0; attempt < 8; attempt++) {
        int length = snprintf(scratch->path, sizeof scratch->path, "%s/%sXXXXXX", temporary_folder(), prefix);
        if (length < 0 || (size_t)length >= sizeof scratch->path)
            return error_set(error, ERROR_INPUT, "the path in $TMPDIR is too long");
        if (!mkdtemp(scratch->path)) {
            scratch->path[0] = '\0';
            error_set(error, ERROR_SYSTEM, "cannot create a folder in %s: %s", temporary_folder(), strerror(errno));
            return error_hint(error, "set TMPDIR to a writable folder with free space");
        }
        scratch->lock = lock_folder(AT_FDCWD, scratch->path);
        if (scratch->lock < 0 && errno != EWOULDBLOCK && errno != ENOENT)
            return true; /* a file system without locks: no one can mistake the folder for abandoned either */
        struct stat status;
        if (scratch->lock >= 0 && fstat(scratch->lock, &status) == 0 && status.st_nlink > 0)
            return true;
        if (scratch->lock >= 0)
            close(scratch->lock);
        folder_remove(scratch->path);
    }
    return error_set(error, ERROR_SYSTEM, "cannot lock a folder in %s", temporary_folder());
}

void scratch_remove(struct scratch *scratch)
{
    if (!scratch->path[0])
        return;
    folder_remove(scratch->path);
    if (scratch->lock >= 0)
        close(scratch->lock);
    scratch->path[0] = '\0';
}
