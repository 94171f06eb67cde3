/* SPDX-License-Identifier: Apache-2.0 */
#include "db/distrust.h"
#include "db/migrate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if SQLITE_VERSION_NUMBER < 3035000
#error "SQLite 3.35 or newer is needed: older ones do not know AS MATERIALIZED"
#endif

/* https://www.sqlite.org/c3ref/c_limit_attached.html */
static const struct {
    int limit, value;
} limits[] = {
    {SQLITE_LIMIT_LENGTH, 256 << 20}, /* a text: the numbers of ten million evaluations as JSON */
    {SQLITE_LIMIT_SQL_LENGTH, 256 << 10}, {SQLITE_LIMIT_COLUMN, 250},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},       {SQLITE_LIMIT_COMPOUND_SELECT, 20},
    {SQLITE_LIMIT_VDBE_OP, 100000},       {SQLITE_LIMIT_FUNCTION_ARG, 50},
    {SQLITE_LIMIT_ATTACHED, 0},           {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 250},  {SQLITE_LIMIT_TRIGGER_DEPTH, 20}, /* cascading deletes count */
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

/* https://www.sqlite.org/c3ref/c_dbconfig_defensive.html */
static const struct {
    int option, value;
} options[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
};

/* Steps of SQLite's virtual machine between two looks at what a query has taken. */
enum { STEPS_BETWEEN = 1000000 };

/*
 * What a query may take. In large databases of short rows the most demanding ones, those of the report, take a
 * quarter of a step and hand out two bytes for each byte of the file.
 */
static const uint64_t least_steps = 20000000, steps_a_byte = 20;
static const uint64_t least_bytes = 64 << 20, bytes_a_byte = 20;

/* A file with holes counts as what it occupies, unless its file system compresses it. */
static uint64_t size_of(const char *path)
{
    enum { BLOCK = 512, COMPRESSION = 16 };
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    uint64_t occupied = (uint64_t)status.st_blocks * BLOCK * COMPRESSION, size = (uint64_t)status.st_size;
    return size < occupied ? size : occupied;
}

/* The size of the database with its WAL. It may have been moved, so the largest size seen counts. */
static uint64_t database_bytes(struct store *store)
{
    const char *path = sqlite3_db_filename(store->sqlite, "main");
    uint64_t bytes = path ? size_of(path) + size_of(sqlite3_filename_wal(path)) : 0;
    if (bytes > store->bytes)
        store->bytes = bytes;
    return store->bytes;
}

void distrust_size(struct store *store)
{
    database_bytes(store);
}

bool distrust_bytes(struct store *store, uint64_t bytes)
{
    return bytes > least_bytes && bytes > least_bytes + bytes_a_byte * database_bytes(store);
}

/* SQLite's progress handler; not 0 interrupts the query. */
static int take_steps(void *context)
{
    struct store *store = context;
    if (store->interrupted && *store->interrupted)
        return 1;
    store->steps += STEPS_BETWEEN;
    return store->steps > least_steps && store->steps > least_steps + steps_a_byte * database_bytes(store);
}

bool distrust(struct store *store, struct error *error)
{
    static const char *kept_modules[] = {"dbstat", NULL}; /* the size of tables; it has no data of its own */
    int result = SQLITE_OK;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(store->sqlite, limits[i].limit, limits[i].value);
    for (size_t i = 0; i < sizeof options / sizeof *options && result == SQLITE_OK; i++)
        result = sqlite3_db_config(store->sqlite, options[i].option, options[i].value, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_drop_modules(store->sqlite, kept_modules);
    if (result == SQLITE_OK)
        result = sqlite3_exec(store->sqlite, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    sqlite3_progress_handler(store->sqlite, STEPS_BETWEEN, take_steps, store);
    return result == SQLITE_OK || store_fail(store, result, "open", error);
}

/* The definition of a view, up to its semicolon. */
static const char *definition(const char *name, size_t *length)
{
    char opening[64];
    snprintf(opening, sizeof opening, "CREATE VIEW %s AS\n", name);
    const char *found = strstr(tune_schema_views, opening);
    if (found)
        found += strlen(opening);
    *length = found ? strcspn(found, ";") : 0;
    return found;
}

char *distrust_view(const char *name, const char *query)
{
    char *sql;
    size_t length;
    const char *text = definition(name, &length);
    return asprintf(&sql, "WITH %s AS (%.*s) %s", name, (int)length, text ? text : "", query) < 0 ? NULL : sql;
}
