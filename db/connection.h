/* SPDX-License-Identifier: Apache-2.0 */
/*
 * connection.h - what the parts of the store share: the open file, queries with bound values, transactions, failures.
 *
 * Inside db/ only. A query is prepared, bound left to right, stepped and closed; a value that could not be bound is
 * remembered and reported by the next step, so that binding needs no check of its own.
 *
 *     struct query query;
 *     if (!query_open(&query, store, "SELECT id FROM space WHERE hash = ?", error))
 *         return false;
 *     query_bind_text(&query, hash);
 *     while ((step = query_step(&query, error)) == QUERY_ROW) ...
 *     query_close(&query);
 */
#ifndef TUNE_DB_CONNECTION_H
#define TUNE_DB_CONNECTION_H

#include "db/store.h"

#include <sqlite3.h>

/* A statement that is prepared once. */
struct kept_statement {
    const char *sql;
    sqlite3_stmt *statement;
};

enum { KEPT_MOST = 16 };

struct store {
    sqlite3 *sqlite;
    char *path;
    bool read_only;
    int patience_ms; /* how long to wait for other programs' locks */
    struct kept_statement kept[KEPT_MOST];
    size_t kept_count;
    bool behind;         /* rows were committed that a power cut could still take */
    double synced_at;    /* seconds of a monotonic clock */
    double sync_seconds; /* what the last sync took */
};

/* Close the file and the statements that were kept. */
void store_disconnect(struct store *store);

/* Wait up to this long for locks from now on. */
void store_set_patience(struct store *store, int milliseconds);

/* Turn SQLite's result code into an error with a hint; `doing` completes "cannot ...". Always returns false. A result
 * that tells of damage is followed up by an integrity check, whose first finding is part of the text. */
bool store_fail(struct store *store, int result, const char *doing, struct error *error);

struct query {
    struct store *store;
    sqlite3_stmt *statement;
    bool kept;  /* the store keeps the statement */
    int bound;  /* values so far */
    int result; /* of binding: SQLITE_OK or the first failure */
};

bool query_open(struct query *query, struct store *store, const char *sql, struct error *error);
/* The same for what is asked once a row: the statement is prepared once and kept until the store is closed. `sql` is
 * a constant, known by its address. */
bool query_open_kept(struct query *query, struct store *store, const char *sql, struct error *error);
void query_close(struct query *query); /* also after query_open failed */

/* Bind the next value. Texts must live until the query is closed; NULL becomes NULL. */
void query_bind_text(struct query *query, const char *text);
void query_bind_integer(struct query *query, int64_t integer);
void query_bind_known(struct query *query, int64_t integer); /* negative: not known, NULL */
void query_bind_real(struct query *query, double real);      /* NaN becomes NULL */
void query_bind_positive(struct query *query, double real);  /* NULL unless > 0 and finite */
void query_bind_blob(struct query *query, const void *data, size_t bytes);

enum query_step { QUERY_FAILED, QUERY_ROW, QUERY_DONE };
enum query_step query_step(struct query *query, struct error *error);

/* Begin again with other values. */
void query_rewind(struct query *query);

/* Step to the end and close. */
bool query_run(struct query *query, struct error *error);
/* Take the one integer that the query gives and close. If it gives none: "the database FILE has no <what>". */
bool query_integer(struct query *query, const char *what, int64_t *integer, struct error *error);

/* Columns of the present row. Texts are the row's; NULL reads as "", -1 and the fallback. */
const char *query_text(struct query *query, int column);
int64_t query_known(struct query *query, int column);
double query_real(struct query *query, int column, double fallback);

/* A transaction that writes: it has the write lock from its start. It ends in a commit if `done`, else (or if the
 * commit fails) all is as before; returns whether all went well. What is committed outlives the program at once, and
 * a power cut when the journal was synced: before `transaction_end` returns, but for `transaction_end_soon` only if
 * that takes no more than a small share of the time. */
bool transaction_begin(struct store *store, struct error *error);
bool transaction_end(struct store *store, bool done, struct error *error);
bool transaction_end_soon(struct store *store, bool done, struct error *error);

#endif
