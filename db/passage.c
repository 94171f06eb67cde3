/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary table `taken` knows, for the source at hand, what each numbered row has become; `current` says
 * whether the row is here as it is there, so that what was decided about it there holds here as well.
 */
#include "db/passage.h"

#include "db/verdicts.h"

#include "tuner/error/text_stream.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 64, NAMES_MOST = 10 };

/* What a row of another table has become; :NAME is a value of the source's row. */
#define TARGET(kind, name)  "(SELECT target FROM taken WHERE kind = '" kind "' AND source = :" name ")"
#define CURRENT(kind, name) "(SELECT current FROM taken WHERE kind = '" kind "' AND source = :" name ")"

/* When finals last measured an evaluation, which they do without a new date. */
#define IN_FINALS                                                                                                    \
    "coalesce((SELECT max(run.started_at) FROM final JOIN run ON run.id = final.run "                                \
    "WHERE final.evaluation = evaluation.id), '')"

/* Runs that began alike at the same moment: how many of them are before this one. */
#define RUNS_BEFORE                                                                                                  \
    "(SELECT count(*) FROM run AS other WHERE other.problem = run.problem AND other.id < run.id AND "                \
    "(other.space, other.strategy, other.seed, other.started_at, other.host, other.process, other.tune_version) IS " \
    "(run.space, run.strategy, run.seed, run.started_at, run.host, run.process, run.tune_version))"
static const char runs_before[] = RUNS_BEFORE;

#define RANK(origin) "CASE " origin " WHEN 'measured' THEN 2 WHEN 'imported' THEN 1 ELSE 0 END"
#define RANK_THERE   RANK(":origin")
#define RANK_HERE    RANK("origin")

/* The last sign of life of a run. */
#define SIGN_THERE "(coalesce(:ended_at, :alive_at, :started_at), :status <> 'running')"
#define SIGN_HERE  "(coalesce(ended_at, alive_at, started_at), status <> 'running')"

/* A value that is not simply the source's. */
struct own_value {
    const char *column, *value;
};

