/* SPDX-License-Identifier: Apache-2.0 */
/* Databases joined in a new file, in one transaction. */
#include "db/connection.h"
#include "db/passage.h"

#include "tuner/error/output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool run(struct store *store, const char *sql, struct error *error)
{
    struct query query;
    return query_open(&query, store, sql, error) && query_run(&query, error);
}

/* A table may be read to its end although the file is damaged. */
static bool check_whole(struct store *source, struct error *error)
{
    struct query query;
    if (!query_open(&query, source, "PRAGMA quick_check(1)", error))
        return false;
    bool read = query_step(&query, error) == QUERY_ROW;
    bool whole = read && strcmp(query_text(&query, 0), "ok") == 0;
    query_close(&query);
    return whole || (read ? store_fail(source, SQLITE_CORRUPT, "read", error) : false);
}

static bool check_unchanged(const struct store *source, struct error *error)
{
    if (store_is_unchanged(source))
        return true;
    error_set(error, ERROR_SYSTEM, "the database %s was written to while it was read", store_path(source));
    return error_hint(error, "run the same command again");
}

/* As it is at one moment, even if a sweep goes on in it. */
static bool take_source(struct store *target, const char *path, struct store_merge_count *counts, struct error *error)
{
    struct store *source;
    if (!store_open_untouched(path, &source, error))
        return false;
    source->interrupted = target->interrupted;
    bool done = run(source, "BEGIN", error) && check_whole(source, error) &&
                passage_take(target, source, counts, error) && check_unchanged(source, error);
    store_close(source);
    return done;
}

static bool fill(const char *path, const char *const *sources, size_t count, const volatile sig_atomic_t *interrupted,
                 struct store_merge_count *counts, struct error *error)
{
    struct store *target;
    if (!store_open(path, false, &target, error))
        return false;
    target->interrupted = interrupted;
    bool done = transaction_begin(target, error);
    if (done) {
        for (size_t i = 0; i < count && done; i++)
            done = take_source(target, sources[i], &counts[i], error);
        done = transaction_end(target, done, error);
    }
    store_close(target);
    return done;
}

/* The path of the file under its name until it is complete. Allocated. */
static char *partial_path(const struct output_file *file, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *partial;
    return asprintf(&partial, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, file->partial) < 0 ? NULL
                                                                                                      : partial;
}

bool store_merge(const char *const *sources, size_t count, const char *target,
                 const volatile sig_atomic_t *interrupted, struct store_merge_count *counts, struct error *error)
{
    struct output_file file;
    struct stat status;
    memset(counts, 0, count * sizeof *counts);
    if (!output_file_open_new(&file, target, error))
        return stat(target, &status) == 0 && S_ISREG(status.st_mode)
                   ? error_hint(error, "it stays as it is: name a new file, and %s as a source to have its rows",
                                target)
                   : error_hint(error, "name a new file, in a folder that you may write to");
    char *partial = partial_path(&file, target);
    bool done = partial ? fill(partial, sources, count, interrupted, counts, error) : error_out_of_memory(error);
    free(partial);
    return output_file_close(&file, done, error);
}
