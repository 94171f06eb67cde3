/* SPDX-License-Identifier: Apache-2.0 */
#include "db/ranking.h"

#include "tuner/json/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct built_in {
    const char *objective, *column, *factor; /* factor: another column, or NULL */
} built_in[] = {
    {"time", "time_ns", NULL},
    {"energy", "energy_j", NULL},
    {"edp", "energy_j", "time_ns"},
};

static bool is_defined(struct store *store, const struct ranking *ranking, bool *defined, struct error *error)
{
    static const char sql[] = "SELECT count(*) FROM template WHERE json_extract(CASE WHEN json_valid(metrics) THEN "
                              "metrics END, ? || '.sense') IS NOT NULL";
    struct query query;
    int64_t count;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, ranking->path);
    if (!query_integer(&query, "count", &count, error))
        return false;
    *defined = count > 0;
    return true;
}

/* Quotes cannot be part of a path, nor of a name. */
static bool set_path(struct ranking *ranking, const char *objective)
{
    int length = snprintf(ranking->path, sizeof ranking->path, "$.\"%s\"", objective);
    return length > 0 && length < RANKING_PATH && !strpbrk(objective, "\"\\");
}

static const struct built_in *find_built_in(const char *objective)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(objective, built_in[i].objective) == 0)
            return &built_in[i];
    }
    return NULL;
}

bool ranking_find(struct store *store, const char *objective, struct ranking *ranking, struct error *error)
{
    bool defined = false;
    *ranking = (struct ranking){.objective = objective ? objective : built_in[0].objective};
    ranking->built_in = find_built_in(ranking->objective);
    if (ranking->built_in)
        return true;
    if (set_path(ranking, objective) && !is_defined(store, ranking, &defined, error))
        return false;
    if (defined)
        return true;
    error_set(error, ERROR_INPUT, "there is no objective %s", objective);
    return error_hint(error, "objectives are time, energy, edp and those of the templates that sweeps have used");
}

bool ranking_find_or_default(struct store *store, const char *objective, struct ranking *ranking, struct error *error)
{
    *ranking = (struct ranking){0};
    return !objective || ranking_find(store, objective, ranking, error);
}

bool ranking_names(const char *definitions, json_t **names, struct error *error)
{
    json_t *metrics, *definition;
    const char *name;
    struct ranking ranking;
    *names = NULL;
    if (!json_try(definitions, 0, &metrics, error))
        return false;
    bool done = (*names = json_array()) != NULL;
    for (size_t i = 0; done && i < sizeof built_in / sizeof *built_in; i++)
        done = json_array_append_new(*names, json_string(built_in[i].objective)) == 0;
    json_object_foreach(metrics, name, definition)
    {
        if (json_is_string(json_object_get(definition, "sense")) && set_path(&ranking, name))
            done = done && json_array_append_new(*names, json_string(name)) == 0;
    }
    json_decref(metrics);
    if (done)
        return true;
    json_decref(*names);
    *names = NULL;
    return error_out_of_memory(error);
}

bool ranking_open(struct query *query, struct store *store, const struct ranking *ranking, char *sql,
                  struct error *error)
{
    if (!sql)
        return error_out_of_memory(error);
    bool open = query_open_kept(query, store, sql, error);
    free(sql);
    if (!open) {
        query_close(query);
        return false;
    }
    query_bind_text(query, ranking->objective);
    query_bind_text(query, ranking->path);
    return true;
}

/* By a built-in objective, or by the metric at a path, an expression. */
static char *cost_sql(const struct built_in *own, const char *path, const char *row)
{
    char *sql = NULL;
    int length;
    if (own && own->factor)
        length = asprintf(&sql, "%s.%s * %s.%s", row, own->column, row, own->factor);
    else if (own)
        length = asprintf(&sql, "%s.%s", row, own->column);
    else
        length = asprintf(&sql, RANKING_METRIC("%s", "%s"), row, row, path, path, row);
    return length < 0 ? NULL : sql;
}

char *ranking_cost(const struct ranking *ranking, const char *row)
{
    return cost_sql(ranking->built_in, "(SELECT path FROM objective)", row);
}

char *ranking_cost_by(const char *name, const char *row)
{
    struct ranking ranking = {.objective = name};
    set_path(&ranking, name);
    char *path = sqlite3_mprintf("%Q", ranking.path);
    char *sql = path ? cost_sql(find_built_in(name), path, row) : NULL;
    sqlite3_free(path);
    return sql;
}
