/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void clear(struct output_file *file)
{
    free(file->path);
    free(file->partial);
    *file = (struct output_file){0};
}

/* The file that is meant, behind links; where it is written until it is whole, NULL for in place. */
static bool name_files(struct output_file *file, const char *path)
{
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    bool is_plain = is_there && S_ISREG(status.st_mode);
    file->path = is_plain ? realpath(path, NULL) : strdup(path);
    if (!file->path || (is_there && !is_plain))
        return file->path;
    if (asprintf(&file->partial, "%s.%ld.partial", file->path, (long)getpid()) < 0)
        file->partial = NULL;
    return file->partial;
}

bool output_file_open(struct output_file *file, const char *path, struct error *error)
{
    *file = (struct output_file){0};
    if (name_files(file, path))
        file->stream = fopen(file->partial ? file->partial : file->path, "wb");
    if (file->stream)
        return true;
    error_set(error, ERROR_INPUT, "cannot create %s: %s", path, strerror(errno));
    clear(file);
    return false;
}

bool output_file_close(struct output_file *file, bool done, struct error *error)
{
    bool written = !ferror(file->stream);
    errno = EIO; /* unless closing knows better: it tries again to write what could not be written */
    written = fclose(file->stream) == 0 && written;
    if (done && written && file->partial)
        written = rename(file->partial, file->path) == 0;
    if (done && !written)
        error_set(error, ERROR_SYSTEM, "cannot write %s: %s", file->path, strerror(errno));
    if (file->partial && !(done && written))
        unlink(file->partial);
    clear(file);
    return done && written;
}
