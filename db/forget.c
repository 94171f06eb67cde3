/* SPDX-License-Identifier: Apache-2.0 */
#include "db/forget.h"

#include "db/candidates.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Parameters: the problem, whether only failures go, and the date before which rows go. */
#define CRITERIA                                                                                                     \
    "(?2 = 0 OR evaluation.outcome <> 'ok') AND (?3 IS NULL OR evaluation.measured_at < ?3) AND evaluation.id NOT "  \
    "IN (SELECT shipped.id FROM evaluation AS shipped WHERE shipped.origin = 'shipped')"

struct problem {
    int64_t id;
    char *template_name, *device_name, *size, *definitions;
    bool in_use;
};

struct forgetting {
    struct store *store;
    const struct forget_criteria *criteria;
    bool dry_run;
    char *before; /* date and time; NULL: of any age */
    struct problem *problems;
    size_t count;
    struct forget_rest rest;
};

/* Do the best rows go, and what answers besides them? */
static bool takes_best(const struct forgetting *forgetting)
{
    return forgetting->criteria->best_too && !forgetting->criteria->failed;
}

static bool run(struct store *store, const char *sql, struct error *error)
{
    struct query query;
    return query_open(&query, store, sql, error) && query_run(&query, error);
}

static bool run_for(struct store *store, const char *sql, int64_t id, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_integer(&query, id);
    return query_run(&query, error);
}

/* ---- the problems */

static bool add_problem(struct forgetting *forgetting, struct query *query)
{
    struct problem *more = reallocarray(forgetting->problems, forgetting->count + 1, sizeof *more);
    if (!more)
        return false;
    forgetting->problems = more;
    struct problem *problem = &more[forgetting->count++];
    *problem = (struct problem){.id = query_known(query, 0),
                                .template_name = strdup(query_text(query, 1)),
                                .device_name = strdup(query_text(query, 2)),
                                .size = strdup(query_text(query, 3)),
                                .definitions = strdup(query_text(query, 4)),
                                .in_use = query_known(query, 5) == 1};
    return problem->template_name && problem->device_name && problem->size && problem->definitions;
}

#define PROBLEMS(condition)                                                                                          \
    "SELECT problem.id, template.name, device.name, problem.size, template.metrics, EXISTS (SELECT 1 FROM run "      \
    "WHERE run.problem = problem.id AND run.status = 'running') FROM template JOIN problem ON problem.template = "   \
    "template.id JOIN device ON device.id = problem.device WHERE " condition                                         \
    " AND (?2 IS NULL OR device.name = ?2) AND (?3 IS NULL OR device.kind = ?3) "                                    \
    "ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size, problem.id"

