/* SPDX-License-Identifier: Apache-2.0 */
#include "db/connection.h"
#include "db/distrust.h"
#include "db/loss.h"

#include <math.h>
#include <string.h>
#include <time.h>

void store_set_patience(struct store *store, int milliseconds)
{
    store->patience_ms = milliseconds;
    sqlite3_busy_timeout(store->sqlite, milliseconds);
}

void store_disconnect(struct store *store)
{
    for (size_t i = 0; i < store->kept_count; i++)
        sqlite3_finalize(store->kept[i]);
    store->kept_count = 0;
    sqlite3_close(store->sqlite);
    store->sqlite = NULL;
}

bool query_open(struct query *query, struct store *store, const char *sql, struct error *error)
{
    *query = (struct query){.store = store, .result = SQLITE_OK};
    int result = sqlite3_prepare_v2(store->sqlite, sql, -1, &query->statement, NULL);
    return result == SQLITE_OK || store_fail(store, result, "query", error);
}

/* The store's statement for `sql`, prepared now if need be; NULL: it is in use, or there is no room. */
static sqlite3_stmt *keep(struct store *store, const char *sql, int *result)
{
    for (size_t i = 0; i < store->kept_count; i++) {
        if (strcmp(sqlite3_sql(store->kept[i]), sql) == 0)
            return sqlite3_stmt_busy(store->kept[i]) ? NULL : store->kept[i];
    }
    if (store->kept_count == KEPT_MOST)
        return NULL;
    sqlite3_stmt *statement;
    *result = sqlite3_prepare_v3(store->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (*result == SQLITE_OK)
        store->kept[store->kept_count++] = statement;
    return statement;
}

bool query_open_kept(struct query *query, struct store *store, const char *sql, struct error *error)
{
    *query = (struct query){.store = store, .result = SQLITE_OK};
    int result = SQLITE_OK;
    query->statement = keep(store, sql, &result);
    query->kept = query->statement != NULL;
    if (result != SQLITE_OK)
        return store_fail(store, result, "query", error);
    return query->kept || query_open(query, store, sql, error);
}

void query_close(struct query *query)
{
    if (query->kept) {
        sqlite3_reset(query->statement);
        sqlite3_clear_bindings(query->statement);
    } else {
        sqlite3_finalize(query->statement);
    }
    query->statement = NULL;
}

/* Note what a bind returned and advance to the next parameter. */
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

/* Queries may be nested, and each has its own allowance. */
static int step(struct query *query)
{
    struct store *store = query->store;
    if (distrust_bytes(store, query->bytes))
        return SQLITE_TOOBIG;
    uint64_t outer = store->steps;
    store->steps = query->steps;
    int result = sqlite3_step(query->statement);
    query->steps = store->steps;
    store->steps = outer;
    return result;
}

enum query_step query_step(struct query *query, struct error *error)
{
    int result = query->result == SQLITE_OK ? step(query) : query->result;
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
    query->steps = query->bytes = 0;
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
    query->bytes += (uint64_t)sqlite3_column_bytes(query->statement, column);
    return text ? (const char *)text : "";
}

static bool is_number(struct query *query, int column)
{
    int type = sqlite3_column_type(query->statement, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

int64_t query_known(struct query *query, int column)
{
    if (!is_number(query, column))
        return -1;
    return sqlite3_column_int64(query->statement, column);
}

double query_real(struct query *query, int column, double fallback)
{
    if (!is_number(query, column))
        return fallback;
    double real = sqlite3_column_double(query->statement, column);
    return isfinite(real) ? real : fallback;
}

bool transaction_begin(struct store *store, struct error *error)
{
    if (store->read_only)
        return store_fail(store, SQLITE_READONLY, "write to", error);
    if (store->is_lost)
        return loss_fail(store, error);
    static const char sql[] = "BEGIN IMMEDIATE";
    struct query query;
    return query_open_kept(&query, store, sql, error) && query_run(&query, error);
}

/* After some failures, such as a full disk, SQLite has already rolled back. */
static void roll_back(struct store *store)
{
    if (!sqlite3_get_autocommit(store->sqlite))
        sqlite3_exec(store->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

static double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/*
 * Commits leave syncing the WAL to this function (PRAGMA synchronous = NORMAL), which asks the journal's file for it
 * (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html). One sync makes all earlier commits durable. What a
 * checkpoint has taken out of the WAL is synced already.
 */
static bool sync_journal(struct store *store, struct error *error)
{
    if (!store->behind)
        return true;
    double start = monotonic_seconds();
    sqlite3_file *journal = NULL;
    int result = sqlite3_file_control(store->sqlite, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal);
    if (result == SQLITE_OK && journal && journal->pMethods)
        result = journal->pMethods->xSync(journal, SQLITE_SYNC_NORMAL);
    if (result != SQLITE_OK)
        return store_fail(store, result, "write to", error);
    store->behind = false;
    store->synced_at = monotonic_seconds();
    store->sync_seconds = store->synced_at - start;
    return true;
}

bool store_flush(struct store *store, struct error *error)
{
    return sync_journal(store, error) && loss_check_soon(store, monotonic_seconds(), error);
}

static bool commit(struct store *store, bool done, struct error *error)
{
    static const char sql[] = "COMMIT";
    struct query query;
    done = done && query_open_kept(&query, store, sql, error) && query_run(&query, error);
    if (done)
        store->behind = true;
    else
        roll_back(store);
    return done;
}

bool transaction_end(struct store *store, bool done, struct error *error)
{
    return commit(store, done, error) && sync_journal(store, error) && loss_check(store, error);
}

bool transaction_end_soon(struct store *store, bool done, struct error *error)
{
    /* Spend at most a twentieth of the time syncing, but never delay it by more than a second. */
    enum { SHARE = 20 };
    static const double longest = 1;
    if (!commit(store, done, error))
        return false;
    double wait = fmin(SHARE * store->sync_seconds, longest), now = monotonic_seconds();
    return (now - store->synced_at < wait || sync_journal(store, error)) && loss_check_soon(store, now, error);
}
