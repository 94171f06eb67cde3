/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations as rows for a visitor: those of a problem, and the best. */
#include "db/evaluations.h"

#include <stdlib.h>
#include <string.h>

#define ROW_COLUMNS                                                                                                  \
    "evaluation.id, template.name, template.hash, problem.size, evaluation.configuration, device.kind, "             \
    "device.name, "                                                                                                  \
    "device.architecture, toolchain.driver, toolchain.compiler, evaluation.outcome, evaluation.message, "            \
    "evaluation.time_ns, evaluation.time_low_ns, evaluation.time_high_ns, problem.flops, problem.bytes, "            \
    "device.peak_flops, device.peak_bandwidth, evaluation.error_ratio, evaluation.registers, "                       \
    "evaluation.local_bytes, evaluation.spill_bytes, evaluation.shared_bytes, evaluation.occupancy, "                \
    "evaluation.measured_at, evaluation.origin, evaluation.compile_seconds, evaluation.measure_seconds, "            \
    "evaluation.energy_j, evaluation.energy_error_j, evaluation.lost_to IS NOT NULL, "                               \
    "(SELECT tied FROM final WHERE final.evaluation = evaluation.id ORDER BY run DESC LIMIT 1), "                    \
    "coalesce(evaluation.lost_by, '') "

#define ROW_TABLES                                                                                                   \
    "JOIN template ON template.id = problem.template JOIN device ON device.id = problem.device "                     \
    "JOIN toolchain ON toolchain.id = problem.toolchain "

/* False: an outcome that this program does not know. */
static bool fill_row(struct query *query, struct store_row *row)
{
    *row = (struct store_row){
        .id = query_known(query, 0),
        .template_name = query_text(query, 1),
        .template_hash = query_text(query, 2),
        .size = query_text(query, 3),
        .configuration = query_text(query, 4),
        .device_kind = query_text(query, 5),
        .device_name = query_text(query, 6),
        .architecture = query_text(query, 7),
        .driver = query_text(query, 8),
        .compiler = query_text(query, 9),
        .message = query_text(query, 11),
        .time_ns = query_real(query, 12, 0),
        .time_low_ns = query_real(query, 13, 0),
        .time_high_ns = query_real(query, 14, 0),
        .flops = query_real(query, 15, 0),
        .bytes = query_real(query, 16, 0),
        .peak_flops = query_real(query, 17, 0),
        .peak_bandwidth = query_real(query, 18, 0),
        .error_ratio = query_real(query, 19, -1),
        .registers = query_known(query, 20),
        .local_bytes = query_known(query, 21),
        .spill_bytes = query_known(query, 22),
        .shared_bytes = query_known(query, 23),
        .occupancy = query_real(query, 24, -1),
        .measured_at = query_text(query, 25),
        .origin = query_text(query, 26),
        .compile_seconds = query_real(query, 27, 0),
        .measure_seconds = query_real(query, 28, 0),
        .energy_j = query_real(query, 29, 0),
        .energy_error_j = query_real(query, 30, 0),
        .beaten = query_known(query, 31) == 1,
        .was_final = query_known(query, 32) >= 0,
        .tied = query_known(query, 31) == 1 && query_known(query, 32) == 1,
        .lost_by = query_text(query, 33),
    };
    return outcome_find(query_text(query, 10), &row->outcome);
}

static bool visit_rows(struct query *query, store_visitor *visit, void *context, struct error *error)
{
    enum query_step step;
    struct store_row row;
    while ((step = query_step(query, error)) == QUERY_ROW) {
        if (fill_row(query, &row) && !visit(&row, context))
            break;
    }
    query_close(query);
    return step != QUERY_FAILED;
}

bool store_finished(struct store *store, const struct store_problem *problem, store_visitor *visit, void *context,
                    struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "SELECT " ROW_COLUMNS "FROM problem " ROW_TABLES
                    "JOIN evaluation ON evaluation.problem = problem.id "
                    "WHERE device.kind = ? AND device.name = ? AND device.architecture = ? AND device.sm_count = ? "
                    "AND device.memory_gib = ? AND template.name = ? AND template.hash = ? AND toolchain.driver = ? "
                    "AND toolchain.compiler = ? AND problem.size = ? ORDER BY evaluation.id",
                    error)) {
        query_close(&query);
        return false;
    }
    bind_device(&query, problem->device);
    query_bind_text(&query, problem->template_name);
    query_bind_text(&query, problem->template_hash);
    query_bind_text(&query, problem->device->driver);
    query_bind_text(&query, problem->device->compiler);
    query_bind_text(&query, problem->size);
    return visit_rows(&query, visit, context, error);
}

