#include "db/connection.h"

#include <math.h>

void store_set_patience(struct store *store, int milliseconds)
{
    store->patience_ms = milliseconds;
    sqlite3_busy_timeout(store->sqlite, milliseconds);
}

bool query_open(struct query *query, struct store *store, const char *sql, struct error *error)
{
    *query = (struct query){.store = store, .result = SQLITE_OK};
    int result = sqlite3_prepare_v2(store->sqlite, sql, -1, &query->statement, NULL);
    return result == SQLITE_OK || store_fail(store, result, "query", error);
}

void query_close(struct query *query)
{
    sqlite3_finalize(query->statement);
    query->statement = NULL;
}

/* Note what a bind returned and move on to the next place. */
static void note(struct query *query, int result)
{
    if (query->result == SQLITE_OK)
        query->result = result;
}

void query_bind_text(struct query *query, const char *text)
{
    note(query, sqlite3_bind_text(query->statement, ++query->bound, text, -1, SQLITE_STATIC));
}

void query_bind_integer(struct query *query, int64_t integer)
{
    note(query, sqlite3_bind_int64(query->statement, ++query->bound, integer));
}

void query_bind_known(struct query *query, int64_t integer)
{
    if (integer < 0)
        note(query, sqlite3_bind_null(query->statement, ++query->bound));
    else
        query_bind_integer(query, integer);
}

void query_bind_real(struct query *query, double real)
{
    note(query, sqlite3_bind_double(query->statement, ++query->bound, real));
}

void query_bind_positive(struct query *query, double real)
{
    query_bind_real(query, real > 0 && isfinite(real) ? real : NAN);
}

void query_bind_blob(struct query *query, const void *data, size_t bytes)
{
    note(query, sqlite3_bind_blob64(query->statement, ++query->bound, data, bytes, SQLITE_STATIC));
}

enum query_step query_step(struct query *query, struct error *error)
{
    int result = query->result == SQLITE_OK ? sqlite3_step(query->statement) : query->result;
    if (result == SQLITE_ROW)
        return QUERY_ROW;
    if (result == SQLITE_DONE)
        return QUERY_DONE;
    bool writes = !sqlite3_stmt_readonly(query->statement);
    store_fail(query->store, result, writes ? "write to" : "read", error);
    return QUERY_FAILED;
}

void query_rewind(struct query *query)
{
    sqlite3_reset(query->statement);
    query->bound = 0;
}

bool query_run(struct query *query, struct error *error)
{
    enum query_step step;
    do
        step = query_step(query, error);
    while (step == QUERY_ROW);
    query_close(query);
    return step == QUERY_DONE;
}

bool query_integer(struct query *query, const char *what, int64_t *integer, struct error *error)
{
    enum query_step step = query_step(query, error);
    if (step == QUERY_ROW)
        *integer = sqlite3_column_int64(query->statement, 0);
    else if (step == QUERY_DONE)
        error_set(error, ERROR_SYSTEM, "the database %s has no %s", query->store->path, what);
    query_close(query);
    return step == QUERY_ROW;
}

const char *query_text(struct query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text ? (const char *)text : "";
}

int64_t query_known(struct query *query, int column)
{
    if (sqlite3_column_type(query->statement, column) == SQLITE_NULL)
        return -1;
    return sqlite3_column_int64(query->statement, column);
}

double query_real(struct query *query, int column, double fallback)
{
    if (sqlite3_column_type(query->statement, column) == SQLITE_NULL)
        return fallback;
    return sqlite3_column_double(query->statement, column);
}

bool transaction_begin(struct store *store, struct error *error)
{
    if (store->read_only)
        return store_fail(store, SQLITE_READONLY, "write to", error);
    struct query query;
    return query_open(&query, store, "BEGIN IMMEDIATE", error) && query_run(&query, error);
}

/* SQLite has rolled back by itself after some failures (a full disk, for one). */
static void roll_back(struct store *store)
{
    if (!sqlite3_get_autocommit(store->sqlite))
        sqlite3_exec(store->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

bool transaction_end(struct store *store, bool done, struct error *error)
{
    struct query query;
    done = done && query_open(&query, store, "COMMIT", error) && query_run(&query, error);
    if (!done)
        roll_back(store);
    return done;
}
