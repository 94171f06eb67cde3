/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations as rows for a visitor: those of a problem, and the best ones. */
#include "db/candidates.h"
#include "db/evaluations.h"
#include "db/verdicts.h"
#include "db/within.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row has beyond an evaluation's numbers: member and column. */
/* clang-format off */
#define ROW_FIELDS(INTEGER, TEXT)                                                                              \
    INTEGER(id, "evaluation.id")                                                                                     \
    INTEGER(device, "problem.device")                                                                                \
    TEXT(template_name, "template.name")                                                                             \
    TEXT(template_hash, "template.hash")                                                                             \
    TEXT(size, "problem.size")                                                                                       \
    TEXT(inputs, "problem.inputs")                                                                                   \
    TEXT(input_files, "coalesce(problem.input_files, '')")                                                                                       \
    TEXT(configuration, "evaluation.configuration")                                                                  \
    TEXT(device_kind, "device.kind")                                                                                 \
    TEXT(device_name, "device.name")                                                                                 \
    TEXT(architecture, "device.architecture")                                                                        \
    TEXT(driver, "toolchain.driver")                                                                                 \
    TEXT(compiler, "toolchain.compiler")                                                                             \
    TEXT(message, "evaluation.message")                                                                              \
    TEXT(awkward, "coalesce(evaluation.awkward, '" STORE_AWKWARD_UNKNOWN "')")                                       \
    TEXT(measured_at, "evaluation.measured_at")                                                                      \
    TEXT(origin, "evaluation.origin")                                                                                \
    TEXT(metrics, "evaluation.metrics")                                                                              \
    TEXT(definitions, "template.metrics")                                                                            \
    TEXT(default_objective, "coalesce(template.objective, 'time')")
/* clang-format on */

#define SELECTED(name, column)                                     column ", "
#define PROBLEM_FIGURE(with, NAME, name, column, unit, pipe, peak) "problem." #column ", "
#define FINALS(objective)                                                                                            \
    "evaluation.outcome, (SELECT result FROM verdict WHERE verdict.evaluation = evaluation.id AND "                  \
    "verdict.objective = " objective "), "                                                                           \
    "EXISTS (SELECT 1 FROM verdict WHERE verdict.evaluation = evaluation.id AND result <> 'outside') "
#define ROW_COLUMNS(objective)                                                                                       \
    EVALUATION_COLUMNS WORK_FIGURES(PROBLEM_FIGURE, ) ROW_FIELDS(SELECTED, SELECTED) FINALS(objective)

/* With verdicts by the objective that is the first parameter; by that of `run`; by none; by the one that is asked for
 * (see ranking.h), else each template's default. */
#define ROW_COLUMNS_BOUND   ROW_COLUMNS(WITHIN_OBJECTIVE("?1", "?2"))
#define ROW_COLUMNS_OF_RUN  ROW_COLUMNS(WITHIN_OBJECTIVE("coalesce(run.objective, 'time')", "run.limits"))
#define ROW_COLUMNS_BY_NONE ROW_COLUMNS("NULL")
#define ROW_COLUMNS_ASKED   ROW_COLUMNS("coalesce((SELECT name FROM objective), template.objective, 'time')")

#define ROW_TABLES                                                                                                   \
    "JOIN template ON template.id = problem.template JOIN device ON device.id = problem.device "                     \
    "JOIN toolchain ON toolchain.id = problem.toolchain "

/* The offsets of the numbers in a row, in the order of their table. */
#define ROW_OFFSET(type, name, document, rule)            offsetof(struct store_row, name),
#define ROW_PART_OFFSET(part, type, name, document, rule) offsetof(struct store_row, ROW_PLACE_##part(name)),
#define ROW_PLACE_resources(name)                         name
#define ROW_PLACE_state(name)                             name
#define ROW_PLACE_work(name)                              work.name
static const size_t number_offsets[] = {EVALUATION_NUMBERS(ROW_OFFSET, ROW_PART_OFFSET)};

/* What the rules of numbers do not allow is unknown. */
static double read_real(struct query *query, int column)
{
    const struct evaluation_number *number = &evaluation_numbers[column];
    double real = query_real(query, column, evaluation_unknown(number));
    return evaluation_real_known(number, real) ? real : evaluation_unknown(number);
}

static int64_t known_integer(struct query *query, int column, const struct evaluation_number *number)
{
    int64_t integer = query_known(query, column);
    return integer < 0 ? (int64_t)evaluation_unknown(number) : integer;
}