bool store_lookup(struct store *store, int64_t run_id, const char *configuration, store_visitor *visit, void *context,
                  struct error *error)
{
    static const char sql[] = "SELECT " ROW_COLUMNS "FROM run JOIN problem ON problem.id = run.problem " ROW_TABLES
                              "JOIN evaluation ON evaluation.problem = problem.id "
                              "WHERE run.id = ? AND evaluation.configuration = ?";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, run_id);
    query_bind_text(&query, configuration);
    return visit_rows(&query, visit, context, error);
}

static bool find_ranking(const char *objective, const struct ranking **ranking, struct error *error)
{
    for (size_t i = 0; i < ranking_count; i++) {
        *ranking = &rankings[i];
        if (!objective || strcmp(objective, rankings[i].objective) == 0)
            return true;
    }
    error_set(error, ERROR_INPUT, "there is no objective %s", objective);
    return error_hint(error, "objectives are time, energy and edp");
}

/*
 * As the views `best` and `best_by_energy`, but filtered before it is decided which version of a template is the
 * latest. Time has an index, so that only the fastest of each problem need be ranked.
 */
static char *best_sql(const struct ranking *ranking)
{
    static const char by_time[] = "SELECT problem, evaluation, time_ns AS value FROM fastest";
    char *candidates = NULL, *sql = NULL;
    if (asprintf(&candidates,
                 "SELECT problem, id AS evaluation, %s AS value FROM evaluation WHERE outcome = 'ok' AND time_ns > 0 "
                 "AND %s > 0 AND (lost_to IS NULL OR lost_by <> '%s')",
                 ranking->value, ranking->value, ranking->objective) < 0)
        return NULL;
    if (asprintf(&sql,
                 "WITH candidate AS (%s), ranked AS (SELECT candidate.problem, candidate.evaluation, "
                 "row_number() OVER (PARTITION BY template.name, problem.device, problem.size ORDER BY "
                 "template.used_at DESC, template.id DESC, candidate.value, candidate.evaluation) AS place "
                 "FROM candidate JOIN problem ON problem.id = candidate.problem " ROW_TABLES
                 "WHERE (?1 IS NULL OR template.name = ?1) AND (?2 IS NULL OR template.hash = ?2) "
                 "AND (?3 IS NULL OR device.name = ?3) AND (?4 IS NULL OR device.kind = ?4) "
                 "AND (?5 IS NULL OR problem.size = ?5)) "
                 "SELECT " ROW_COLUMNS "FROM ranked JOIN problem ON problem.id = ranked.problem " ROW_TABLES
                 "JOIN evaluation ON evaluation.id = ranked.evaluation WHERE ranked.place = 1 "
                 "ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size",
                 ranking == &rankings[0] ? by_time : candidates) < 0)
        sql = NULL;
    free(candidates);
    return sql;
}

bool store_best(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                struct error *error)
{
    const struct ranking *ranking;
    if (!find_ranking(filter->objective, &ranking, error))
        return false;
    char *sql = best_sql(ranking);
    if (!sql)
        return error_out_of_memory(error);
    struct query query;
    bool open = query_open(&query, store, sql, error);
    free(sql);
    if (!open) {
        query_close(&query);
        return false;
    }
    query_bind_text(&query, filter->template_name);
    query_bind_text(&query, filter->template_hash);
    query_bind_text(&query, filter->device_name);
    query_bind_text(&query, filter->device_kind);
    query_bind_text(&query, filter->size);
    return visit_rows(&query, visit, context, error);
}

bool store_relatives(struct store *store, const char *template_name, const char *device_kind, store_visitor *visit,
                     void *context, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "SELECT " ROW_COLUMNS "FROM fastest JOIN problem ON problem.id = fastest.problem " ROW_TABLES
                    "JOIN evaluation ON evaluation.id = fastest.evaluation "
                    "WHERE template.name = ? AND device.kind = ? ORDER BY template.used_at DESC, evaluation.id",
                    error)) {
        query_close(&query);
        return false;
    }
    query_bind_text(&query, template_name);
    query_bind_text(&query, device_kind);
    return visit_rows(&query, visit, context, error);
}
