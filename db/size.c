/* SPDX-License-Identifier: Apache-2.0 */
/* How large the database is, and making it smaller. */
#include "db/forget.h"

#include "db/connection.h"

#include <string.h>

static bool read_pragma(struct store *store, const char *sql, int64_t *value, struct error *error)
{
    struct query query;
    return query_open(&query, store, sql, error) && query_integer(&query, "size", value, error);
}

bool store_bytes(struct store *store, int64_t *bytes, int64_t *free_bytes, struct error *error)
{
    int64_t page, pages, unused;
    if (!read_pragma(store, "PRAGMA page_size", &page, error) ||
        !read_pragma(store, "PRAGMA page_count", &pages, error) ||
        !read_pragma(store, "PRAGMA freelist_count", &unused, error))
        return false;
    *bytes = page * pages;
    *free_bytes = page * unused;
    return true;
}

/* It attaches a file of its own. */
bool store_vacuum(struct store *store, struct error *error)
{
    struct query query;
    int attached = sqlite3_limit(store->sqlite, SQLITE_LIMIT_ATTACHED, 1);
    bool done = query_open(&query, store, "VACUUM", error) && query_run(&query, error);
    sqlite3_limit(store->sqlite, SQLITE_LIMIT_ATTACHED, attached);
    if (!done)
        return false;
    store->behind = true;
    return store_flush(store, error) && query_open(&query, store, "PRAGMA wal_checkpoint(TRUNCATE)", error) &&
           query_run(&query, error);
}

/* ---- tables */

static const struct counted {
    const char *name, *sql; /* COUNT of its smallest index */
} counted[] = {
    {"evaluation", "SELECT count(*) FROM evaluation"}, {"run_evaluation", "SELECT count(*) FROM run_evaluation"},
    {"verdict", "SELECT count(*) FROM verdict"},       {"dispatch", "SELECT count(*) FROM dispatch"},
    {"final", "SELECT count(*) FROM final"},           {"run", "SELECT count(*) FROM run"},
    {"problem", "SELECT count(*) FROM problem"},       {"space", "SELECT count(*) FROM space"},
    {"template", "SELECT count(*) FROM template"},     {"device", "SELECT count(*) FROM device"},
    {"toolchain", "SELECT count(*) FROM toolchain"},   {"known_file", "SELECT count(*) FROM known_file"},
    {"online", "SELECT count(*) FROM online"},
};

/* The virtual table dbstat is an option of SQLite's. */
static bool has_sizes(struct store *store)
{
    sqlite3_stmt *statement;
    bool has = sqlite3_prepare_v2(store->sqlite, "SELECT 1 FROM dbstat LIMIT 0", -1, &statement, NULL) == SQLITE_OK;
    sqlite3_finalize(statement);
    return has;
}

static bool read_size(struct store *store, const char *name, int64_t *bytes, struct error *error)
{
    static const char sql[] =
        "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN (SELECT "
        "name FROM sqlite_master WHERE tbl_name = ?)";
    struct query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, name);
    return query_integer(&query, "size", bytes, error);
}

bool store_tables(struct store *store, store_table_visitor *visit, void *context, struct error *error)
{
    bool sized = has_sizes(store);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct store_table table = {.name = counted[i].name, .bytes = -1};
        if (!read_pragma(store, counted[i].sql, &table.rows, error) ||
            (sized && !read_size(store, table.name, &table.bytes, error)))
            return false;
        if (!visit(&table, context))
            break;
    }
    return true;
}