static int fill_numbers(struct query *query, struct store_row *row)
{
    int column = 0;
    for (; (size_t)column < evaluation_number_count; column++) {
        void *at = (char *)row + number_offsets[column];
        if (evaluation_numbers[column].integer)
            *(int64_t *)at = known_integer(query, column, &evaluation_numbers[column]);
        else
            *(double *)at = read_real(query, column);
    }
    return column;
}

/* What the row does not say, its problem may. */
static int fill_work(struct query *query, int column, struct work *work)
{
    for (int i = 0; i < WORK_COUNT; i++, column++) {
        double of_problem = query_real(query, column, 0);
        if (!(work->of[i] > 0) && of_problem > 0 && isfinite(of_problem))
            work->of[i] = of_problem;
    }
    return column;
}

#define FILL_INTEGER(name, sql) row->name = query_known(query, column++);
#define FILL_TEXT(name, sql)    row->name = query_text(query, column++);

/* Read the columns in the order of ROW_COLUMNS. False: an outcome that this program does not know. */
static bool fill_row(struct query *query, struct store_row *row)
{
    int column = fill_numbers(query, row);
    column = fill_work(query, column, &row->work);
    ROW_FIELDS(FILL_INTEGER, FILL_TEXT)
    bool known = outcome_find(query_text(query, column), &row->outcome);
    row->verdict = verdict_find(query_text(query, column + 1));
    row->was_final = query_known(query, column + 2) == 1;
    return known;
}

void store_row_evaluation(const struct store_row *row, struct evaluation *evaluation)
{
    *evaluation = evaluation_unmeasured;
    evaluation->outcome = row->outcome;
    for (size_t i = 0; i < evaluation_number_count; i++)
        memcpy((char *)evaluation + evaluation_numbers[i].offset, (const char *)row + number_offsets[i],
               evaluation_numbers[i].integer ? sizeof(int64_t) : sizeof(double));
}

/* SQLite takes a text for more than any number: one in a time's place passes for a time, which it is not. */
static bool is_sound(const struct store_row *row)
{
    return row->outcome != OUTCOME_OK || (row->time_ns > 0 && isfinite(row->time_ns));
}

static bool visit_rows(struct query *query, store_visitor *visit, void *context, struct error *error)
{
    enum query_step step;
    struct store_row row = {0};
    while ((step = query_step(query, error)) == QUERY_ROW) {
        if (fill_row(query, &row) && is_sound(&row) && !visit(&row, context))
            break;
    }
    query_close(query);
    return step != QUERY_FAILED;
}

/* Only the rows' numbers are sorted, not the rows. */
bool store_finished(struct store *store, const struct store_problem *problem, const char *objective,
                    const char *limits, store_visitor *visit, void *context, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "SELECT " ROW_COLUMNS_BOUND "FROM problem " ROW_TABLES
                    "CROSS JOIN evaluation ON evaluation.id IN "
                    "(SELECT row.id FROM evaluation AS row WHERE row.problem = problem.id) "
                    "WHERE device.kind = ? AND device.name = ? AND device.architecture = ? AND device.sm_count = ? "
                    "AND device.memory_gib = ? AND template.name = ? AND template.hash = ? AND toolchain.driver = ? "
                    "AND toolchain.compiler = ? AND problem.size = ? AND problem.inputs = ? ORDER BY evaluation.id",
                    error)) {
        query_close(&query);
        return false;
    }
    query_bind_text(&query, objective);
    query_bind_text(&query, limits);
    bind_device(&query, problem->device);
    query_bind_text(&query, problem->template_name);
    query_bind_text(&query, problem->template_hash);
    query_bind_text(&query, problem->device->driver);
    query_bind_text(&query, store_compiler(problem));
    query_bind_text(&query, problem->size);
    query_bind_text(&query, problem->inputs ? problem->inputs : "");
    return visit_rows(&query, visit, context, error);
}

bool store_metrics_stale(struct store *store, const char *template_name, const char *template_hash,
                         const char *definitions, store_visitor *visit, void *context, struct error *error)
{
    static const char sql[] =
        "WITH version AS (SELECT id, metrics FROM template WHERE name = ?1 AND hash = ?2), stale (id) AS ("
        "SELECT row.id FROM version CROSS JOIN problem ON problem.template = version.id "
        "CROSS JOIN evaluation AS row ON row.problem = problem.id "
        "WHERE version.metrics IS NOT nullif(?3, '') AND row.outcome = 'ok' UNION ALL "
        "SELECT row.id FROM version CROSS JOIN problem ON problem.template = version.id "
        "CROSS JOIN evaluation AS row ON row.problem = problem.id "
        "WHERE version.metrics = ?3 AND ?3 <> '' AND row.outcome = 'ok' AND row.metrics IS NULL) "
        "SELECT " ROW_COLUMNS_BY_NONE "FROM stale CROSS JOIN evaluation ON evaluation.id = stale.id "
        "JOIN problem ON problem.id = evaluation.problem " ROW_TABLES "ORDER BY evaluation.id";
    struct query query;
    if (!query_open(&query, store, sql, error)) {
        query_close(&query);
        return false;
    }
    query_bind_text(&query, template_name);
    query_bind_text(&query, template_hash);
    query_bind_text(&query, definitions);
    return visit_rows(&query, visit, context, error);
}

