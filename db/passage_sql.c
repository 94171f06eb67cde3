/* SPDX-License-Identifier: Apache-2.0 */
#include "db/passage_sql.h"

#include "tuner/error/text_stream.h"

#include <string.h>

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

const struct passage_table passage_tables[] = {
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
    {.name = "online",
     .key = {"template", "device", "size", "inputs"},
     .own = {{"template", TARGET("template", "template")},
             {"device", TARGET("device", "device")},
             {"toolchain", TARGET("toolchain", "toolchain")}},
     .newer = ":found_at > found_at"},
    {.name = "known_file"},
};
const size_t passage_table_count = sizeof passage_tables / sizeof *passage_tables;

bool passage_is_numbered(const struct passage_table *table)
{
    return table->key[0] != NULL;
}

/* ---- statements */

static bool is_key(const struct passage_table *table, const char *column)
{
    bool found = false;
    for (size_t i = 0; i < PASSAGE_NAMES && table->key[i] && !found; i++)
        found = strcmp(table->key[i], column) == 0;
    return found;
}

static void put_value(FILE *out, const struct passage_table *table, const char *column)
{
    for (size_t i = 0; i < PASSAGE_NAMES && table->own[i].column; i++) {
        if (strcmp(table->own[i].column, column) == 0) {
            fputs(table->own[i].value, out);
            return;
        }
    }
    fprintf(out, ":%s", column);
}

static bool has_own(const struct passage_table *table, const char *column)
{
    bool found = false;
    for (size_t i = 0; i < PASSAGE_NAMES && table->own[i].column && !found; i++)
        found = strcmp(table->own[i].column, column) == 0;
    return found;
}

static void put_rows(FILE *out, const struct passage_table *table, const struct passage_columns *columns)
{
    fprintf(out, "SELECT %s", passage_is_numbered(table) ? "id" : "NULL");
    for (size_t i = 0; i < columns->count; i++)
        fprintf(out, ", %s", columns->names[i]);
    fprintf(out, "%s%s FROM %s ORDER BY 1", table->extra ? ", " : "", table->extra ? table->extra : "", table->name);
}

static void put_find(FILE *out, const struct passage_table *table, const struct passage_columns *columns)
{
    (void)columns;
    fprintf(out, "SELECT id, %s, %s FROM %s WHERE ", table->newer ? table->newer : "0",
            table->same ? table->same : "1", table->name);
    for (size_t i = 0; i < PASSAGE_NAMES && table->key[i]; i++) {
        fprintf(out, "%s%s IS ", i ? " AND " : "", table->key[i]);
        put_value(out, table, table->key[i]);
    }
}

static void put_insert(FILE *out, const struct passage_table *table, const struct passage_columns *columns)
{
    fprintf(out, "INSERT INTO %s (", table->name);
    for (size_t i = 0; i < columns->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", columns->names[i]);
    fputs(") SELECT ", out);
    for (size_t i = 0; i < columns->count; i++) {
        fputs(i ? ", " : "", out);
        put_value(out, table, columns->names[i]);
    }
    fprintf(out, " WHERE %s ON CONFLICT DO NOTHING", table->condition ? table->condition : "1");
}

/* Of the row :here. */
static void put_update(FILE *out, const struct passage_table *table, const struct passage_columns *columns)
{
    const char *separator = "";
    fprintf(out, "UPDATE %s SET ", table->name);
    for (size_t i = 0; i < columns->count; i++) {
        const char *column = columns->names[i];
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

char *passage_sql(enum passage_statement statement, const struct passage_table *table,
                  const struct passage_columns *columns, struct error *error)
{
    static void (*const writers[])(FILE *, const struct passage_table *,
                                   const struct passage_columns *) = {[PASSAGE_ROWS] = put_rows,
                                                                      [PASSAGE_FIND] = put_find,
                                                                      [PASSAGE_INSERT] = put_insert,
                                                                      [PASSAGE_UPDATE] = put_update};
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return NULL;
    writers[statement](stream.out, table, columns);
    return text_stream_close(&stream, error);
}
