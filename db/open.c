/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening a database: inspect the file before SQLite touches it, connect, migrate the schema, prepare for writing.
 */
#include "db/connection.h"
#include "db/distrust.h"
#include "db/loss.h"
#include "db/migrate.h"
#include "db/path.h"
#include "db/runs.h"
#include "db/within.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000 };

static bool refuse(const struct store *store, struct error *error, const char *what)
{
    error_set(error, ERROR_INPUT, "%s %s", store->path, what);
    return error_hint(error, "%s", store_another_file(store));
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The path of a file beside the database, as SQLite names it: beside the file that a link leads to. Allocated. */
static char *side_file(const struct store *store, const char *ending)
{
    char *side, *file = realpath(store->path, NULL);
    if (asprintf(&side, "%s%s", file ? file : store->path, ending) < 0)
        side = NULL;
    free(file);
    return side;
}

/* Is there a journal with rows that are not in the main file? */
static bool has_journal(const struct store *store)
{
    static const char *const endings[] = {"-wal", "-journal"};
    bool found = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !found; i++) {
        struct stat status;
        char *journal = side_file(store, endings[i]);
        if (!journal)
            return true;
        found = stat(journal, &status) == 0 && status.st_size > 0;
        free(journal);
    }
    return found;
}

/*
 * Of a transaction on several databases, a journal names a super-journal at its end; SQLite deletes the file of that
 * name when it has restored the database (https://www.sqlite.org/atomiccommit.html, 5.3). The program attaches no
 * databases, so that such a name is another's, and whoever planted it chooses what is deleted.
 */
static bool inspect_journal(const struct store *store, struct error *error)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    enum { NAME_END = 16 }; /* its length, its checksum, the magic number */
    unsigned char end[sizeof magic];
    struct stat status;
    char *journal = side_file(store, "-journal");
    if (!journal)
        return error_out_of_memory(error);
    int file = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    free(journal);
    bool names = file >= 0 && fstat(file, &status) == 0 && status.st_size >= NAME_END &&
                 pread(file, end, sizeof end, status.st_size - (off_t)sizeof end) == (ssize_t)sizeof end &&
                 memcmp(end, magic, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    if (!names)
        return true;
    error_set(error, ERROR_INPUT, "the database %s has a journal that names another file, which would be deleted",
              store->path);
    return error_hint(error, "if it is your own, open it once with sqlite3; otherwise do not use it");
}

/*
 * Recognise by the header (https://www.sqlite.org/fileformat.html, 1.3) what is certainly not ours, and leave it
 * alone. If there is a journal, a power cut may have left the file half written; SQLite will restore it.
 */
static bool inspect_header(const struct store *store, int file, struct error *error)
{
    static const char magic[16] = "SQLite format 3";
    enum { APPLICATION_ID = 68, HEADER = 100 };
    unsigned char header[HEADER];
    ssize_t length = pread(file, header, sizeof header, 0);
    if (length < 0)
        return error_set(error, ERROR_SYSTEM, "cannot read the database %s: %s", store->path, strerror(errno));
    if (!inspect_journal(store, error))
        return false;
    if (length == 0 || has_journal(store))
        return true;
    if (length < HEADER || memcmp(header, magic, sizeof magic) != 0)
        return refuse(store, error, "is not a database");
    uint32_t application = big_endian(header + APPLICATION_ID);
    if (application != 0 && application != STORE_APPLICATION_ID)
        return refuse(store, error, "is another program's database");
    return true;
}

/* There is no such file, which is an error only when reading. */
static bool inspect_missing(const struct store *store, struct error *error)
{
    if (!store->read_only)
        return path_make_folders(store->path, error);
    error_set(error, ERROR_INPUT, "there is no database %s", store->path);
    return error_hint(error, "%s%s", store->is_source ? "" : "a sweep creates it: tune <template>; or ",
                      store_another_file(store));
}

