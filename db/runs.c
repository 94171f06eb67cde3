#include "db/identity.h"

#include <inttypes.h>

static bool insert_run(struct store *store, int64_t problem, int64_t space, const struct store_run *run,
                       struct error *error)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    struct query query;
    if (!query_open(&query, store,
                    "INSERT INTO run (problem, space, strategy, budget, objective, seed, configurations, "
                    "tune_version, host, started_at) VALUES (?, ?, coalesce(?, ''), ?, ?, ?, ?, coalesce(?, ''), ?, "
                    "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
                    error))
        return false;
    query_bind_integer(&query, problem);
    query_bind_integer(&query, space);
    query_bind_text(&query, run->strategy);
    query_bind_text(&query, run->budget);
    query_bind_text(&query, run->objective);
    query_bind_text(&query, seed);
    query_bind_real(&query, run->configurations);
    query_bind_text(&query, run->tune_version);
    query_bind_text(&query, run->host);
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
    };
}

bool store_runs(struct store *store, store_run_visitor *visit, void *context, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_FAILED;
    if (query_open(
            &query, store,
            "SELECT run.id, template.name, space.name, problem.size, device.name, device.kind, run.strategy, "
            "run.status, run.started_at, run.ended_at, count(evaluation.id), "
            "coalesce(sum(evaluation.outcome <> 'ok'), 0), run.configurations, "
            "min(CASE WHEN evaluation.outcome = 'ok' THEN evaluation.time_ns END) "
            "FROM run JOIN problem ON problem.id = run.problem JOIN template ON template.id = problem.template "
            "JOIN device ON device.id = problem.device JOIN space ON space.id = run.space "
            "LEFT JOIN run_evaluation ON run_evaluation.run = run.id "
            "LEFT JOIN evaluation ON evaluation.id = run_evaluation.evaluation "
            "GROUP BY run.id ORDER BY run.id DESC",
            error)) {
        struct store_run_row row;
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            fill_row(&query, &row);
            if (!visit(&row, context))
                break;
        }
    }
    query_close(&query);
    return step != QUERY_FAILED;
}
