/* SPDX-License-Identifier: Apache-2.0 */
/*
 * connection.h - what the parts of the store share: the open file, queries with bound values, transactions, failures.
 *
 * Internal to db/. A query is prepared, bound from left to right, stepped and closed. A value that could not be bound
 * is remembered and reported by the next step, so that binds need no checks of their own.
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
#include <sys/stat.h>
#include <sys/types.h>

enum { KEPT_MOST = 64 };

/* The file that had a name when that was last known. */
struct file_identity {
    dev_t device;
    ino_t inode;
    bool known;
};

enum { LOSS_FILES = 3 }; /* the database, its journal, the journal's index */

struct store {
    sqlite3 *sqlite;
    char *path;
    char *shown; /* in place of the path; NULL: the path */
    bool read_only;
    bool is_source;                /* of a merge or a site (store_open_untouched): --db does not name it */
    int patience_ms;               /* how long to wait for other programs' locks */
    sqlite3_stmt *kept[KEPT_MOST]; /* statements that are prepared only once */
    size_t kept_count;
    bool together;       /* rows are committed together (store_rows_begin) */
    bool half_written;   /* one of them is */
    bool behind;         /* there are committed rows that a power cut could still undo */
    double synced_at;    /* monotonic seconds */
    double sync_seconds; /* how long the last sync took */
    uint64_t steps;      /* of SQLite's virtual machine that the running query has taken (see distrust.h) */
    uint64_t bytes;      /* the file's size when that was last looked at */
    struct file_identity files[LOSS_FILES]; /* see loss.h */
    double looked_at;                       /* at these, in monotonic seconds */
    bool is_lost;
    struct error loss;                        /* how */
    char *rescued;                            /* the database that its rows were copied to */
    const volatile sig_atomic_t *interrupted; /* not 0: queries are to end, with an error; NULL: never */
    struct stat seen; /* the file, where it is read without locks (store_open_untouched); st_ino 0: it is not */
};

/* Close the file and the kept statements. */
void store_disconnect(struct store *store);

/* From now on, wait up to this long for locks. */
void store_set_patience(struct store *store, int milliseconds);

/* For hints: what to do about a file that is not the right one. */
const char *store_another_file(const struct store *store);

/* Turn SQLite's result code into an error with a hint; `doing` completes "cannot ...". Always returns false. If the
 * result suggests damage, an integrity check is run and its first finding quoted. */
bool store_fail(struct store *store, int result, const char *doing, struct error *error);

struct query {
    struct store *store;
    sqlite3_stmt *statement;
    bool kept;             /* the statement belongs to the store */
    int bound;             /* values bound so far */
    int result;            /* of the binds: SQLITE_OK or the first failure */
    uint64_t steps, bytes; /* taken and handed out so far */
};

bool query_open(struct query *query, struct store *store, const char *sql, struct error *error);
/* The same for queries made for every row or every answer: the statement is prepared once and kept until the store is
 * closed. Of those with the same text one is kept. */
bool query_open_kept(struct query *query, struct store *store, const char *sql, struct error *error);
void query_close(struct query *query); /* also allowed after query_open has failed */

/* Bind the next value. Texts must outlive the query; NULL becomes NULL. */
void query_bind_text(struct query *query, const char *text);
void query_bind_integer(struct query *query, int64_t integer);
void query_bind_known(struct query *query, int64_t integer); /* negative: unknown, NULL */
void query_bind_real(struct query *query, double real);      /* NaN becomes NULL */
void query_bind_positive(struct query *query, double real);  /* NULL unless > 0 and finite */

enum query_step { QUERY_FAILED, QUERY_ROW, QUERY_DONE };
enum query_step query_step(struct query *query, struct error *error);

/* Start again with other values. */
void query_rewind(struct query *query);

/* Run to the end and close. */
bool query_run(struct query *query, struct error *error);
/* Take the one integer that the query returns and close. If it returns none: "the database FILE has no <what>". */
bool query_integer(struct query *query, const char *what, int64_t *integer, struct error *error);

/* Columns of the current row, which owns its texts; NULL reads as "", -1 or the fallback, and so does what is no
 * number, or not finite, where a number belongs. */
const char *query_text(struct query *query, int column);
int64_t query_known(struct query *query, int column);
double query_real(struct query *query, int column, double fallback);

/* A write transaction, which has the write lock from the start. It commits if `done`; otherwise, or if the commit
 * fails, nothing has changed. Returns whether all went well. What is committed survives the program at once, and a
 * power cut once the journal is synced: transaction_end syncs before it returns, transaction_end_soon only if syncing
 * takes a small share of the time. */
bool transaction_begin(struct store *store, struct error *error);
bool transaction_end(struct store *store, bool done, struct error *error);
bool transaction_end_soon(struct store *store, bool done, struct error *error);

#endif