static bool inspect(const struct store *store, struct error *error)
{
    struct stat status;
    if (store->path[0] == '\0')
        return refuse(store, error, "(an empty path) is not a database");
    if (stat(store->path, &status) != 0 && errno == ENOENT)
        return inspect_missing(store, error);
    int file = open(store->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        /* A component that is a file, for example: creating the folders will report it. */
        int cause = errno;
        if (cause == ENOTDIR && !store->read_only)
            return path_make_folders(store->path, error);
        error_set(error, ERROR_SYSTEM, "cannot open the database %s: %s", store->path, strerror(cause));
        return error_hint(error, "%s", store_another_file(store));
    }
    bool done;
    if (fstat(file, &status) != 0)
        done = error_set(error, ERROR_SYSTEM, "cannot open the database %s: %s", store->path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        done = refuse(store, error, "is a folder, not a database");
    else if (!S_ISREG(status.st_mode))
        done = refuse(store, error, "is not a file");
    else
        done = inspect_header(store, file, error);
    close(file);
    return done;
}

/*
 * The name to open. A relative path gets a folder, since names such as ":memory:" are special to SQLite. `immutable`:
 * as a URI, for a file that no one is writing to, in a folder that may not be written.
 */
static char *sqlite_name(const char *path, bool immutable)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/";
    const char *folder = path[0] == '/' ? "" : "./";
    char *name = malloc(3 * strlen(path) + 64);
    if (!name)
        return NULL;
    if (!immutable) {
        strcpy(stpcpy(name, folder), path);
        return name;
    }
    char *end = stpcpy(stpcpy(name, "file:"), folder);
    for (const char *c = path; *c; c++) {
        if (strchr(plain, *c))
            *end++ = *c;
        else
            end += sprintf(end, "%%%02X", (unsigned char)*c);
    }
    strcpy(end, "?immutable=1");
    return name;
}

