/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's result codes as errors for people: what is wrong with the file, and what to do about it. */
#include "db/connection.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char forged[] = "it may be damaged or forged; see what sqlite3 FILE 'pragma integrity_check' says";

static const struct failure {
    int result; /* a primary result code, or an extended one that is unlike its primary */
    enum error_code code;
    const char *text; /* completes "the database FILE ..." */
    const char *hint;
    bool another; /* the hint goes on: another file would do */
} failures[] = {
    {SQLITE_NOTADB, ERROR_INPUT, "is not a database", "", true},
    {SQLITE_READONLY, ERROR_SYSTEM, "can be read but not written",
     "change the permissions of the file and its folder, or ", true},
    {SQLITE_PERM, ERROR_SYSTEM, "may not be opened", "change the permissions of the file and its folder", false},
    {SQLITE_FULL, ERROR_SYSTEM, "cannot grow: the disk is full",
     "what was stored is safe; free some space and run the same command again to continue", false},
    {SQLITE_INTERRUPT, ERROR_SYSTEM, "cannot be read: that takes far more steps than a file of its size can need",
     forged, false},
    {SQLITE_TOOBIG, ERROR_SYSTEM,
     "cannot be read: it has a text, or texts, far larger than a file of its size can need", forged, false},
    {SQLITE_IOERR_NOMEM, ERROR_OUT_OF_MEMORY, "could not be used: out of memory", NULL, false},
    {SQLITE_NOMEM, ERROR_OUT_OF_MEMORY, "could not be used: out of memory", NULL, false},
};

const char *store_another_file(const struct store *store)
{
    return store->is_source ? "name another file" : "name another file with --db or $TUNE_DB";
}

static const struct failure *find_failure(int result)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        if (failures[i].result == result || failures[i].result == (result & 0xff))
            return &failures[i];
    }
    return NULL;
}

/* The first finding of SQLite's integrity check, or why it could not run. */
static void find_damage(struct store *store, char *finding, size_t size)
{
    sqlite3_stmt *check;
    store->steps = 0;
    int result = sqlite3_prepare_v2(store->sqlite, "PRAGMA quick_check(1)", -1, &check, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(check);
    const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(check, 0) : sqlite3_errstr(result);
    snprintf(finding, size, "%.200s", text ? text : "");
    for (char *c = finding; *c; c++) {
        if (*c == '\n')
            *c = ' ';
    }
    sqlite3_finalize(check);
}

static bool fail_damaged(struct store *store, struct error *error)
{
    char finding[256];
    find_damage(store, finding, sizeof finding);
    error_set(error, ERROR_SYSTEM, "the database %s is damaged (%s)", store->path, finding);
    return error_hint(error, "recover what is readable: sqlite3 FILE .recover | sqlite3 rescued.db; or move the file "
                             "away to start afresh");
}

static bool fail_locked(struct store *store, struct error *error)
{
    error_set(error, ERROR_SYSTEM, "the database %s was locked by another program for more than %g s", store->path,
              store->patience_ms / 1e3);
    return error_hint(error, "find the program that keeps a transaction open (fuser FILE), or %s",
                      store_another_file(store));
}

/* SQLite reports a folder that may not be written as a file that cannot be opened: its journal. */
static bool folder_is_closed(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    int length = slash ? (int)(slash - path) + 1 : 2;
    int needed = snprintf(folder, sizeof folder, "%.*s", length, slash ? path : "./");
    return needed < (int)sizeof folder && access(folder, W_OK) != 0;
}

/* SQLite does not always report this as the reason why a write failed. */
static bool files_are_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool store_fail(struct store *store, int result, const char *doing, struct error *error)
{
    int cause = store->sqlite ? sqlite3_system_errno(store->sqlite) : 0;
    int primary = result & 0xff;
    if (primary == SQLITE_CORRUPT)
        return fail_damaged(store, error);
    if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
        return fail_locked(store, error);
    if (primary == SQLITE_IOERR && (cause == ENOSPC || cause == EDQUOT))
        result = SQLITE_FULL;
    if (result == SQLITE_IOERR_WRITE && (cause == EFBIG || files_are_limited())) {
        error_set(error, ERROR_SYSTEM, "the database %s cannot grow: the limit on file sizes is reached",
                  store->path);
        return error_hint(error, "raise the limit (ulimit -f) and run the same command again to continue");
    }
    if (primary == SQLITE_CANTOPEN && (cause == EROFS || folder_is_closed(store->path)))
        result = SQLITE_READONLY;

    const struct failure *failure = find_failure(result);
    if (failure) {
        error_set(error, failure->code, "the database %s %s", store->path, failure->text);
        return failure->hint
                   ? error_hint(error, "%s%s", failure->hint, failure->another ? store_another_file(store) : "")
                   : false;
    }
    const char *reason = store->sqlite ? sqlite3_errmsg(store->sqlite) : sqlite3_errstr(result);
    bool system = (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && cause != 0;
    return error_set(error, ERROR_SYSTEM, "cannot %s the database %s: %s", doing, store->path,
                     system ? strerror(cause) : reason);
}
