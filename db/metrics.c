/* SPDX-License-Identifier: Apache-2.0 */
/* The values of metrics that templates define, and their definitions. */
#include "db/connection.h"
#include "db/verdicts.h"

#include "tuner/json/json_text.h"

#include <string.h>

static bool put_value(struct store *store, const struct store_metrics *metrics, struct error *error)
{
    static const char sql[] = "UPDATE evaluation SET metrics = nullif(?, '') WHERE id = ?";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_text(&query, metrics->text);
    query_bind_integer(&query, metrics->evaluation_id);
    return query_run(&query, error);
}

static bool put_definitions(struct store *store, const char *template_name, const char *template_hash,
                            const char *definitions, const char *objective, struct error *error)
{
    static const char sql[] =
        "UPDATE template SET metrics = nullif(?, ''), objective = ? WHERE name = ? AND hash = ?";
    struct query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, definitions);
    query_bind_text(&query, objective);
    query_bind_text(&query, template_name);
    query_bind_text(&query, template_hash);
    return query_run(&query, error);
}

bool store_metrics_put(struct store *store, const char *template_name, const char *template_hash,
                       const char *definitions, const char *objective, const struct store_metrics *metrics,
                       size_t count, struct error *error)
{
    if (!transaction_begin(store, error))
        return false;
    /* who won by another definition has not won by this one */
    bool done = verdict_forget_defined(store, template_name, template_hash, definitions, error);
    for (size_t i = 0; done && i < count; i++)
        done = put_value(store, &metrics[i], error);
    done = done && put_definitions(store, template_name, template_hash, definitions, objective, error);
    return transaction_end(store, done, error);
}

bool store_metrics_current(struct store *store, const char *template_name, const char *template_hash,
                           const char *definitions, const char *objective, bool *current, struct error *error)
{
    static const char sql[] =
        "SELECT count(*) FROM template WHERE name = ?1 AND hash = ?2 "
        "AND (metrics IS NOT nullif(?3, '') OR objective IS NOT ?4 OR (?3 <> '' AND EXISTS (SELECT 1 FROM problem "
        "CROSS JOIN evaluation AS row ON row.problem = problem.id WHERE problem.template = template.id "
        "AND row.outcome = 'ok' AND row.metrics IS NULL)))";
    struct query query;
    int64_t others;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, template_name);
    query_bind_text(&query, template_hash);
    query_bind_text(&query, definitions);
    query_bind_text(&query, objective);
    if (!query_integer(&query, "count", &others, error))
        return false;
    *current = others == 0;
    return true;
}

bool store_device_description(struct store *store, int64_t device, struct device_description *description,
                              struct error *error)
{
    struct query query;
    json_t *json = NULL;
    if (!query_open(&query, store, "SELECT description FROM device WHERE id = ?", error))
        return false;
    query_bind_integer(&query, device);
    enum query_step step = query_step(&query, error);
    if (step == QUERY_DONE)
        error_set(error, ERROR_INPUT, "the database %s has no such device", store->path);
    bool done = step == QUERY_ROW && json_try(query_text(&query, 0), 0, &json, error) &&
                (json || error_set(error, ERROR_INPUT, "the database %s has a damaged device", store->path)) &&
                device_description_from_json(json, description, error);
    json_decref(json);
    query_close(&query);
    return done;
}
