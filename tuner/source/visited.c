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

bool visited_identify(const char *path, const struct stat *status, struct visited_file *file)
{
    struct stat above;
    char *folder = strndup(path, visited_folder_length(path));
    if (!folder)
        return false;
    *file = (struct visited_file){.device = status->st_dev, .node = status->st_ino};
    if (stat(*folder ? folder : ".", &above) == 0) {
        file->folder_device = above.st_dev;
        file->folder_node = above.st_ino;
    }
    free(folder);
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
    free(visited->files);
}
