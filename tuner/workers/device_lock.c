/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/device_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

const char device_lock_folder[] = "/tmp/tune-locks";

enum { GATE, DEVICE, FILES };

struct device_lock {
    int folder;
    char names[FILES][96];
    int files[FILES];
    bool held[FILES];
};

static const char *const suffixes[FILES] = {"gate", "device"};

/* A folder in which anyone may make files and nobody may remove another's. */
static int open_folder(const char *path)
{
    enum { SHARED = S_ISVTX | S_IRWXU | S_IRWXG | S_IRWXO };
    if (mkdir(path, SHARED) != 0 && errno != EEXIST)
        return -1;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    /* The creation mask took bits away, or the folder's maker was ended before it could give them back. */
    if (folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
        (status.st_mode & SHARED) != SHARED)
        (void)fchmod(folder, SHARED); /* then it serves this user alone */
    return folder;
}

/*
 * A file of that name, made if there is none. Reading is enough to lock it, so another user's file does; but it is
 * opened without O_CREAT first, which sticky folders refuse for other users' files (fs.protected_regular).
 */
static int open_or_make(int folder, const char *name)
{
    enum { EVERYONE_READS = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH };
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 || errno != ENOENT)
        return file;
    file = openat(folder, name, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, EVERYONE_READS);
    if (file >= 0)
        (void)fchmod(file, EVERYONE_READS); /* whatever the creation mask says */
    return file;
}

static int open_file(int folder, const char *name)
{
    /* Another process may make or remove it between two steps, or not have let everyone read it yet. */
    enum { ATTEMPTS = 10 };
    const struct timespec pause = {.tv_nsec = 1000000};
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++) {
        file = open_or_make(folder, name);
        if (file < 0 && errno != EEXIST && errno != EACCES && errno != ENOENT)
            return -1;
        if (file < 0)
            nanosleep(&pause, NULL);
    }
    struct stat status;
    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(file);
        errno = EINVAL;
        return -1;
    }
    return file;
}

bool device_lock_create(const char *folder, const char *uuid, struct device_lock **result, struct error *error)
{
    struct device_lock *lock = calloc(1, sizeof *lock);
    if (!lock)
        return error_out_of_memory(error);
    lock->folder = lock->files[GATE] = lock->files[DEVICE] = -1;
    for (int i = 0; i < FILES; i++) {
        snprintf(lock->names[i], sizeof lock->names[i], "%.80s.%s", uuid, suffixes[i]);
        for (char *c = lock->names[i]; *c; c++) {
            if (*c == '/')
                *c = '_';
        }
    }
    lock->folder = open_folder(folder);
    for (int i = 0; lock->folder >= 0 && i < FILES; i++)
        lock->files[i] = open_file(lock->folder, lock->names[i]);
    if (lock->files[GATE] < 0 || lock->files[DEVICE] < 0) {
        const char *why = errno == ELOOP || errno == EINVAL || errno == ENXIO ? "there is something else of that name"
                                                                              : strerror(errno);
        error_set(error, ERROR_SYSTEM, "cannot make the lock of device %s in %s: %s", uuid, folder, why);
        device_lock_free(lock);
        return false;
    }
    *result = lock;
    return true;
}

void device_lock_free(struct device_lock *lock)
{
    if (!lock)
        return;
    for (int i = 0; i < FILES; i++) {
        if (lock->files[i] >= 0)
            close(lock->files[i]); /* which unlocks it */
    }
    if (lock->folder >= 0)
        close(lock->folder);
    free(lock);
}

static bool is_removed(const struct device_lock *lock, int which)
{
    struct stat status;
    return fstat(lock->files[which], &status) == 0 && status.st_nlink == 0;
}

/* A clean-up of old temporary files may have removed it: then other processes lock another file of this name. */
static bool is_current(struct device_lock *lock, int which)
{
    if (!is_removed(lock, which))
        return true;
    int file = open_file(lock->folder, lock->names[which]);
    if (file < 0)
        return true; /* the folder is gone as well: nobody else can have a lock here */
    close(lock->files[which]);
    lock->files[which] = file;
    return false;
}

static bool take(struct device_lock *lock, int which)
{
    while (!lock->held[which]) {
        if (flock(lock->files[which], LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK)
                return false;
            if (errno == EINTR)
                continue;
            /* The file system has no locks: better a timing without a lock than none. */
        }
        lock->held[which] = is_current(lock, which);
    }
    return true;
}

/* ---- who has it */

/* The process of a line of /proc/locks, "1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF", if it is about the file.
 */
static pid_t locker(const char *line, const struct stat *file)
{
    int pid;
    unsigned major_number, minor_number;
    unsigned long long inode;
    if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%llu", &pid, &major_number, &minor_number, &inode) != 4 ||
        inode != file->st_ino || makedev(major_number, minor_number) != file->st_dev)
        return 0;
    return (pid_t)pid;
}

static void read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file && fgets(text, (int)size, file))
        text[strcspn(text, "\n")] = '\0';
    if (file)
        fclose(file);
}

static void describe(struct lock_holder *holder)
{
    enum { ROOM = 4096 };
    char path[64], names[ROOM];
    struct stat status;
    struct passwd user, *found = NULL;
    snprintf(path, sizeof path, "/proc/%d", (int)holder->pid);
    if (stat(path, &status) != 0)
        return;
    if (getpwuid_r(status.st_uid, &user, names, sizeof names, &found) == 0 && found)
        snprintf(holder->user, sizeof holder->user, "%s", found->pw_name);
    else
        snprintf(holder->user, sizeof holder->user, "%u", (unsigned)status.st_uid);
    snprintf(path, sizeof path, "/proc/%d/comm", (int)holder->pid);
    read_line(path, holder->command, sizeof holder->command);
}

struct lock_holder device_lock_holder(const struct device_lock *lock)
{
    struct lock_holder holder = {0};
    char line[256];
    struct stat status;
    FILE *locks = fopen("/proc/locks", "re");
    if (locks && fstat(lock->files[lock->held[GATE] ? DEVICE : GATE], &status) == 0) {
        while (holder.pid == 0 && fgets(line, sizeof line, locks))
            holder.pid = locker(line, &status);
    }
    if (locks)
        fclose(locks);
    if (holder.pid > 0)
        describe(&holder);
    return holder;
}

static void let_go(struct device_lock *lock, int which)
{
    if (lock->held[which])
        (void)flock(lock->files[which], LOCK_UN);
    lock->held[which] = false;
}

bool device_lock_attempt(struct device_lock *lock)
{
    if (lock->held[DEVICE])
        return true;
    if (!take(lock, GATE) || !take(lock, DEVICE))
        return false;
    let_go(lock, GATE);
    return true;
}

bool device_lock_contended(struct device_lock *lock)
{
    if (!lock)
        return false;
    if (is_removed(lock, DEVICE) || !take(lock, GATE))
        return true;
    let_go(lock, GATE);
    return false;
}

void device_lock_release(struct device_lock *lock)
{
    if (!lock)
        return;
    let_go(lock, DEVICE);
    let_go(lock, GATE);
}
