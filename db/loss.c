/* SPDX-License-Identifier: Apache-2.0 */
#include "db/loss.h"
#include "db/migrate.h"
#include "db/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[LOSS_FILES] = {"", "-wal", "-shm"};

/* Which file has the name now; false: none. Never opened: closing it would give up SQLite's locks. */
static bool identify(const struct store *store, size_t which, struct file_identity *identity)
{
    const char *file = sqlite3_db_filename(store->sqlite, "main");
    struct stat status;
    char *path;
    if (asprintf(&path, "%s%s", file, endings[which]) < 0)
        return false;
    bool found = stat(path, &status) == 0;
    int cause = errno;
    free(path);
    if (found)
        *identity = (struct file_identity){status.st_dev, status.st_ino, true};
    errno = cause;
    return found;
}

void loss_watch(struct store *store)
{
    for (size_t i = 0; i < LOSS_FILES; i++)
        identify(store, i, &store->files[i]);
}

/* The journal and its index appear with the first use. */
static bool is_there(struct store *store, size_t which, const char **what)
{
    struct file_identity now = {0}, *then = &store->files[which];
    if (!identify(store, which, &now)) {
        *what = which ? "was removed" : "was removed or renamed";
        return !then->known || (errno != ENOENT && errno != ENOTDIR); /* ENOMEM says nothing */
    }
    *what = "was replaced by another file";
    if (!then->known)
        *then = now;
    return now.device == then->device && now.inode == then->inode;
}

/* Emptied or overwritten in its place, as by a shell's > FILE. It is read as it is on disk, past SQLite's cache. */
static bool has_header(const struct store *store)
{
    static const char magic[16] = "SQLite format 3";
    enum { APPLICATION_ID = 68, HEADER = 100 };
    unsigned char header[HEADER] = {0}, own[4];
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(store->sqlite, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file ||
        !file->pMethods)
        return true;
    int result = file->pMethods->xRead(file, header, sizeof header, 0);
    if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
        return true;
    for (size_t i = 0; i < sizeof own; i++)
        own[i] = (unsigned char)(STORE_APPLICATION_ID >> (24 - 8 * i));
    return memcmp(header, magic, sizeof magic) == 0 && memcmp(header + APPLICATION_ID, own, sizeof own) == 0;
}

static int check_copy(sqlite3 *copy)
{
    sqlite3_stmt *check;
    int result = sqlite3_prepare_v2(copy, "PRAGMA quick_check(1)", -1, &check, NULL);
    if (result != SQLITE_OK)
        return result;
    bool is_whole =
        sqlite3_step(check) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(check, 0), "ok") == 0;
    sqlite3_finalize(check);
    return is_whole ? SQLITE_OK : SQLITE_CORRUPT;
}

/* Copy all that can be read to a file that is created now; an SQLite result. */
static int copy_to(const struct store *store, const char *path)
{
    sqlite3 *copy = NULL;
    int result = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_backup *backup = result == SQLITE_OK ? sqlite3_backup_init(copy, "main", store->sqlite, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        sqlite3_backup_finish(backup);
    }
    result = copy ? sqlite3_errcode(copy) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = check_copy(copy);
    int closed = sqlite3_close(copy);
    return result == SQLITE_OK ? closed : result;
}

/* Set store->rescued; false, with `why`: nothing could be saved. */
static bool rescue(struct store *store, const char **why)
{
    enum { TRIES = 100 };
    char *path = NULL;
    int file = -1;
    errno = EEXIST;
    path_make_folders(store->path, NULL); /* they may have been renamed as well */
    for (int i = 1; i <= TRIES && file < 0 && errno == EEXIST; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        free(path);
        if (asprintf(&path, "%s.rescued%s", store->path, number) < 0)
            path = NULL;
        errno = path ? 0 : ENOMEM;
        file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644) : -1;
    }
    *why = file < 0 ? strerror(errno) : NULL;
    if (file >= 0) {
        close(file);
        int result = copy_to(store, path);
        *why = result == SQLITE_OK ? NULL : sqlite3_errstr(result);
        if (*why)
            unlink(path);
    }
    if (*why)
        free(path);
    else
        store->rescued = path;
    return !*why;
}

bool loss_fail(const struct store *store, struct error *error)
{
    if (error)
        *error = store->loss;
    return false;
}

static bool lose(struct store *store, size_t which, const char *what, struct error *error)
{
    const char *why;
    struct error *loss = &store->loss;
    store->is_lost = true;
    if (rescue(store, &why)) {
        error_set(loss, ERROR_SYSTEM, "the database %s cannot be written any more: %s%s %s; all rows are in %s",
                  store->path, store->path, endings[which], what, store->rescued);
        error_hint(loss, "go on with --db %s, or rename it back", store->rescued);
    } else {
        error_set(
            loss, ERROR_SYSTEM,
            "the database %s cannot be written any more: %s%s %s; the rows could not be saved to another file: %s",
            store->path, store->path, endings[which], what, why);
        error_hint(loss, "leave the files of a database alone while a sweep runs");
    }
    return loss_fail(store, error);
}

bool loss_check(struct store *store, struct error *error)
{
    const char *what;
    if (store->is_lost)
        return loss_fail(store, error);
    if (!store->files[0].known) /* it is not written to */
        return true;
    for (size_t i = 0; i < LOSS_FILES; i++) {
        if (!is_there(store, i, &what))
            return lose(store, i, what, error);
    }
    return has_header(store) || lose(store, 0, "was emptied or overwritten", error);
}

bool loss_check_soon(struct store *store, double now, struct error *error)
{
    static const double interval = 1;
    if (!store->is_lost && now - store->looked_at < interval)
        return true;
    store->looked_at = now;
    return loss_check(store, error);
}
