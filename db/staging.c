/* SPDX-License-Identifier: Apache-2.0 */
#include "db/staging.h"

#include "db/path.h"
#include "db/store.h"
#include "tuner/device/monotonic.h"
#include "tuner/error/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct staging {
    char *original, *folder, *copy, *joined; /* `joined`: what is to be the database, before it goes there */
    double saved_at;
    bool saved; /* nothing is in the copy alone */
};

/* ---- file systems */

/* From linux/magic.h and the sources of those that are not in the kernel. */
static const long remote_types[] = {
    0x6969,     /* NFS */
    0x0bd00bd0, /* Lustre */
    0x47504653, /* GPFS, Spectrum Scale */
    0x19830326, /* BeeGFS */
    0x20030528, /* OrangeFS */
    0x00c36400, /* Ceph */
    0x5346414f, /* AFS */
    0x517b,     /* SMB */
};

static bool is_remote(const char *path)
{
    struct statfs system;
    if (statfs(path, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof remote_types / sizeof *remote_types; i++) {
        if ((long)system.f_type == remote_types[i])
            return true;
    }
    return (uint32_t)system.f_type == 0xff534d42u || (uint32_t)system.f_type == 0xfe534d42u; /* CIFS, SMB 2 */
}

bool staging_is_remote(const char *path)
{
    char *above = strdup(path);
    while (above && access(above, F_OK) != 0 && strcmp(above, "/") != 0 && strcmp(above, ".") != 0)
        memmove(above, dirname(above), strlen(dirname(above)) + 1);
    bool remote = above && is_remote(above);
    free(above);
    return remote;
}

/* ---- the copy */

static void release(struct staging *staging)
{
    free(staging->original);
    free(staging->folder);
    free(staging->copy);
    free(staging->joined);
    free(staging);
}

static bool name_files(struct staging *staging, const char *path, const char *folder, struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    const char *where = folder ? folder : temporary && *temporary ? temporary : "/tmp";
    staging->original = realpath(path, NULL); /* a link to it stays one */
    if (!staging->original)
        staging->original = strdup(path);
    if (!staging->original || asprintf(&staging->folder, "%s/tune-db-XXXXXX", where) < 0) {
        staging->folder = NULL;
        return error_out_of_memory(error);
    }
    if (!mkdtemp(staging->folder)) {
        error_set(error, ERROR_SYSTEM, "cannot make a folder for the database in %s: %s", where, strerror(errno));
        free(staging->folder);
        staging->folder = NULL;
        return false;
    }
    if (asprintf(&staging->copy, "%s/tune.db", staging->folder) < 0)
        staging->copy = NULL;
    if (asprintf(&staging->joined, "%s/joined.db", staging->folder) < 0)
        staging->joined = NULL;
    return (staging->copy && staging->joined) || error_out_of_memory(error);
}

static bool join(const char *const *sources, size_t count, const char *target, struct error *error)
{
    struct store_merge_count counts[2];
    return store_merge(sources, count, target, NULL, counts, error);
}

bool staging_begin(const char *path, const char *folder, struct staging **result, struct error *error)
{
    struct stat status;
    struct staging *staging = calloc(1, sizeof *staging);
    if (!staging)
        return error_out_of_memory(error);
    staging->saved = true;
    staging->saved_at = monotonic_seconds();
    bool exists = stat(path, &status) == 0 && status.st_size > 0;
    if (path_make_folders(path, error) && name_files(staging, path, folder, error) &&
        (!exists || join(&path, 1, staging->copy, error))) {
        *result = staging;
        return true;
    }
    staging_end(staging);
    return false;
}

const char *staging_path(const struct staging *staging)
{
    return staging->copy;
}

/* ---- back */

/* A journal beside the database would be taken for the new one's: whoever opens the database last takes it away. */
static bool settle_journal(const char *path, struct error *error)
{
    char journal[PATH_MAX];
    struct store *store;
    snprintf(journal, sizeof journal, "%s-wal", path);
    if (access(journal, F_OK) != 0)
        return true;
    if (!store_open(path, false, &store, error))
        return false;
    store_close(store);
    return access(journal, F_OK) != 0 ||
           error_set(error, ERROR_SYSTEM, "another program has %s open, on a network file system", path);
}

static bool fail(const char *what, const char *path, struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "cannot %s %s: %s", what, path, strerror(errno));
}

static bool copy_bytes(FILE *from, FILE *to)
{
    char bytes[1 << 16];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
        fwrite(bytes, 1, got, to);
    return !ferror(from);
}

/* Copy a file beside its place, and rename it. */
static bool put_in_place(const char *from, const char *path, struct error *error)
{
    struct output_file file;
    FILE *source = fopen(from, "rbe");
    if (!source)
        return fail("read", from, error);
    bool done = output_file_open(&file, path, error) &&
                output_file_close(&file, copy_bytes(source, file.stream) || fail("read", from, error), error);
    fclose(source);
    return done;
}

/* Jobs that do this take turns. Where files cannot be locked, they hope. */
static int lock(const char *path)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s.lock", path);
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    while (file >= 0 && flock(file, LOCK_EX) != 0 && errno == EINTR)
        ;
    return file;
}

static bool save(struct staging *staging, struct error *error)
{
    struct stat status;
    const char *const sources[] = {staging->copy, staging->original};
    bool exists = stat(staging->original, &status) == 0 && status.st_size > 0;
    unlink(staging->joined);
    return settle_journal(staging->original, error) && join(sources, exists ? 2 : 1, staging->joined, error) &&
           put_in_place(staging->joined, staging->original, error);
}

bool staging_save(struct staging *staging, struct error *error)
{
    if (access(staging->copy, F_OK) != 0)
        return true; /* nothing was stored */
    int locked = lock(staging->original);
    staging->saved = save(staging, error);
    if (locked >= 0)
        close(locked);
    unlink(staging->joined);
    staging->saved_at = monotonic_seconds();
    if (!staging->saved && error && !error->hint[0])
        error_hint(error, "the results are in %.200s", staging->copy);
    return staging->saved;
}

bool staging_save_now_and_then(struct staging *staging, struct error *error)
{
    return monotonic_seconds() - staging->saved_at < STAGING_INTERVAL || staging_save(staging, error);
}

void staging_end(struct staging *staging)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    if (!staging)
        return;
    for (size_t i = 0; staging->saved && staging->copy && i < sizeof ends / sizeof *ends; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s%s", staging->copy, ends[i]);
        unlink(name);
    }
    if (staging->saved && staging->folder)
        rmdir(staging->folder);
    release(staging);
}