static bool find_problems(struct forgetting *forgetting, struct error *error)
{
    const struct forget_criteria *criteria = forgetting->criteria;
    struct query query;
    enum query_step step = QUERY_FAILED;
    if (!query_open(&query, forgetting->store,
                    criteria->template_name ? PROBLEMS("template.name = ?1") : PROBLEMS("?1 IS NULL"), error))
        return false;
    query_bind_text(&query, criteria->template_name);
    query_bind_text(&query, criteria->device_name);
    query_bind_text(&query, criteria->device_kind);
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        if (!add_problem(forgetting, &query)) {
            error_out_of_memory(error);
            step = QUERY_FAILED;
            break;
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}

/* ---- what answers besides the rows */

/* Of the templates and devices that are asked for, whether these have rows or not: imported files may have trees
 * alone, and programs find what they do with shipped knowledge. */
#define BESIDES(columns, table, date)                                                                                \
    columns " FROM " table " WHERE " date " AND EXISTS (SELECT 1 FROM template WHERE template.id = " table           \
            ".template AND (?2 IS NULL OR name = ?2)) AND EXISTS (SELECT 1 FROM device WHERE device.id = " table     \
            ".device AND (?3 IS NULL OR name = ?3) AND (?4 IS NULL OR kind = ?4))"
#define TREES(columns)  BESIDES(columns, "dispatch", "origin <> 'shipped' AND (?1 IS NULL OR made_at < ?1)")
#define ONLINE(columns) BESIDES(columns, "online", "(?1 IS NULL OR found_at < ?1)")

static bool open_besides(const struct forgetting *forgetting, const char *sql, struct query *query,
                         struct error *error)
{
    const struct forget_criteria *criteria = forgetting->criteria;
    if (!query_open(query, forgetting->store, sql, error))
        return false;
    query_bind_text(query, forgetting->before);
    query_bind_text(query, criteria->template_name);
    query_bind_text(query, criteria->device_name);
    query_bind_text(query, criteria->device_kind);
    return true;
}

static bool count_besides(struct forgetting *forgetting, struct error *error)
{
    struct forget_rest *rest = &forgetting->rest;
    struct query query;
    return open_besides(forgetting, TREES("SELECT count(*)"), &query, error) &&
           query_integer(&query, "answer", &rest->trees, error) &&
           open_besides(forgetting, ONLINE("SELECT count(*)"), &query, error) &&
           query_integer(&query, "answer", &rest->online, error);
}

static bool forget_besides(struct forgetting *forgetting, struct error *error)
{
    struct query query;
    if (!takes_best(forgetting)) {
        forgetting->rest.trees = forgetting->rest.online = 0;
        return true;
    }
    return forgetting->dry_run ||
           (open_besides(forgetting, TREES("DELETE"), &query, error) && query_run(&query, error) &&
            open_besides(forgetting, ONLINE("DELETE"), &query, error) && query_run(&query, error));
}

static bool check_found(const struct forgetting *forgetting, struct error *error)
{
    const char *path = forgetting->store->path;
    const struct forget_rest *rest = &forgetting->rest;
    bool besides = rest->trees + rest->online > 0;
    if (forgetting->count > 0 || (besides && takes_best(forgetting)))
        return true;
    if (besides) {
        error_set(error, ERROR_INPUT, "of such results the database %s has only %s", path,
                  rest->trees > 0 ? "trees over sizes" : "answers found online");
        return error_hint(error, "--with-best forgets them");
    }
    error_set(error, ERROR_INPUT, "the database %s has no such results", path);
    return error_hint(error, "'tune best' lists the templates and devices that it has results of");
}

static bool find_date(struct forgetting *forgetting, struct error *error)
{
    char age[64];
    struct query query;
    if (!(forgetting->criteria->older_than > 0))
        return true;
    snprintf(age, sizeof age, "-%.3f seconds", forgetting->criteria->older_than);
    if (!query_open(&query, forgetting->store, "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)", error))
        return false;
    query_bind_text(&query, age);
    bool done = query_step(&query, error) == QUERY_ROW;
    if (done)
        forgetting->before = strdup(query_text(&query, 0)); /* "": before all dates */
    query_close(&query);
    return done && (forgetting->before || error_out_of_memory(error));
}

/* ---- what stays: the temporary table `kept` */

static bool keep_best(struct store *store, int64_t problem, const char *objective, struct error *error)
{
    struct ranking ranking;
    struct query query;
    struct error unknown = {0};
    if (!ranking_find(store, objective, &ranking, &unknown)) { /* a name that cannot be ranked by has no best */
        if (unknown.code == ERROR_INPUT)
            return true;
        *error = unknown;
        return false;
    }
    char *candidates = candidates_sql(&ranking, false, NULL), *sql = NULL;
    if (!candidates || asprintf(&sql,
                                RANKING_WITH ", asked (problem, objective) AS (SELECT ?3, 'time') "
                                             "INSERT OR IGNORE INTO kept SELECT evaluation FROM (%s) "
                                             "ORDER BY value, evaluation LIMIT 1",
                                candidates) < 0)
        sql = NULL;
    free(candidates);
    if (!ranking_open(&query, store, &ranking, sql, error))
        return false;
    query_bind_integer(&query, problem);
    return query_run(&query, error);
}

static void bind_criteria(struct query *query, const struct forgetting *forgetting, const struct problem *problem)
{
    query_bind_integer(query, problem->id);
    query_bind_integer(query, forgetting->criteria->failed);
    query_bind_text(query, forgetting->before);
}

/* The winners of rows that stay: without its winner a row that lost finals could become best. */
static bool keep_winners(struct forgetting *forgetting, const struct problem *problem, struct error *error)
{
    struct query query;
    if (!query_open(&query, forgetting->store,
                    "INSERT OR IGNORE INTO kept SELECT verdict.winner FROM evaluation CROSS JOIN verdict "
                    "ON verdict.evaluation = evaluation.id WHERE evaluation.problem = ?1 "
                    "AND (evaluation.id IN (SELECT id FROM kept) OR NOT (" CRITERIA "))",
                    error))
        return false;
    bind_criteria(&query, forgetting, problem);
    return query_run(&query, error);
}

/* The finalists that a best row won against; and those that beat what stays, and those that beat them. */
static bool keep_evidence(struct forgetting *forgetting, const struct problem *problem, struct error *error)
{
    bool done = run(forgetting->store,
                    "INSERT OR IGNORE INTO kept SELECT verdict.evaluation FROM kept AS best CROSS JOIN verdict "
                    "ON verdict.winner = best.id WHERE verdict.result <> 'outside'",
                    error);
    do
        done = done && keep_winners(forgetting, problem, error);
    while (done && sqlite3_changes(forgetting->store->sqlite) > 0);
    return done;
}

static bool find_kept(struct forgetting *forgetting, const struct problem *problem, struct error *error)
{
    struct store *store = forgetting->store;
    json_t *names = NULL;
    if (!run(store, "DELETE FROM kept", error))
        return false;
    if (forgetting->criteria->best_too)
        return true;
    bool done = ranking_names(problem->definitions, &names, error);
    for (size_t i = 0; done && i < json_array_size(names); i++)
        done = keep_best(store, problem->id, json_string_value(json_array_get(names, i)), error);
    json_decref(names);
    return done && keep_evidence(forgetting, problem, error);
}

/* ---- what goes */

static bool count_rows(struct forgetting *forgetting, const struct problem *problem, struct forget_row *row,
                       struct error *error)
{
    struct query query;
    enum query_step step;
    if (!query_open(&query, forgetting->store,
                    "SELECT evaluation.id IN (SELECT id FROM kept) AS stays, count(*), "
                    "sum(evaluation.outcome <> 'ok') FROM evaluation WHERE evaluation.problem = ?1 AND " CRITERIA
                    " GROUP BY stays",
                    error))
        return false;
    bind_criteria(&query, forgetting, problem);
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        if (problem->in_use) {
            row->in_use += query_known(&query, 1);
        } else if (query_known(&query, 0) == 1) {
            row->kept = query_known(&query, 1);
        } else {
            row->evaluations = query_known(&query, 1);
            row->failures = query_known(&query, 2);
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}

/* What refers to a row goes with it. */
static bool delete_rows(struct forgetting *forgetting, const struct problem *problem, struct error *error)
{
    struct store *store = forgetting->store;
    struct query query;
    if (!query_open(&query, store,
                    "DELETE FROM evaluation WHERE evaluation.problem = ?1 AND " CRITERIA
                    " AND evaluation.id NOT IN (SELECT id FROM kept)",
                    error))
        return false;
    bind_criteria(&query, forgetting, problem);
    if (!query_run(&query, error) ||
        !run_for(store,
                 "DELETE FROM run WHERE problem = ? AND NOT EXISTS (SELECT 1 FROM run_evaluation WHERE "
                 "run_evaluation.run = run.id)",
                 problem->id, error))
        return false;
    forgetting->rest.runs += sqlite3_changes(store->sqlite);
    return run_for(
        store,
        "DELETE FROM problem WHERE id = ? AND NOT EXISTS (SELECT 1 FROM evaluation WHERE "
        "evaluation.problem = problem.id) AND NOT EXISTS (SELECT 1 FROM run WHERE run.problem = problem.id)",
        problem->id, error);
}

static bool forget_problem(struct forgetting *forgetting, const struct problem *problem, forget_visitor *visit,
                           void *context, struct error *error)
{
    struct forget_row row = {
        .template_name = problem->template_name, .device_name = problem->device_name, .size = problem->size};
    bool done = find_kept(forgetting, problem, error) && count_rows(forgetting, problem, &row, error);
    if (done && row.evaluations > 0 && !forgetting->dry_run)
        done = delete_rows(forgetting, problem, error);
    if (!done || row.evaluations + row.kept + row.in_use == 0)
        return done;
    return visit(&row, context) || error_out_of_memory(error);
}

static bool delete_orphans(struct store *store, struct error *error)
{
    static const char *const statements[] = {
        "DELETE FROM template WHERE NOT EXISTS (SELECT 1 FROM problem WHERE problem.template = template.id) "
        "AND NOT EXISTS (SELECT 1 FROM dispatch WHERE dispatch.template = template.id) "
        "AND NOT EXISTS (SELECT 1 FROM online WHERE online.template = template.id)",
        "DELETE FROM device WHERE NOT EXISTS (SELECT 1 FROM problem WHERE problem.device = device.id) "
        "AND NOT EXISTS (SELECT 1 FROM dispatch WHERE dispatch.device = device.id) "
        "AND NOT EXISTS (SELECT 1 FROM online WHERE online.device = device.id)",
        "DELETE FROM toolchain WHERE NOT EXISTS (SELECT 1 FROM problem WHERE problem.toolchain = toolchain.id) "
        "AND NOT EXISTS (SELECT 1 FROM dispatch WHERE dispatch.toolchain = toolchain.id) "
        "AND NOT EXISTS (SELECT 1 FROM online WHERE online.toolchain = toolchain.id)",
        "DELETE FROM space WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.space = space.id)",
    };
    bool done = true;
    for (size_t i = 0; done && i < sizeof statements / sizeof *statements; i++)
        done = run(store, statements[i], error);
    return done;
}

static bool forget_all(struct forgetting *forgetting, forget_visitor *visit, void *context, struct error *error)
{
    bool done = run(forgetting->store, "CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)", error) &&
                find_date(forgetting, error) && find_problems(forgetting, error) &&
                count_besides(forgetting, error) && check_found(forgetting, error);
    for (size_t i = 0; done && i < forgetting->count; i++)
        done = forget_problem(forgetting, &forgetting->problems[i], visit, context, error);
    done = done && forget_besides(forgetting, error) &&
           (forgetting->dry_run || delete_orphans(forgetting->store, error));
    return run(forgetting->store, "DROP TABLE IF EXISTS temp.kept", done ? error : NULL) && done;
}

bool store_forget(struct store *store, const struct forget_criteria *criteria, bool dry_run, forget_visitor *visit,
                  void *context, struct forget_rest *rest, struct error *error)
{
    struct forgetting forgetting = {.store = store, .criteria = criteria, .dry_run = dry_run};
    bool done = dry_run || transaction_begin(store, error);
    if (done) {
        done = forget_all(&forgetting, visit, context, error);
        done = dry_run ? done : transaction_end(store, done, error);
    }
    for (size_t i = 0; i < forgetting.count; i++) {
        struct problem *problem = &forgetting.problems[i];
        free(problem->template_name);
        free(problem->device_name);
        free(problem->size);
        free(problem->definitions);
    }
    free(forgetting.problems);
    free(forgetting.before);
    *rest = forgetting.rest;
    return done;
}
