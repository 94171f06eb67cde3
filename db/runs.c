/* SPDX-License-Identifier: Apache-2.0 */
#include "db/runs.h"
#include "db/identity.h"
#include "db/process.h"
#include "db/ranking.h"
#include "db/run_best.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST_TEXT = 256 };

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

/* The last sign of life of a run: the latest of three texts, which sort by time. */
#define SEEN_AT                                                                                                      \
    "max(run.started_at, coalesce(run.alive_at, ''), coalesce((SELECT max(row.measured_at) FROM run_evaluation AS "  \
    "place JOIN evaluation AS row ON row.id = place.evaluation WHERE place.run = run.id AND NOT place.reused), ''))"
#define SILENCE "(julianday('now') - julianday(" SEEN_AT ")) * 86400"

static bool insert_run(struct store *store, int64_t problem, int64_t space, const struct store_run *run,
                       struct error *error)
{
    char seed[24], process[PROCESS_TEXT];
    process_token(process);
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    struct query query;
    if (!query_open(
            &query, store,
            "INSERT INTO run (problem, space, strategy, budget, objective, limits, seed, configurations, "
            "tune_version, host, process, default_configuration, started_at, alive_at) "
            "VALUES (?, ?, coalesce(?, ''), ?, ?, nullif(?, ''), ?, ?, coalesce(?, ''), ?, nullif(?, ''), ?, " NOW
            ", " NOW ")",
            error))
        return false;
    query_bind_integer(&query, problem);
    query_bind_integer(&query, space);
    query_bind_text(&query, run->strategy);
    query_bind_text(&query, run->budget);
    query_bind_text(&query, run->objective);
    query_bind_text(&query, run->limits);
    query_bind_text(&query, seed);
    query_bind_real(&query, run->configurations);
    query_bind_text(&query, run->tune_version);
    query_bind_text(&query, run->host);
    query_bind_text(&query, process);
    query_bind_text(&query, run->default_configuration);
    return query_run(&query, error);
}

bool store_run_begin(struct store *store, const struct store_problem *problem, const struct store_run *run,
                     int64_t *run_id, struct error *error)
{
    int64_t problem_id, space_id;
    if (!transaction_begin(store, error))
        return false;
    bool done = problem_ensure(store, problem, ORIGIN_MEASURED, &problem_id, error) &&
                space_ensure(store, problem, &space_id, error) && insert_run(store, problem_id, space_id, run, error);
    int64_t id = sqlite3_last_insert_rowid(store->sqlite);
    if (!transaction_end(store, done, error))
        return false;
    *run_id = id;
    return true;
}

static bool update_run(struct store *store, int64_t run_id, const char *status, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "UPDATE run SET status = ?, ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?",
                    error))
        return false;
    query_bind_text(&query, status);
    query_bind_integer(&query, run_id);
    if (!query_run(&query, error))
        return false;
    return sqlite3_changes(store->sqlite) == 1 ||
           error_set(error, ERROR_SYSTEM, "the database %s has no such run", store->path);
}

bool store_run_end(struct store *store, int64_t run_id, const char *status, struct error *error)
{
    if (!transaction_begin(store, error))
        return false;
    return transaction_end(store, update_run(store, run_id, status, error), error);
}

/* A run that was given up as lost comes back. */
bool store_run_alive(struct store *store, int64_t run_id, struct error *error)
{
    struct query query;
    if (!transaction_begin(store, error))
        return false;
    bool done = query_open(&query, store,
                           "UPDATE run SET alive_at = " NOW ", "
                           "ended_at = CASE WHEN status = 'lost' THEN NULL ELSE ended_at END, "
                           "status = CASE WHEN status = 'lost' THEN 'running' ELSE status END WHERE id = ?",
                           error);
    if (done) {
        query_bind_integer(&query, run_id);
        done = query_run(&query, error);
    }
    return transaction_end(store, done, error);
}

/* ---- what has become of them */

static void name_host(char host[HOST_TEXT])
{
    host[HOST_TEXT - 1] = '\0';
    if (gethostname(host, HOST_TEXT - 1) != 0)
        host[0] = '\0';
}

/* A run that never ended: "running", or the status that it has died with. `silence`: since its last sign, seconds. */
static const char *present_status(const char *process, const char *host, double silence)
{
    char own[HOST_TEXT];
    name_host(own);
    switch (process_life(process, own[0] && strcmp(host, own) == 0)) {
    case PROCESS_ALIVE:
        return "running";
    case PROCESS_GONE:
        return "killed";
    case PROCESS_UNKNOWN:
        break;
    }
    return silence > STORE_RUN_SILENCE ? "lost" : "running";
}

struct orphan {
    int64_t run;
    const char *status;
};

