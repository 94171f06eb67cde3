/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char marker[] = ".tune-report";

/* How the pages of versions without the marker begin, after their policy. */
static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';";
static const struct {
    const char *file, *title, *heading;
} pages[] = {
    {"index.html", "<title>tune</title>", "<h1>Best configurations</h1>"},
    {"index.html", "<title>tune</title>", "<h1>What is fastest, and where</h1>"},
    {"simulation.html", "<title>How search strategies compare</title>", "<h1>How search strategies compare</h1>"},
};

static bool hint(bool named, struct error *error)
{
    return named ? error_hint(error, "name a new or an empty folder with -o, or put a file %s into this one", marker)
                 : error_hint(error, "tune report -o FOLDER writes the report elsewhere");
}

static bool fail(const char *path, bool named, int cause, struct error *error)
{
    if (cause == ELOOP)
        error_set(error, ERROR_SYSTEM, "the report folder %s is a symbolic link, which is not followed", path);
    else
        error_set(error, ERROR_SYSTEM, "cannot create the report folder %s: %s", path, strerror(cause));
    return named ? error_hint(error, "choose another folder with -o") : hint(named, error);
}

/* Whether `path` is a folder now; if not, errno says why. */
static bool make_one(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST || stat(path, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode);
}

/* Make the folders above `path`, which is not empty. */
static bool make_parents(const char *path, bool named, struct error *error)
{
    char *parent = strdup(path);
    if (!parent)
        return error_out_of_memory(error);
    bool made = true;
    for (char *slash = strchr(parent + 1, '/'); made && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = make_one(parent) || fail(parent, named, errno, error);
        *slash = '/';
    }
    free(parent);
    return made;
}

static bool open_folder(const char *path, bool named, struct folder *folder, struct error *error)
{
    struct stat status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(path, named, errno, error);
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (named ? 0 : O_NOFOLLOW);
    folder->descriptor = open(path, flags);
    if (folder->descriptor >= 0)
        return true;
    int cause = errno;
    bool is_link = !named && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    return fail(path, named, is_link ? ELOOP : cause, error);
}

static bool is_marked(const struct folder *folder)
{
    struct stat status;
    return fstatat(folder->descriptor, marker, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

static bool is_empty(const struct folder *folder)
{
    int copy = openat(folder->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy < 0 ? NULL : fdopendir(copy);
    if (!directory) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    bool empty = true;
    for (const struct dirent *entry; empty && (entry = readdir(directory));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(directory);
    return empty;
}

/* The beginning of a page, past its style. */
static char *page_beginning(const struct folder *folder, const char *name)
{
    enum { MOST = 64 << 10 };
    char *text = malloc(MOST + 1);
    int file = openat(folder->descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t length = text && file >= 0 ? pread(file, text, MOST, 0) : -1;
    if (file >= 0)
        close(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* An earlier version's folder, which has no marker. */
static bool has_pages(const struct folder *folder)
{
    bool found = false;
    for (size_t i = 0; i < sizeof pages / sizeof *pages && !found; i++) {
        char *text = page_beginning(folder, pages[i].file);
        found = text && strstr(text, pages[i].title) && strstr(text, pages[i].heading) && strstr(text, policy);
        free(text);
    }
    return found;
}

static bool mark(const struct folder *folder, struct error *error)
{
    static const char text[] =
        "The pages in this folder are written by tune, and replaced when they are written anew.\n";
    int file = openat(folder->descriptor, marker, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST && is_marked(folder)) /* another tune was faster */
        return true;
    bool written = file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    int cause = errno;
    if (file >= 0)
        close(file);
    return written ||
           error_set(error, ERROR_SYSTEM, "cannot create %s/%s: %s", folder->path, marker, strerror(cause));
}

static bool claim(const struct folder *folder, bool named, struct error *error)
{
    if (is_marked(folder))
        return true;
    if (is_empty(folder) || has_pages(folder))
        return mark(folder, error);
    error_set(error, ERROR_INPUT, "the folder %s holds files that are not of a report; nothing was written to it",
              folder->path);
    return hint(named, error);
}

bool folder_open(const char *path, bool named, struct folder *folder, struct error *error)
{
    *folder = (struct folder){.descriptor = -1};
    if (!path[0]) {
        error_set(error, ERROR_INPUT, "the path of the report folder is empty");
        return error_hint(error, "name a folder with -o");
    }
    folder->path = strdup(path);
    if (!folder->path)
        return error_out_of_memory(error);
    if (make_parents(path, named, error) && open_folder(path, named, folder, error) && claim(folder, named, error))
        return true;
    folder_close(folder);
    return false;
}

void folder_close(struct folder *folder)
{
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    free(folder->path);
    *folder = (struct folder){.descriptor = -1};
}
