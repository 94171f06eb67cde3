/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatches of templates on devices: one's own, and beside them those of others. */
#include "db/dispatch.h"

#define INSERT "INSERT INTO dispatch (template, device, toolchain, inputs, origin, objective, made_at, document) "
#define REPLACE                                                                                                      \
    "ON CONFLICT (template, device, inputs, objective, origin) DO UPDATE SET toolchain = excluded.toolchain, "       \
    "made_at = excluded.made_at, document = excluded.document"

/* `inputs`: the data that it is for, whatever those of the problem. */
static bool put(struct store *store, const struct store_problem *problem, const char *inputs, const char *objective,
                const char *document, struct error *error)
{
    static const char sql[] =
        INSERT "SELECT problem.template, problem.device, problem.toolchain, ?, 'measured', ?, "
               "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ? FROM template CROSS JOIN device CROSS JOIN toolchain "
               "CROSS JOIN problem ON problem.template = template.id AND problem.device = device.id "
               "AND problem.toolchain = toolchain.id "
               "WHERE template.name = ? AND template.hash = ? AND problem.size = ? AND problem.inputs = ? "
               "AND toolchain.driver = ? AND toolchain.compiler = ? AND device.kind = ? AND device.name = ? "
               "AND device.architecture = ? AND device.sm_count = ? AND device.memory_gib = ? " REPLACE;
    struct query query;
    if (!transaction_begin(store, error))
        return false;
    bool done = query_open(&query, store, sql, error);
    if (done) {
        query_bind_text(&query, inputs);
        query_bind_text(&query, objective);
        query_bind_text(&query, document);
        query_bind_text(&query, problem->template_name);
        query_bind_text(&query, problem->template_hash);
        query_bind_text(&query, problem->size);
        query_bind_text(&query, problem->inputs ? problem->inputs : "");
        query_bind_text(&query, problem->device->driver);
        query_bind_text(&query, store_compiler(problem));
        bind_device(&query, problem->device);
        done = query_run(&query, error) &&
               (sqlite3_changes(store->sqlite) == 1 ||
                error_set(error, ERROR_SYSTEM, "the database %s has no such problem: %s at %s", store->path,
                          problem->template_name, problem->size));
    }
    return transaction_end(store, done, error);
}

bool store_dispatch_put(struct store *store, const struct store_problem *problem, const char *objective,
                        const char *document, struct error *error)
{
    return put(store, problem, problem->inputs ? problem->inputs : "", objective, document, error);
}

bool store_dispatch_put_without_data(struct store *store, const struct store_problem *problem, const char *objective,
                                     const char *document, struct error *error)
{
    return put(store, problem, "", objective, document, error);
}

bool dispatch_write(struct store *store, const struct store_problem *problem, const struct dispatch_facts *facts,
                    const char *document, struct error *error)
{
    static const char sql[] = INSERT "VALUES (?, ?, ?, ?, ?, ?, ?, ?) " REPLACE " WHERE excluded.made_at >= made_at";
    struct subject_rows rows;
    struct query query;
    if (!subject_ensure(store, problem, ORIGIN_SHIPPED, &rows, error) || !query_open(&query, store, sql, error))
        return false;
    query_bind_integer(&query, rows.template);
    query_bind_integer(&query, rows.device);
    query_bind_integer(&query, rows.toolchain);
    query_bind_text(&query, problem->inputs ? problem->inputs : "");
    query_bind_text(&query, origin_name(facts->origin));
    query_bind_text(&query, facts->objective);
    query_bind_text(&query, facts->made_at);
    query_bind_text(&query, document);
    return query_run(&query, error);
}

bool store_dispatches(struct store *store, const struct store_filter *filter, store_dispatch_visitor *visit,
                      void *context, struct error *error)
{
    static const char sql[] =
        "SELECT template.name, template.hash, device.kind, device.name, dispatch.inputs, dispatch.objective, "
        "dispatch.made_at, toolchain.driver, toolchain.compiler, dispatch.origin, dispatch.document FROM template "
        "CROSS JOIN dispatch ON dispatch.template = template.id CROSS JOIN device ON device.id = dispatch.device "
        "CROSS JOIN toolchain ON toolchain.id = dispatch.toolchain "
        "WHERE template.name = ? AND template.hash = coalesce(?, template.hash) "
        "AND device.kind = coalesce(?, device.kind) AND device.name = coalesce(?, device.name) "
        "AND dispatch.inputs = coalesce(?, dispatch.inputs) AND dispatch.objective = coalesce(?, dispatch.objective) "
        "ORDER BY " DISPATCH_BY_ORIGIN ", "
        "dispatch.made_at DESC, dispatch.id DESC";
    struct query query;
    enum query_step step = QUERY_FAILED;
    if (query_open(&query, store, sql, error)) {
        query_bind_text(&query, filter->template_name);
        query_bind_text(&query, filter->template_hash);
        query_bind_text(&query, filter->device_kind);
        query_bind_text(&query, filter->device_name);
        query_bind_text(&query, filter->inputs);
        query_bind_text(&query, filter->objective);
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            const struct store_dispatch_row row = {
                query_text(&query, 0), query_text(&query, 1), query_text(&query, 2), query_text(&query, 3),
                query_text(&query, 4), query_text(&query, 5), query_text(&query, 6), query_text(&query, 7),
                query_text(&query, 8), query_text(&query, 9), query_text(&query, 10)};
            if (!visit(&row, context)) {
                step = QUERY_DONE;
                break;
            }
        }
    }
    query_close(&query);
    return step == QUERY_DONE;
}