bool store_lookup(struct store *store, int64_t run_id, const char *configuration, store_visitor *visit, void *context,
                  struct error *error)
{
    static const char sql[] =
        "SELECT " ROW_COLUMNS_OF_RUN "FROM run JOIN problem ON problem.id = run.problem " ROW_TABLES
        "JOIN evaluation ON evaluation.problem = problem.id "
        "WHERE run.id = ? AND evaluation.configuration = ?";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, run_id);
    query_bind_text(&query, configuration);
    return visit_rows(&query, visit, context, error);
}

/* The values of the rungs' parameters as one expression: "NULL" if there are none. */
static char *rung_sql(const struct store_filter *filter)
{
    char *sql =
        strdup(filter->rung_count ? "CASE WHEN json_valid(evaluation.configuration) THEN json_array(" : "NULL");
    for (size_t i = 0; sql && i < filter->rung_count; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%sjson_extract(evaluation.configuration, '$.%s')%s", sql, i ? ", " : "",
                     filter->rungs[i], i + 1 < filter->rung_count ? "" : ") END") < 0)
            longer = NULL;
        free(sql);
        sql = longer;
    }
    return sql;
}

/* The first term chooses whether the index of templates' names serves. */
#define FILTERED                                                                                                     \
    " AND (?4 IS NULL OR template.hash = ?4) AND (?5 IS NULL OR device.name = ?5) "                                  \
    "AND (?6 IS NULL OR device.kind = ?6) AND (?7 IS NULL OR problem.size = ?7) "                                    \
    "AND (?8 IS NULL OR problem.inputs = ?8)"
static const char asked_one[] = CANDIDATES_ASKED("template.name = ?3" FILTERED);
static const char asked_any[] = CANDIDATES_ASKED("?3 IS NULL AND template.name <> '" STORE_PROBES "'" FILTERED);

/* ?3 to ?8 of these. */
static void bind_asked(struct query *query, const struct store_filter *filter)
{
    query_bind_text(query, filter->template_name);
    query_bind_text(query, filter->template_hash);
    query_bind_text(query, filter->device_name);
    query_bind_text(query, filter->device_kind);
    query_bind_text(query, filter->size);
    query_bind_text(query, filter->inputs);
}

/* Like the views `best` and `best_by_energy`, but filtered before choosing the latest version of a template. */
static char *best_sql(const struct ranking *ranking, const struct store_filter *filter)
{
    char *candidates = candidates_sql(ranking, filter->rung_count > 0, filter->limits ? "?9" : NULL),
         *rung = rung_sql(filter), *sql = NULL;
    if (!candidates || !rung ||
        asprintf(&sql,
                 RANKING_WITH
                 ", %s, contender AS (%s), ranked AS (SELECT contender.problem, contender.evaluation, "
                 "row_number() OVER (PARTITION BY template.name, problem.device, problem.size, problem.inputs, %s "
                 "ORDER BY template.used_at DESC, template.id DESC, contender.value, contender.lost, "
                 "contender.evaluation) AS place FROM contender JOIN problem ON problem.id = contender.problem "
                 "JOIN template ON template.id = problem.template "
                 "JOIN evaluation ON evaluation.id = contender.evaluation) "
                 "SELECT " ROW_COLUMNS_ASKED "FROM ranked JOIN problem ON problem.id = ranked.problem " ROW_TABLES
                 "JOIN evaluation ON evaluation.id = ranked.evaluation WHERE ranked.place = 1 "
                 "ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size, "
                 "problem.inputs",
                 filter->template_name ? asked_one : asked_any, candidates, rung) < 0)
        sql = NULL;
    free(candidates);
    free(rung);
    return sql;
}

