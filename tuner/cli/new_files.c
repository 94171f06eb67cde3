/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/new_files.h"

#include "tuner/error/input_file.h"
#include "tuner/error/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool new_files_add(struct new_files *files, const char *folder, const char *name, const char *bytes, size_t length,
                   struct error *error)
{
    struct new_file *items = reallocarray(files->items, files->count + 1, sizeof *items);
    if (!items)
        return error_out_of_memory(error);
    files->items = items;
    struct new_file *file = &items[files->count];
    *file = (struct new_file){.bytes = bytes, .length = length};
    if (asprintf(&file->path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(error);
    files->count++;
    return true;
}

bool new_files_add_copy(struct new_files *files, const char *folder, const char *name, const char *from,
                        struct error *error)
{
    if (!new_files_add(files, folder, name, NULL, 0, error))
        return false;
    files->items[files->count - 1].from = from;
    return true;
}

static bool is_free(const char *path, struct error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0) /* a link that leads nowhere counts */
        return true;
    error_set(error, ERROR_INPUT, "%s already exists", path);
    return error_hint(error, "remove it, or choose another folder with -o");
}

/* Make the folders above a file. */
static bool make_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made)
            error_set(error, ERROR_SYSTEM, "cannot create folder %s: %s", path, strerror(errno));
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool write_file(char *path, const char *text, size_t length, struct error *error)
{
    if (!make_folders(path, error))
        return false;
    struct output_file file;
    if (!output_file_open_new(&file, path, error))
        return false;
    fwrite(text, 1, length, file.stream); /* closing notices a failed write */
    return output_file_close(&file, true, error);
}

static bool copy_file(char *path, const char *from, struct error *error)
{
    char text[1 << 16];
    bool regular, failed = false;
    struct output_file file;
    int descriptor = input_file_open(from, &regular, error);
    if (descriptor < 0)
        return false;
    bool open = make_folders(path, error) && output_file_open_new(&file, path, error);
    for (ssize_t count; open && !failed && (count = read(descriptor, text, sizeof text)) != 0;) {
        size_t length = count < 0 ? 0 : (size_t)count;
        failed = count < 0 || fwrite(text, 1, length, file.stream) != length;
    }
    close(descriptor);
    if (failed)
        error_set(error, ERROR_SYSTEM, "cannot copy %s: %s", from, strerror(errno));
    return open && output_file_close(&file, !failed, error);
}

static bool make_file(const struct new_file *planned, struct error *error)
{
    return planned->from ? copy_file(planned->path, planned->from, error)
                         : write_file(planned->path, planned->bytes, planned->length, error);
}

bool new_files_write(const struct new_files *files, struct error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        if (!is_free(files->items[i].path, error))
            return false;
    }
    size_t written = 0;
    while (written < files->count && make_file(&files->items[written], error))
        written++;
    for (size_t i = 0; written < files->count && i < written; i++)
        unlink(files->items[i].path);
    return written == files->count;
}

void new_files_clear(struct new_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    free(files->items);
    *files = (struct new_files){0};
}
