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

/* Set `path`, links resolved, and `partial`; on failure errno says why. */
static bool name_files(struct output_file *file, const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    bool is_regular = exists && S_ISREG(status.st_mode);
    errno = ENOMEM; /* asprintf need not set it */
    file->path = is_regular ? realpath(path, NULL) : strdup(path);
    if (!file->path || (exists && !is_regular))
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
    if (errno == ENOMEM)
        error_out_of_memory(error);
    else
        error_set(error, ERROR_INPUT, "cannot create %s: %s", path, strerror(errno));
    clear(file);
    return false;
}

bool output_file_close(struct output_file *file, bool done, struct error *error)
{
    bool written = !ferror(file->stream);
    errno = EIO; /* for an earlier failed write; fclose retries it and may set a better reason */
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