bool store_best(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                struct error *error)
{
    struct ranking ranking;
    struct error unknown = {0};
    const char *objective = filter->objective || filter->rung_count == 0 ? filter->objective : "time";
    if (!ranking_find_or_default(store, objective, &ranking, &unknown)) {
        if (unknown.code == ERROR_INPUT && filter->template_hash) /* new to the database: no rows */
            return true;
        if (error)
            *error = unknown;
        return false;
    }
    struct query query;
    if (!ranking_open(&query, store, &ranking, best_sql(&ranking, filter), error))
        return false;
    bind_asked(&query, filter);
    if (filter->limits)
        query_bind_text(&query, filter->limits);
    return visit_rows(&query, visit, context, error);
}

bool store_measured(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                    struct error *error)
{
    char *sql = NULL;
    struct query query;
    if (asprintf(&sql,
                 "WITH %s, latest AS (SELECT problem.id, rank() OVER (PARTITION BY template.name, problem.device, "
                 "problem.size, problem.inputs ORDER BY template.used_at DESC, template.id DESC) AS place "
                 "FROM asked JOIN problem ON problem.id = asked.problem "
                 "JOIN template ON template.id = problem.template WHERE EXISTS (SELECT 1 FROM evaluation "
                 "WHERE evaluation.problem = problem.id AND outcome = 'ok' AND time_ns > 0)) "
                 "SELECT " ROW_COLUMNS_BOUND "FROM latest CROSS JOIN problem ON problem.id = latest.id " ROW_TABLES
                 "JOIN evaluation ON evaluation.problem = problem.id "
                 "WHERE latest.place = 1 AND evaluation.outcome = 'ok' AND evaluation.time_ns > 0 "
                 "ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size, "
                 "problem.inputs, evaluation.id",
                 filter->template_name ? asked_one : asked_any) < 0)
        return error_out_of_memory(error);
    bool open = query_open_kept(&query, store, sql, error);
    free(sql);
    if (!open)
        return false;
    query_bind_text(&query, filter->objective);
    query_bind_text(&query, filter->limits);
    bind_asked(&query, filter);
    return visit_rows(&query, visit, context, error);
}

/* The best rows of each problem of a template: the best of each, or of twins the best few. */
static bool visit_best(struct store *store, const char *template_name, const char *device_kind, const char *objective,
                       const struct store_twins *twins, store_visitor *visit, void *context, struct error *error)
{
    struct ranking ranking;
    struct query query;
    char *candidates = NULL, *sql = NULL;
    struct error unknown = {0};
    if (!ranking_find(store, objective, &ranking, &unknown)) { /* an objective that is new has no rows */
        if (unknown.code == ERROR_INPUT)
            return true;
        if (error)
            *error = unknown;
        return false;
    }
    candidates = twins ? candidates_leaders_sql(&ranking, twins->most) : candidates_sql(&ranking, false, NULL);
    if (!candidates ||
        asprintf(
            &sql,
            RANKING_WITH ", " CANDIDATES_ASKED(
                "template.name = ?3 AND device.kind = ?4 AND (?5 IS NULL OR (problem.size = ?5 AND "
                "device.architecture = ?6))") ", contender AS (%s), ranked AS (SELECT contender.problem, "
                                              "contender.evaluation, row_number() OVER (PARTITION BY "
                                              "contender.problem ORDER BY contender.value, "
                                              "contender.evaluation) AS place FROM contender) "
                                              "SELECT " ROW_COLUMNS_ASKED
                                              "FROM ranked JOIN problem ON problem.id = ranked.problem " ROW_TABLES
                                              "JOIN evaluation ON evaluation.id = ranked.evaluation "
                                              "WHERE ranked.place <= ?7 "
                                              "ORDER BY ranked.place, template.used_at DESC, evaluation.id",
            candidates) < 0)
        sql = NULL;
    free(candidates);
    if (!ranking_open(&query, store, &ranking, sql, error))
        return false;
    query_bind_text(&query, template_name);
    query_bind_text(&query, device_kind);
    query_bind_text(&query, twins ? twins->size : NULL);
    query_bind_text(&query, twins ? twins->architecture : NULL);
    query_bind_integer(&query, twins ? twins->most : 1);
    return visit_rows(&query, visit, context, error);
}

bool store_relatives(struct store *store, const char *template_name, const char *device_kind, const char *objective,
                     store_visitor *visit, void *context, struct error *error)
{
    return visit_best(store, template_name, device_kind, objective, NULL, visit, context, error);
}

bool store_twins(struct store *store, const char *template_name, const char *device_kind, const char *objective,
                 const struct store_twins *twins, store_visitor *visit, void *context, struct error *error)
{
    return visit_best(store, template_name, device_kind, objective, twins, visit, context, error);
}
