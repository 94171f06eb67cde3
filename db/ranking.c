/* SPDX-License-Identifier: Apache-2.0 */
#include "db/ranking.h"

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

bool ranking_find(struct store *store, const char *objective, struct ranking *ranking, struct error *error)
{
    bool defined = false;
    *ranking = (struct ranking){.objective = objective ? objective : built_in[0].objective};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(ranking->objective, built_in[i].objective) == 0) {
            ranking->built_in = &built_in[i];
            return true;
        }
    }
    /* quotes cannot be part of a path, nor of a name */
    int length = snprintf(ranking->path, sizeof ranking->path, "$.\"%s\"", objective);
    bool possible = length > 0 && length < RANKING_PATH && !strpbrk(objective, "\"\\");
    if (possible && !is_defined(store, ranking, &defined, error))
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

void ranking_bind(struct query *query, const struct ranking *ranking)
{
    query_bind_text(query, ranking->objective);
    query_bind_text(query, ranking->path);
}

char *ranking_cost(const struct ranking *ranking, const char *row)
{
    const struct built_in *own = ranking->built_in;
    char *sql = NULL;
    int length;
    if (own && own->factor)
        length = asprintf(&sql, "%s.%s * %s.%s", row, own->column, row, own->factor);
    else if (own)
        length = asprintf(&sql, "%s.%s", row, own->column);
    else
        length = asprintf(&sql, RANKING_METRIC("%s", "(SELECT path FROM objective)"), row, row, row);
    return length < 0 ? NULL : sql;
}