/* A store is used by one thread at a time, and needs no lock for each column that is read. */
static bool open_connection(struct store *store, const char *name, int flags, struct error *error)
{
    int result = sqlite3_open_v2(name, &store->sqlite, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (result != SQLITE_OK)
        return store_fail(store, result, "open", error);
    sqlite3_extended_result_codes(store->sqlite, 1);
    store_set_patience(store, PATIENCE_MS);
    return distrust(store, error) && within_register(store, error);
}

static bool connect_to(struct store *store, bool immutable, struct error *error)
{
    char *name = sqlite_name(store->path, immutable);
    if (!name)
        return error_out_of_memory(error);
    int flags = store->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool done = open_connection(store, name, flags | (immutable ? SQLITE_OPEN_URI : 0), error);
    free(name);
    return done;
}

/*
 * Even readers of a WAL database need its side files. If these neither exist nor can be created, no one is writing,
 * and the file can be read as it is, unless there is a leftover journal: then its latest rows would be missing.
 */
static bool reconnect_immutable(struct store *store, struct error *error)
{
    if (has_journal(store)) {
        error_set(error, ERROR_SYSTEM,
                  "the database %s cannot be read: there is a leftover journal, and its folder is not "
                  "writable",
                  store->path);
        return error_hint(error, "run this once as a user who may write there: tune list runs");
    }
    store_disconnect(store);
    return connect_to(store, true, error);
}

static bool connect_and_recognise(struct store *store, size_t *version, struct error *error)
{
    if (!connect_to(store, false, error))
        return false;
    if (migrate_version(store, store_migration_count, version, error))
        return true;
    int primary = sqlite3_errcode(store->sqlite) & 0xff;
    if (!store->read_only || (primary != SQLITE_CANTOPEN && primary != SQLITE_READONLY))
        return false;
    return reconnect_immutable(store, error) && migrate_version(store, store_migration_count, version, error);
}

static bool set(struct store *store, const char *pragma, struct error *error)
{
    struct query query;
    return query_open(&query, store, pragma, error) && query_run(&query, error);
}

/* Switching to a WAL needs exclusive access for a moment. Whether SQLite waits for that depends on who has access, so
 * it is told not to, and is asked again and again. */
static bool use_wal(struct store *store, struct error *error)
{
    enum { PAUSE_MS = 10 };
    int patience_ms = store->patience_ms, result = SQLITE_BUSY;
    store_set_patience(store, 0);
    for (int waited = 0; result == SQLITE_BUSY && waited <= patience_ms; waited += PAUSE_MS) {
        if (waited > 0)
            sqlite3_sleep(PAUSE_MS);
        result = sqlite3_exec(store->sqlite, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) & 0xff;
    }
    int code = sqlite3_extended_errcode(store->sqlite);
    store_set_patience(store, patience_ms);
    return result == SQLITE_OK || store_fail(store, code, "write to", error);
}

static bool prepare_reading(struct store *store, size_t version, struct error *error)
{
    if (version == store_migration_count)
        return true;
    error_set(error, ERROR_INPUT, "the database %s %s", store->path,
              version == 0 ? "is empty"
                           : "was written by an older tune and cannot be brought up to date while reading");
    return error_hint(error, "%s",
                      store->is_source ? "leave it out"
                      : version == 0   ? "a sweep fills it: tune <template>"
                                       : "run a command that writes to it once, such as: tune best");
}

/* Purely informative: it may be left to the next program that opens the file, and must not wait for a lock. */
static void note_orphans(struct store *store)
{
    store_set_patience(store, 0);
    runs_end_orphans(store, NULL);
    store_set_patience(store, PATIENCE_MS);
}

/* The schema is created before the file becomes a WAL database, so that the main file identifies itself from then on.
 * store_flush syncs the WAL. */
static bool prepare_writing(struct store *store, size_t version, struct error *error)
{
    if (sqlite3_db_readonly(store->sqlite, "main") == 1)
        return store_fail(store, SQLITE_READONLY, "write to", error);
    bool done = set(store, "PRAGMA foreign_keys = ON", error) && set(store, "PRAGMA synchronous = FULL", error) &&
                (version == store_migration_count || migrate_to_newest(store, true, error)) &&
                use_wal(store, error) && set(store, "PRAGMA synchronous = NORMAL", error);
    if (done) {
        loss_watch(store);
        note_orphans(store);
    }
    return done;
}

/* 64 MiB: what a sweep or a report of a large database reads again and again. */
static bool set_cache(struct store *store, struct error *error)
{
    return set(store, "PRAGMA cache_size = -65536", error);
}

static bool open_named(struct store *store, struct error *error)
{
    size_t version = 0;
    return inspect(store, error) && connect_and_recognise(store, &version, error) &&
           (store->read_only ? prepare_reading : prepare_writing)(store, version, error) && set_cache(store, error);
}

/* ---- private databases, which SQLite keeps in memory and, where they grow, in a file without a name */

static bool connect_private(struct store *store, struct error *error)
{
    return open_connection(store, "", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) &&
           set(store, "PRAGMA foreign_keys = ON", error);
}

static bool migrate_private(struct store *store, struct error *error)
{
    bool read_only = store->read_only;
    store->read_only = false;
    bool done = migrate_to_newest(store, false, error);
    store->read_only = read_only;
    return done;
}

/* Go on with a copy. */
static bool copy_connection(struct store *store, struct error *error)
{
    distrust_size(store);
    sqlite3 *original = store->sqlite;
    store->sqlite = NULL;
    bool done = connect_private(store, error);
    sqlite3_backup *backup = done ? sqlite3_backup_init(store->sqlite, "main", original, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        sqlite3_backup_finish(backup);
    }
    int result = done ? sqlite3_errcode(store->sqlite) : SQLITE_OK;
    sqlite3_close(original);
    return done && (result == SQLITE_OK || store_fail(store, result, "read", error));
}

/* Where there is no journal nobody is writing, and the file is read as it is: SQLite would make a WAL's side files.
 */
static bool open_untouched(struct store *store, struct error *error)
{
    size_t version = 0;
    store->is_source = true;
    if (!inspect(store, error))
        return false;
    bool alone = !has_journal(store) && stat(store->path, &store->seen) == 0;
    if (!alone)
        store->seen.st_ino = 0;
    return connect_to(store, alone, error) && migrate_version(store, store_migration_count, &version, error) &&
           (version == 0 || version == store_migration_count
                ? prepare_reading(store, version, error)
                : copy_connection(store, error) && migrate_private(store, error));
}

static bool open_private(struct store *store, struct error *error)
{
    return connect_private(store, error) && migrate_private(store, error);
}

bool store_is_unchanged(const struct store *store)
{
    struct stat now;
    const struct stat *then = &store->seen;
    return then->st_ino == 0 ||
           (stat(store->path, &now) == 0 && now.st_ino == then->st_ino && now.st_dev == then->st_dev &&
            now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
            now.st_mtim.tv_nsec == then->st_mtim.tv_nsec);
}

void store_own_sqlite(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
}

typedef bool opener(struct store *store, struct error *error);

static bool open_with(opener *open, const char *path, bool read_only, struct store **result, struct error *error)
{
    *result = NULL;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return error_out_of_memory(error);
    store->read_only = read_only;
    store->patience_ms = PATIENCE_MS;
    store->path = strdup(path);
    bool done = store->path ? open(store, error) : error_out_of_memory(error);
    if (done)
        *result = store;
    else
        store_close(store);
    return done;
}

bool store_open(const char *path, bool read_only, struct store **result, struct error *error)
{
    return open_with(open_named, path, read_only, result, error);
}

bool store_open_untouched(const char *path, struct store **result, struct error *error)
{
    return open_with(open_untouched, path, true, result, error);
}

bool store_open_private(const char *name, struct store **result, struct error *error)
{
    return open_with(open_private, name, false, result, error);
}

bool store_is_private(const struct store *store)
{
    const char *file = sqlite3_db_filename(store->sqlite, "main");
    return !file || !*file;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    store_flush(store, NULL);
    store_disconnect(store);
    free(store->path);
    free(store->shown);
    free(store->rescued);
    free(store);
}

bool store_is_lost(const struct store *store)
{
    return store->is_lost;
}

const char *store_path(const struct store *store)
{
    return store->shown ? store->shown : store->path;
}

bool store_show_as(struct store *store, const char *path)
{
    free(store->shown);
    store->shown = strdup(path);
    return store->shown != NULL;
}
