/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary table `taken` knows, for the source at hand, what each numbered row has become; `current` says
 * whether the row is here as it is there, so that what was decided about it there holds here as well.
 */
#include "db/passage.h"

#include "db/passage_sql.h"
#include "db/verdicts.h"

#include <stdlib.h>
#include <string.h>

/* A table on its way from one database to the other. */
struct passage {
    const struct passage_table *table;
    struct store *source, *target;
    struct passage_columns columns;
    struct query rows; /* of the source: its number first if it has one, its columns, the extra */
    struct query find, insert, update, note; /* here */
    struct store_merge_rows *count_of;       /* NULL: nobody asks */
};

/* ---- statements */

static bool open_query(struct query *query, struct store *store, enum passage_statement statement,
                       const struct passage *passage, struct error *error)
{
    char *sql = passage_sql(statement, passage->table, &passage->columns, error);
    bool done = sql && query_open(query, store, sql, error);
    free(sql);
    return done;
}

/* The columns of our own schema; the source's rows must have them all. */
static bool list_columns(struct passage *passage, struct error *error)
{
    char sql[64];
    struct query query;
    enum query_step step = QUERY_FAILED;
    snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", passage->table->name);
    if (query_open(&query, passage->target, sql, error)) {
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            const char *name = query_text(&query, 1);
            if (passage_is_numbered(passage->table) && strcmp(name, "id") == 0)
                continue;
            char *copy = passage->columns.count < PASSAGE_COLUMNS ? strdup(name) : NULL;
            if (!copy) {
                error_out_of_memory(error);
                step = QUERY_FAILED;
                break;
            }
            passage->columns.names[passage->columns.count++] = copy;
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}

static bool open_queries(struct passage *passage, struct error *error)
{
    if (!list_columns(passage, error) || !open_query(&passage->rows, passage->source, PASSAGE_ROWS, passage, error) ||
        !open_query(&passage->insert, passage->target, PASSAGE_INSERT, passage, error))
        return false;
    const struct passage_table *table = passage->table;
    return !passage_is_numbered(table) ||
           (open_query(&passage->find, passage->target, PASSAGE_FIND, passage, error) &&
            (!(table->newer || table->fills) ||
             open_query(&passage->update, passage->target, PASSAGE_UPDATE, passage, error)) &&
            query_open(&passage->note, passage->target,
                       "INSERT INTO taken (kind, source, target, current) VALUES (?, ?, ?, ?)", error));
}

static void close_queries(struct passage *passage)
{
    struct query *const all[] = {&passage->rows, &passage->find, &passage->insert, &passage->update, &passage->note};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        query_close(all[i]);
    for (size_t i = 0; i < passage->columns.count; i++)
        free(passage->columns.names[i]);
}

/* ---- rows */

static uint64_t bytes_of(const struct query *rows, int column)
{
    int type = sqlite3_column_type(rows->statement, column);
    return type == SQLITE_TEXT || type == SQLITE_BLOB ? (uint64_t)sqlite3_column_bytes(rows->statement, column) : 0;
}

/* Give a statement those values of the source's row that it names. */
static void bind_row(struct query *query, struct query *rows)
{
    query_rewind(query);
    for (int i = 1; i < sqlite3_column_count(rows->statement); i++) {
        char name[64];
        snprintf(name, sizeof name, ":%s", sqlite3_column_name(rows->statement, i));
        int place = sqlite3_bind_parameter_index(query->statement, name);
        int result =
            place ? sqlite3_bind_value(query->statement, place, sqlite3_column_value(rows->statement, i)) : SQLITE_OK;
        if (query->result == SQLITE_OK)
            query->result = result;
    }
}

/* Run a statement that writes. What the schema does not allow is the source's fault. */
static bool write_row(struct passage *passage, struct query *query, struct error *error)
{
    if (query_step(query, error) == QUERY_DONE)
        return true;
    sqlite3 *sqlite = passage->target->sqlite;
    if ((sqlite3_errcode(sqlite) & 0xff) != SQLITE_CONSTRAINT)
        return false;
    error_set(error, ERROR_SYSTEM, "the database %s has a row in its table %s that cannot be: %s",
              passage->source->path, passage->table->name, sqlite3_errmsg(sqlite));
    return error_hint(error, "it may be damaged or forged; see what sqlite3 FILE 'pragma foreign_key_check' says");
}

static bool note_row(struct passage *passage, int64_t id, bool current, struct error *error)
{
    struct query *note = &passage->note;
    query_rewind(note);
    query_bind_text(note, passage->table->name);
    query_bind_integer(note, query_known(&passage->rows, 0));
    query_bind_integer(note, id);
    query_bind_integer(note, current);
    return query_step(note, error) == QUERY_DONE;
}

/* What finals decided of a row that is replaced goes with it. */
static bool forget_decided(struct passage *passage, int64_t id, struct error *error)
{
    struct query query;
    if (strcmp(passage->table->name, "evaluation") == 0)
        return verdict_forget(passage->target, id, error);
    if (strcmp(passage->table->name, "run") != 0)
        return true;
    if (!query_open(&query, passage->target, "DELETE FROM final WHERE run = ?", error))
        return false;
    query_bind_integer(&query, id);
    return query_run(&query, error);
}

static bool update_row(struct passage *passage, int64_t id, struct error *error)
{
    struct query *update = &passage->update;
    bind_row(update, &passage->rows);
    int place = sqlite3_bind_parameter_index(update->statement, ":here");
    sqlite3_bind_int64(update->statement, place, id);
    return write_row(passage, update, error);
}

/* A row that others refer to by its number. */
static bool take_numbered(struct passage *passage, bool *added, struct error *error)
{
    struct query *find = &passage->find;
    bind_row(find, &passage->rows);
    enum query_step step = query_step(find, error);
    *added = step == QUERY_DONE;
    if (step == QUERY_FAILED)
        return false;
    int64_t id = query_known(find, 0);
    bool newer = query_known(find, 1) == 1, same = query_known(find, 2) == 1;
    query_rewind(find);
    if (*added) {
        bind_row(&passage->insert, &passage->rows);
        return write_row(passage, &passage->insert, error) &&
               note_row(passage, sqlite3_last_insert_rowid(passage->target->sqlite), true, error);
    }
    return (!newer || forget_decided(passage, id, error)) &&
           (!(newer || passage->table->fills) || update_row(passage, id, error)) &&
           note_row(passage, id, newer || same, error);
}

static bool take_row(struct passage *passage, struct error *error)
{
    bool added = false;
    for (int i = 0; i < sqlite3_column_count(passage->rows.statement); i++)
        passage->rows.bytes += bytes_of(&passage->rows, i);
    bool done;
    if (passage_is_numbered(passage->table)) {
        done = take_numbered(passage, &added, error);
    } else {
        bind_row(&passage->insert, &passage->rows);
        done = write_row(passage, &passage->insert, error);
    }
    if (passage->count_of) {
        passage->count_of->rows++;
        passage->count_of->added += added;
    }
    return done;
}

static bool is_interrupted(const struct passage *passage, struct error *error)
{
    const volatile sig_atomic_t *interrupted = passage->target->interrupted;
    return interrupted && *interrupted && !error_set(error, ERROR_WORK, "interrupted");
}

static bool take_table(struct passage *passage, struct error *error)
{
    enum query_step step = QUERY_FAILED;
    if (open_queries(passage, error)) {
        while ((step = query_step(&passage->rows, error)) == QUERY_ROW) {
            if (is_interrupted(passage, error) || !take_row(passage, error)) {
                step = QUERY_FAILED;
                break;
            }
        }
    }
    close_queries(passage);
    return step == QUERY_DONE;
}

static bool forget_numbers(struct store *target, struct error *error)
{
    static const char sql[] = "CREATE TEMP TABLE IF NOT EXISTS taken (kind TEXT, source INTEGER, target INTEGER NOT "
                              "NULL, current INTEGER NOT NULL, PRIMARY KEY (kind, source)) WITHOUT ROWID";
    struct query query;
    return query_open(&query, target, sql, error) && query_run(&query, error) &&
           query_open(&query, target, "DELETE FROM taken", error) && query_run(&query, error);
}

bool passage_take(struct store *target, struct store *source, struct store_merge_count *counts, struct error *error)
{
    bool done = forget_numbers(target, error);
    for (size_t i = 0; i < passage_table_count && done; i++) {
        struct passage passage = {.table = &passage_tables[i], .source = source, .target = target};
        if (strcmp(passage_tables[i].name, "run") == 0)
            passage.count_of = &counts->runs;
        if (strcmp(passage_tables[i].name, "evaluation") == 0)
            passage.count_of = &counts->evaluations;
        done = take_table(&passage, error);
    }
    return done;
}
