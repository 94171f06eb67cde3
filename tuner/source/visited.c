/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/visited.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t visited_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Scans look for many files in few folders, so that each folder is looked at once. NULL: out of memory. */
static const struct visited_folder *look_at_folder(struct visited *visited, const char *path, size_t length)
{
    struct stat status;
    for (size_t i = 0; i < visited->folder_count; i++) {
        const struct visited_folder *folder = &visited->folders[i];
        if (strncmp(folder->path, path, length) == 0 && !folder->path[length])
            return folder;
    }
    struct visited_folder *folders = realloc(visited->folders, (visited->folder_count + 1) * sizeof *folders);
    if (!folders)
        return NULL;
    visited->folders = folders;
    struct visited_folder *folder = &folders[visited->folder_count];
    *folder = (struct visited_folder){.path = strndup(path, length)};
    if (!folder->path)
        return NULL;
    visited->folder_count++;
    if (stat(length > 0 ? folder->path : ".", &status) == 0) {
        folder->device = status.st_dev;
        folder->node = status.st_ino;
    }
    return folder;
}

bool visited_identify(struct visited *visited, const char *path, const struct stat *status, struct visited_file *file)
{
    const struct visited_folder *folder = look_at_folder(visited, path, visited_folder_length(path));
    if (!folder)
        return false;
    *file = (struct visited_file){folder->device, status->st_dev, folder->node, status->st_ino};
    return true;
}

size_t visited_number(const struct visited *visited, const struct visited_file *file)
{
    for (size_t i = 0; i < visited->count; i++) {
        const struct visited_file *other = &visited->files[i];
        if (other->node == file->node && other->device == file->device && other->folder_node == file->folder_node &&
            other->folder_device == file->folder_device)
            return i;
    }
    return SIZE_MAX;
}

bool visited_add(struct visited *visited, const struct visited_file *file)
{
    if (visited->count == visited->capacity) {
        size_t capacity = visited->capacity ? 2 * visited->capacity : 32;
        struct visited_file *files = realloc(visited->files, capacity * sizeof *files);
        if (!files)
            return false;
        visited->files = files;
        visited->capacity = capacity;
    }
    visited->files[visited->count++] = *file;
    return true;
}

void visited_clear(struct visited *visited)
{
    for (size_t i = 0; i < visited->folder_count; i++)
        free(visited->folders[i].path);
    free(visited->folders);
    free(visited->files);
}
