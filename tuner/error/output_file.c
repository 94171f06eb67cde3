/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/output_file.h"
#include "tuner/error/partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void clear(struct output_file *file)
{
    if (file->name)
        close(file->folder);
    free(file->path);
    free(file->name);
    free(file->partial);
    *file = (struct output_file){0};
}

static bool fail(struct output_file *file, const char *path, struct error *error)
{
    if (errno == ENOMEM)
        error_out_of_memory(error);
    else
        error_set(error, ERROR_INPUT, "cannot create %s: %s", path, strerror(errno));
    clear(file);
    return false;
}

static bool fail_with(struct output_file *file, int cause, const char *path, struct error *error)
{
    errno = cause;
    return fail(file, path, error);
}

static bool fail_at_link(struct output_file *file, const char *path, struct error *error)
{
    char target[128];
    ssize_t length = readlink(path, target, sizeof target);
    error_set(error, ERROR_INPUT, "cannot create %s: it is a symbolic link, which is not followed", path);
    if (length > 0 && (size_t)length < sizeof target)
        error_hint(error, "it leads to %.*s: name that file, or remove the link", (int)length, target);
    else
        error_hint(error, "name the file that it leads to, or remove it");
    clear(file);
    return false;
}

/* `file` has its folder and name. */
static bool open_partial(struct output_file *file, struct error *error)
{
    struct stat status;
    bool replaces = fstatat(file->folder, file->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (replaces && S_ISDIR(status.st_mode))
        return fail_with(file, EISDIR, file->path, error);
    partial_remove_abandoned(file->folder, file->name);
    mode_t mode = replaces && S_ISREG(status.st_mode) ? status.st_mode & 0666 : 0666;
    int created = partial_create(file->folder, file->name, mode, &file->partial);
    file->stream = created < 0 ? NULL : fdopen(created, "wb");
    if (file->stream)
        return true;
    int cause = errno;
    if (created >= 0) {
        close(created);
        unlinkat(file->folder, file->partial, 0);
    }
    return fail_with(file, cause, file->path, error);
}

/* Split the path and open its folder. */
static bool open_folder(struct output_file *file, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return fail_with(file, *path ? EISDIR : ENOENT, path, error);
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    file->path = strdup(path);
    char *kept = strdup(name);
    int opened = folder && file->path && kept ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    int cause = folder && file->path && kept ? errno : ENOMEM;
    free(folder);
    if (opened < 0) {
        free(kept);
        return fail_with(file, cause, path, error);
    }
    file->folder = opened;
    file->name = kept;
    return true;
}

/* The program's own output that the file is, or -1. */
static int own_output(const struct stat *status)
{
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
        struct stat own;
        if (fstat(i, &own) == 0 && own.st_dev == status->st_dev && own.st_ino == status->st_ino)
            return i;
    }
    return -1;
}

/* Open what is no regular file: it is neither created nor emptied, should it be replaced by one this very moment. */
static int open_special(const char *path)
{
    struct stat status;
    int special = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (special >= 0 && (fstat(special, &status) != 0 || S_ISREG(status.st_mode))) {
        close(special);
        special = -1;
        errno = EEXIST;
    }
    return special;
}

static bool open_in_place(struct output_file *file, const char *path, int own, struct error *error)
{
    file->path = strdup(path);
    if (!file->path)
        return fail_with(file, ENOMEM, path, error);
    int opened = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open_special(path);
    file->stream = opened < 0 ? NULL : fdopen(opened, "wb");
    if (file->stream)
        return true;
    int cause = errno;
    if (opened >= 0)
        close(opened);
    return fail_with(file, cause, path, error);
}

bool output_file_open(struct output_file *file, const char *path, struct error *error)
{
    struct stat link, status;
    *file = (struct output_file){0};
    bool exists = lstat(path, &link) == 0;
    bool is_link = exists && S_ISLNK(link.st_mode);
    bool leads = exists && stat(path, &status) == 0;
    if (leads && S_ISDIR(status.st_mode))
        return fail_with(file, EISDIR, path, error);
    int own = leads && (is_link || !S_ISREG(status.st_mode)) ? own_output(&status) : -1;
    if (own >= 0 || (leads && !S_ISREG(status.st_mode)))
        return open_in_place(file, path, own, error);
    if (is_link)
        return fail_at_link(file, path, error);
    return open_folder(file, path, error) && open_partial(file, error);
}

bool output_file_open_new(struct output_file *file, const char *path, struct error *error)
{
    struct stat status;
    *file = (struct output_file){.is_new = true};
    if (lstat(path, &status) == 0)
        return fail_with(file, EEXIST, path, error);
    return open_folder(file, path, error) && open_partial(file, error);
}

bool output_file_open_in(struct output_file *file, int folder, const char *folder_path, const char *name,
                         struct error *error)
{
    *file = (struct output_file){0};
    char *kept = strdup(name);
    if (!kept || asprintf(&file->path, "%s/%s", folder_path, name) < 0) {
        free(kept);
        file->path = NULL;
        return error_out_of_memory(error);
    }
    file->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    if (file->folder < 0) {
        int cause = errno;
        free(kept);
        return fail_with(file, cause, name, error);
    }
    file->name = kept;
    return open_partial(file, error);
}

/* Some file systems cannot sync, and some can only rename over what is there. */
static bool move_into_place(const struct output_file *file)
{
    int folder = file->folder;
    if (fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != ENOTSUP)
        return false;
    if (!file->is_new)
        return renameat(folder, file->partial, folder, file->name) == 0;
    if (renameat2(folder, file->partial, folder, file->name, RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && linkat(folder, file->partial, folder, file->name, 0) == 0 &&
           unlinkat(folder, file->partial, 0) == 0;
}

bool output_file_close(struct output_file *file, bool done, struct error *error)
{
    bool written = !ferror(file->stream);
    errno = EIO; /* for an earlier failed write; fflush retries it and may set a better reason */
    written = fflush(file->stream) == 0 && written;
    bool placed = done && written && (!file->name || move_into_place(file));
    int cause = errno;
    if (fclose(file->stream) != 0 && placed) {
        cause = errno;
        placed = false;
    }
    if (done && !placed)
        error_set(error, ERROR_SYSTEM, "cannot write %s: %s", file->path, strerror(cause));
    if (file->name && !placed)
        unlinkat(file->folder, file->partial, 0);
    clear(file);
    return placed;
}
