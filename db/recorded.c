/* SPDX-License-Identifier: Apache-2.0 */
/* Everything measured or imported, with its cost, problem by problem. */
#include "db/evaluations.h"

bool store_recorded(struct store *store, store_recorded_visitor *visit, void *context, struct error *error)
{
    static const char sql[] =
        "SELECT problem.id, template.name, problem.size, device.name, evaluation.configuration, evaluation.outcome, "
        "evaluation.message, evaluation.time_ns, coalesce(evaluation.samples_ns, '[]'), evaluation.compile_seconds, "
        "evaluation.validate_seconds, evaluation.measure_seconds, evaluation.measured_at, template.hash, "
        "device.kind, evaluation.framework_seconds, evaluation.energy_j, evaluation.metrics, template.metrics, "
        "template.objective, coalesce(latest.default_configuration, '') "
        "FROM problem JOIN template ON template.id = problem.template JOIN device ON device.id = problem.device "
        "JOIN evaluation ON evaluation.problem = problem.id "
        "LEFT JOIN run AS latest ON latest.id = (SELECT max(id) FROM run WHERE run.problem = problem.id "
        "AND default_configuration IS NOT NULL) "
        "WHERE evaluation.origin <> 'shipped' AND template.name <> '" STORE_PROBES "' "
        "AND evaluation.origin <> CASE device.kind WHEN 'imported' THEN '' ELSE 'imported' END "
        "ORDER BY problem.id, evaluation.id";
    struct query query;
    if (!query_open(&query, store, sql, error)) {
        query_close(&query);
        return false;
    }
    enum query_step step;
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        struct store_recorded_row row = {
            .problem = query_known(&query, 0),
            .template_name = query_text(&query, 1),
            .size = query_text(&query, 2),
            .device_name = query_text(&query, 3),
            .configuration = query_text(&query, 4),
            .message = query_text(&query, 6),
            .time_ns = query_real(&query, 7, 0),
            .samples_ns = query_text(&query, 8),
            .compile_seconds = query_real(&query, 9, 0),
            .validate_seconds = query_real(&query, 10, 0),
            .measure_seconds = query_real(&query, 11, 0),
            .measured_at = query_text(&query, 12),
            .template_hash = query_text(&query, 13),
            .device_kind = query_text(&query, 14),
            .framework_seconds = query_real(&query, 15, 0),
            .energy_j = query_real(&query, 16, 0),
            .metrics = query_text(&query, 17),
            .definitions = query_text(&query, 18),
            .objective = query_text(&query, 19),
            .default_configuration = query_text(&query, 20),
        };
        if (outcome_find(query_text(&query, 5), &row.outcome) && row.outcome != OUTCOME_LIMIT &&
            !visit(&row, context))
            break;
    }
    query_close(&query);
    return step != QUERY_FAILED;
}

bool store_has_shipped(struct store *store, bool *shipped, struct error *error)
{
    struct query query;
    int64_t found = 0;
    bool done =
        query_open(&query, store, "SELECT EXISTS (SELECT * FROM evaluation WHERE origin = 'shipped')", error) &&
        query_integer(&query, "evaluations", &found, error);
    *shipped = found != 0;
    return done;
}