/* Find runs that seem to be running although they have died: *count of them in *orphans, which the caller frees. */
static bool find_orphans(struct store *store, struct orphan **orphans, size_t *count, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "SELECT id, process, host, " SILENCE " FROM run WHERE status = 'running'", error))
        return false;
    enum query_step step;
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        const char *status = present_status(query_text(&query, 1), query_text(&query, 2), query_real(&query, 3, 0));
        if (strcmp(status, "running") == 0)
            continue;
        struct orphan *more = reallocarray(*orphans, *count + 1, sizeof *more);
        if (!more) {
            step = QUERY_FAILED;
            error_out_of_memory(error);
            break;
        }
        *orphans = more;
        more[(*count)++] = (struct orphan){query_known(&query, 0), status};
    }
    query_close(&query);
    return step == QUERY_DONE;
}

/* It ended with its last sign of life. */
static bool end_orphan(struct store *store, const struct orphan *orphan, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "UPDATE run SET status = ?, ended_at = " SEEN_AT " WHERE id = ? AND status = 'running'", error))
        return false;
    query_bind_text(&query, orphan->status);
    query_bind_integer(&query, orphan->run);
    return query_run(&query, error);
}

bool runs_end_orphans(struct store *store, struct error *error)
{
    struct orphan *orphans = NULL;
    size_t count = 0;
    bool done = find_orphans(store, &orphans, &count, error);
    if (done && count > 0) {
        done = transaction_begin(store, error);
        for (size_t i = 0; done && i < count; i++)
            done = end_orphan(store, &orphans[i], error);
        done = transaction_end(store, done, error);
    }
    free(orphans);
    return done;
}

static void fill_row(struct query *query, struct store_run_row *row)
{
    *row = (struct store_run_row){
        .id = query_known(query, 0),
        .template_name = query_text(query, 1),
        .space_name = query_text(query, 2),
        .size = query_text(query, 3),
        .device_name = query_text(query, 4),
        .device_kind = query_text(query, 5),
        .strategy = query_text(query, 6),
        .status = query_text(query, 7),
        .started_at = query_text(query, 8),
        .ended_at = query_text(query, 9),
        .evaluations = query_known(query, 10),
        .failures = query_known(query, 11),
        .configurations = query_real(query, 12, 0),
        .best_ns = query_real(query, 13, 0),
        .host = query_text(query, 14),
        .seen_at = query_text(query, 15),
        .objective = query_text(query, 18),
        .input_files = query_text(query, 19),
        .limits = query_text(query, 22),
    };
    double cost = query_real(query, 20, 0);
    if (cost > 0)
        row->best_value = query_known(query, 21) == 1 ? 1 / cost : cost;
    if (strcmp(row->status, "running") == 0)
        row->status = present_status(query_text(query, 16), row->host, query_real(query, 17, 0));
}

#define OBJECTIVE_PATH RANKING_PATH_OF(RUN_OBJECTIVE)
#define LEADERS_COST   RANKING_COST("leader", RUN_OBJECTIVE)

/* Each run with its best evaluation, once. */
#define WITH_BEST                                                                                                    \
    "WITH best AS MATERIALIZED (SELECT run.id AS run, won.time_ns, " RUN_BEST " AS evaluation FROM run" RUN_WON ") "

/* Two literals, as one would be longer than compilers must take. */
static char *runs_sql(void)
{
    char *sql;
    int length = asprintf(
        &sql, "%s%s", WITH_BEST,
        "SELECT run.id, template.name, space.name, problem.size, device.name, device.kind, run.strategy, "
        "run.status, run.started_at, run.ended_at, count(evaluation.id), "
        "coalesce(sum(evaluation.outcome <> 'ok'), 0), run.configurations, "
        "coalesce(best.time_ns, leader.time_ns), "
        "run.host, " SEEN_AT ", run.process, " SILENCE ", " RUN_OBJECTIVE ", problem.input_files, "
        "CASE " RUN_OBJECTIVE " WHEN 'time' THEN coalesce(best.time_ns, leader.time_ns) ELSE " LEADERS_COST " END, "
        "json_extract(CASE WHEN json_valid(template.metrics) THEN template.metrics END, " OBJECTIVE_PATH
        " || '.sense') = 'maximize', run.limits "
        "FROM run JOIN problem ON problem.id = run.problem JOIN template ON template.id = problem.template "
        "JOIN device ON device.id = problem.device JOIN space ON space.id = run.space "
        "JOIN best ON best.run = run.id LEFT JOIN evaluation AS leader ON leader.id = best.evaluation "
        "LEFT JOIN run_evaluation ON run_evaluation.run = run.id "
        "LEFT JOIN evaluation ON evaluation.id = run_evaluation.evaluation "
        "GROUP BY run.id ORDER BY run.id DESC");
    return length < 0 ? NULL : sql;
}

bool store_runs(struct store *store, store_run_visitor *visit, void *context, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_FAILED;
    char *sql = runs_sql();
    if (!sql)
        return error_out_of_memory(error);
    if (query_open(&query, store, sql, error)) {
        struct store_run_row row;
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            fill_row(&query, &row);
            if (!visit(&row, context))
                break;
        }
    }
    query_close(&query);
    free(sql);
    return step != QUERY_FAILED;
}
