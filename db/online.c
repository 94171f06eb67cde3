/* SPDX-License-Identifier: Apache-2.0 */
/* What programs found while they ran, and what of sweeps they may try. */
#include "db/identity.h"

bool store_online_put(struct store *store, const struct store_problem *problem, const struct store_online *online,
                      struct error *error)
{
    static const char sql[] =
        "INSERT INTO online (template, device, toolchain, size, inputs, configuration, began_with, ratio, time_ns, "
        "calls, tries, tried, found_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) "
        "ON CONFLICT (template, device, size, inputs) DO UPDATE SET toolchain = excluded.toolchain, "
        "configuration = excluded.configuration, began_with = excluded.began_with, ratio = excluded.ratio, "
        "time_ns = excluded.time_ns, calls = excluded.calls, tries = excluded.tries, tried = excluded.tried, "
        "found_at = excluded.found_at";
    struct subject_rows rows;
    struct query query;
    if (!transaction_begin(store, error))
        return false;
    bool done = subject_ensure(store, problem, ORIGIN_SHIPPED, &rows, error) && query_open(&query, store, sql, error);
    if (done) {
        query_bind_integer(&query, rows.template);
        query_bind_integer(&query, rows.device);
        query_bind_integer(&query, rows.toolchain);
        query_bind_text(&query, problem->size);
        query_bind_text(&query, problem->inputs ? problem->inputs : "");
        query_bind_text(&query, online->configuration);
        query_bind_text(&query, online->began_with);
        query_bind_real(&query, online->ratio);
        query_bind_positive(&query, online->time_ns);
        query_bind_integer(&query, online->calls);
        query_bind_integer(&query, online->tries);
        query_bind_text(&query, online->tried);
        done = query_run(&query, error);
    }
    return transaction_end(store, done, error);
}

/* A version of a template, and a model of device. */
static void bind_kernel(struct query *query, const struct store_filter *filter)
{
    query_bind_text(query, filter->template_name);
    query_bind_text(query, filter->template_hash);
    query_bind_text(query, filter->device_kind);
    query_bind_text(query, filter->device_name);
}

bool store_onlines(struct store *store, const struct store_filter *filter, store_online_visitor *visit, void *context,
                   struct error *error)
{
    static const char sql[] =
        "SELECT online.id, online.size, online.inputs, toolchain.compiler, online.found_at, online.configuration, "
        "online.began_with, online.ratio, online.time_ns, online.calls, online.tries, online.tried "
        "FROM template CROSS JOIN online ON online.template = template.id "
        "CROSS JOIN device ON device.id = online.device CROSS JOIN toolchain ON toolchain.id = online.toolchain "
        "WHERE template.name = ? AND template.hash = ? AND device.kind = ? AND device.name = ? "
        "ORDER BY online.found_at DESC, online.id DESC";
    struct query query;
    enum query_step step = QUERY_FAILED;
    if (query_open(&query, store, sql, error)) {
        bind_kernel(&query, filter);
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            const struct store_online_row row = {
                .size = query_text(&query, 1),
                .inputs = query_text(&query, 2),
                .compiler = query_text(&query, 3),
                .found_at = query_text(&query, 4),
                .online = {.configuration = query_text(&query, 5),
                           .began_with = query_text(&query, 6),
                           .ratio = query_real(&query, 7, 1),
                           .time_ns = query_real(&query, 8, 0),
                           .calls = query_known(&query, 9),
                           .tries = query_known(&query, 10),
                           .tried = query_text(&query, 11)},
            };
            if (!visit(&row, context)) {
                step = QUERY_DONE;
                break;
            }
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}

bool store_contenders(struct store *store, const struct store_filter *filter, size_t each,
                      store_contender_visitor *visit, void *context, struct error *error)
{
    static const char sql[] =
        "SELECT problem.size, evaluation.configuration, evaluation.time_ns, "
        "(SELECT min(fastest.time_ns) FROM evaluation AS fastest WHERE fastest.problem = problem.id "
        "AND fastest.outcome = 'ok' AND fastest.time_ns > 0) FROM template "
        "CROSS JOIN problem ON problem.template = template.id CROSS JOIN device ON device.id = problem.device "
        "CROSS JOIN evaluation ON evaluation.id IN (SELECT row.id FROM evaluation AS row "
        "WHERE row.problem = problem.id AND row.outcome = 'ok' AND row.time_ns > 0 ORDER BY row.time_ns, row.id "
        "LIMIT ?5) WHERE template.name = ?1 AND template.hash = ?2 AND device.kind = ?3 AND device.name = ?4 "
        "ORDER BY problem.id, evaluation.time_ns, evaluation.id";
    struct query query;
    enum query_step step = QUERY_FAILED;
    if (query_open(&query, store, sql, error)) {
        bind_kernel(&query, filter);
        query_bind_integer(&query, (int64_t)each);
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            const struct store_contender contender = {query_text(&query, 0), query_text(&query, 1),
                                                      query_real(&query, 2, 0), query_real(&query, 3, 0)};
            if (!visit(&contender, context)) {
                step = QUERY_DONE;
                break;
            }
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}
