/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder being read, and those that contain it. */
struct level {
    const struct level *above;
    dev_t device;
    ino_t node;
};

struct walk {
    const char *folder;
    tree_visitor *visit;
    void *context;
    size_t files;
    struct error *error;
};

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    bool same = read(file, start, sizeof start) == (ssize_t)sizeof start && memcmp(start, magic, sizeof magic) == 0;
    close(file);
    return same;
}

static bool is_left_out(const char *path)
{
    static const char *const endings[] = {".template", ".space", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(path, endings[i]))
            return true;
    }
    return is_database(path);
}

static bool is_inside_itself(const struct level *level, const struct stat *status)
{
    for (; level; level = level->above) {
        if (level->device == status->st_dev && level->node == status->st_ino)
            return true;
    }
    return false;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool visit_folder(struct walk *walk, const char *path, const struct level *above);

static bool visit_entry(struct walk *walk, const char *path, const struct level *level)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return true; /* a link to nothing, or it has just gone */
    if (S_ISDIR(status.st_mode))
        return is_inside_itself(level, &status) || visit_folder(walk, path, level);
    if (!S_ISREG(status.st_mode) || is_left_out(path))
        return true;
    if (++walk->files > TREE_FILES_MOST)
        return error_set(walk->error, ERROR_INPUT, "%s holds more than %d files", walk->folder, TREE_FILES_MOST);
    const char *name = path + strlen(walk->folder);
    return walk->visit(walk->context, path, name + (*name == '/'), &status, walk->error);
}

static bool visit_named(struct walk *walk, const char *folder, const char *name, const struct level *level)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(walk->error);
    bool done = visit_entry(walk, path, level);
    free(path);
    return done;
}

/* The same order everywhere, whatever the language. */
static int compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool visit_folder(struct walk *walk, const char *path, const struct level *above)
{
    struct dirent **entries = NULL;
    struct stat status = {0};
    if (stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return true;
    const struct level level = {above, status.st_dev, status.st_ino};
    int count = scandir(path, &entries, is_visible, compare);
    if (count < 0)
        return errno == ENOMEM
                   ? error_out_of_memory(walk->error)
                   : error_set(walk->error, ERROR_INPUT, "cannot read the folder %s: %s", path, strerror(errno));
    bool done = true;
    for (int i = 0; i < count; i++) {
        done = done && visit_named(walk, path, entries[i]->d_name, &level);
        free(entries[i]);
    }
    free(entries);
    return done;
}

bool tree_visit(const char *folder, tree_visitor *visit, void *context, struct error *error)
{
    struct walk walk = {.folder = folder, .visit = visit, .context = context, .error = error};
    return visit_folder(&walk, folder, NULL);
}