static const struct table {
    const char *name;
    const char *key[NAMES_MOST]; /* what identifies a row; none: its primary key, and it has no number */
    struct own_value own[NAMES_MOST];
    const char *extra;     /* further values of the source's row, which the other texts use */
    bool fills;            /* what is unknown here becomes known from there */
    const char *newer;     /* does the source's row replace the one that is here? NULL: never */
    const char *same;      /* or are they the same? NULL: always */
    const char *condition; /* is the row wanted? NULL: always */
} tables[] = {
    {.name = "device", .key = {"kind", "name", "architecture", "sm_count", "memory_gib"}, .fills = true},
    {.name = "toolchain", .key = {"driver", "compiler"}},
    {.name = "template",
     .key = {"name", "hash"},
     .own = {{"used_at",
              "max(coalesce((SELECT used_at FROM template WHERE name = :name AND hash = :hash), ''), :used_at)"}},
     .fills = true,
     .same = "coalesce(metrics, :metrics) IS :metrics"},
    {.name = "space", .key = {"name", "hash"}},
    {.name = "problem",
     .key = {"template", "device", "toolchain", "size", "inputs"},
     .own = {{"template", TARGET("template", "template")},
             {"device", TARGET("device", "device")},
             {"toolchain", TARGET("toolchain", "toolchain")}},
     .fills = true},
    {.name = "run",
     .key = {"problem", "space", "strategy", "seed", "started_at", "host", "process", "tune_version", runs_before},
     .own = {{"problem", TARGET("problem", "problem")},
             {"space", TARGET("space", "space")},
             {runs_before, ":before"}},
     .extra = RUNS_BEFORE " AS before",
     .newer = SIGN_THERE " > " SIGN_HERE,
     .same = SIGN_THERE " = " SIGN_HERE},
    /* As where they are stored one by one (evaluations.h). Metrics by other definitions are computed again, but for
     * those of other tools' records. */
    {.name = "evaluation",
     .key = {"problem", "configuration"},
     .own = {{"problem", TARGET("problem", "problem")},
             {"metrics", "CASE WHEN :recorded OR " CURRENT("template", "template") " THEN :metrics END"}},
     .extra = IN_FINALS " AS in_finals, (SELECT template FROM problem WHERE id = evaluation.problem) AS template, "
                        "(SELECT kind = 'imported' FROM problem JOIN device ON device.id = problem.device WHERE "
                        "problem.id = evaluation.problem) AS recorded",
     .newer = "(:transient IS NULL, " RANK_THERE ", :measured_at, :in_finals) > (transient IS NULL, " RANK_HERE
              ", measured_at, " IN_FINALS ")",
     .same = "measured_at IS :measured_at AND origin IS :origin AND time_ns IS :time_ns"},
    {.name = "run_evaluation",
     .own = {{"run", TARGET("run", "run")}, {"evaluation", TARGET("evaluation", "evaluation")}}},
    {.name = "final",
     .own = {{"run", TARGET("run", "run")}, {"evaluation", TARGET("evaluation", "evaluation")}},
     .condition = CURRENT("run", "run")},
    {.name = "verdict",
     .own = {{"evaluation", TARGET("evaluation", "evaluation")}, {"winner", TARGET("evaluation", "winner")}},
     .extra = "(SELECT template FROM problem WHERE id = (SELECT problem FROM evaluation WHERE id = "
              "verdict.evaluation)) AS template",
     .condition = CURRENT("evaluation", "evaluation") " AND " CURRENT("evaluation", "winner") //
     " AND (:objective IN ('time', 'energy', 'edp') OR " CURRENT("template", "template") ")"},
    {.name = "dispatch",
     .key = {"template", "device", "inputs", "objective", "origin"},
     .own = {{"template", TARGET("template", "template")},
             {"device", TARGET("device", "device")},
             {"toolchain", TARGET("toolchain", "toolchain")}},
     .newer = ":made_at > made_at"},
    {.name = "known_file"},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* A table on its way from one database to the other. */
struct passage {
    const struct table *table;
    struct store *source, *target;
    char *columns[COLUMNS_MOST]; /* without `id` */
    size_t count;
    struct query rows; /* of the source: its number first if it has one, its columns, the extra */
    struct query find, insert, update, note; /* here */
    struct store_merge_rows *count_of;       /* NULL: nobody asks */
};

/* ---- statements */

static bool is_numbered(const struct table *table)
{
    return table->key[0] != NULL;
}

static bool is_key(const struct table *table, const char *column)
{
    bool found = false;
    for (size_t i = 0; i < NAMES_MOST && table->key[i] && !found; i++)
        found = strcmp(table->key[i], column) == 0;
    return found;
}

static void put_value(FILE *out, const struct table *table, const char *column)
{
    for (size_t i = 0; i < NAMES_MOST && table->own[i].column; i++) {
        if (strcmp(table->own[i].column, column) == 0) {
            fputs(table->own[i].value, out);
            return;
        }
    }
    fprintf(out, ":%s", column);
}

static bool has_own(const struct table *table, const char *column)
{
    bool found = false;
    for (size_t i = 0; i < NAMES_MOST && table->own[i].column && !found; i++)
        found = strcmp(table->own[i].column, column) == 0;
    return found;
}

static void put_rows(FILE *out, const struct passage *passage)
{
    fprintf(out, "SELECT %s", is_numbered(passage->table) ? "id" : "NULL");
    for (size_t i = 0; i < passage->count; i++)
        fprintf(out, ", %s", passage->columns[i]);
    fprintf(out, "%s%s FROM %s ORDER BY 1", passage->table->extra ? ", " : "",
            passage->table->extra ? passage->table->extra : "", passage->table->name);
}

static void put_find(FILE *out, const struct passage *passage)
{
    const struct table *table = passage->table;
    fprintf(out, "SELECT id, %s, %s FROM %s WHERE ", table->newer ? table->newer : "0",
            table->same ? table->same : "1", table->name);
    for (size_t i = 0; i < NAMES_MOST && table->key[i]; i++) {
        fprintf(out, "%s%s IS ", i ? " AND " : "", table->key[i]);
        put_value(out, table, table->key[i]);
    }
}

static void put_insert(FILE *out, const struct passage *passage)
{
    fprintf(out, "INSERT INTO %s (", passage->table->name);
    for (size_t i = 0; i < passage->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", passage->columns[i]);
    fputs(") SELECT ", out);
    for (size_t i = 0; i < passage->count; i++) {
        fputs(i ? ", " : "", out);
        put_value(out, passage->table, passage->columns[i]);
    }
    fprintf(out, " WHERE %s ON CONFLICT DO NOTHING", passage->table->condition ? passage->table->condition : "1");
}

/* Of the row :here. */
static void put_update(FILE *out, const struct passage *passage)
{
    const struct table *table = passage->table;
    const char *separator = "";
    fprintf(out, "UPDATE %s SET ", table->name);
    for (size_t i = 0; i < passage->count; i++) {
        const char *column = passage->columns[i];
        bool fills = table->fills && !has_own(table, column);
        if (is_key(table, column))
            continue;
        fprintf(out, "%s%s = %s%s%s", separator, column, fills ? "coalesce(" : "", fills ? column : "",
                fills ? ", " : "");
        put_value(out, table, column);
        fputs(fills ? ")" : "", out);
        separator = ", ";
    }
    fputs(" WHERE id = :here", out);
}

typedef void statement_writer(FILE *out, const struct passage *passage);

static bool open_query(struct query *query, struct store *store, statement_writer *put, const struct passage *passage,
                       struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    put(stream.out, passage);
    char *sql = text_stream_close(&stream, error);
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
            if (is_numbered(passage->table) && strcmp(name, "id") == 0)
                continue;
            char *copy = passage->count < COLUMNS_MOST ? strdup(name) : NULL;
            if (!copy) {
                error_out_of_memory(error);
                step = QUERY_FAILED;
                break;
            }
            passage->columns[passage->count++] = copy;
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}

static bool open_queries(struct passage *passage, struct error *error)
{
    if (!list_columns(passage, error) || !open_query(&passage->rows, passage->source, put_rows, passage, error) ||
        !open_query(&passage->insert, passage->target, put_insert, passage, error))
        return false;
    const struct table *table = passage->table;
    return !is_numbered(table) ||
           (open_query(&passage->find, passage->target, put_find, passage, error) &&
            (!(table->newer || table->fills) ||
             open_query(&passage->update, passage->target, put_update, passage, error)) &&
            query_open(&passage->note, passage->target,
                       "INSERT INTO taken (kind, source, target, current) VALUES (?, ?, ?, ?)", error));
}

static void close_queries(struct passage *passage)
{
    struct query *const all[] = {&passage->rows, &passage->find, &passage->insert, &passage->update, &passage->note};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        query_close(all[i]);
    for (size_t i = 0; i < passage->count; i++)
        free(passage->columns[i]);
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
    if (is_numbered(passage->table)) {
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
    for (size_t i = 0; i < TABLES && done; i++) {
        struct passage passage = {.table = &tables[i], .source = source, .target = target};
        if (strcmp(tables[i].name, "run") == 0)
            passage.count_of = &counts->runs;
        if (strcmp(tables[i].name, "evaluation") == 0)
            passage.count_of = &counts->evaluations;
        done = take_table(&passage, error);
    }
    return done;
}
