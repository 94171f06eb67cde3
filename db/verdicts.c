/* SPDX-License-Identifier: Apache-2.0 */
#include "db/verdicts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const results[] = {
    [VERDICT_NONE] = "",     [VERDICT_WINNER] = "winner",   [VERDICT_TIED] = "tied",
    [VERDICT_LOST] = "lost", [VERDICT_OUTSIDE] = "outside",
};

enum store_verdict verdict_find(const char *result)
{
    size_t which = sizeof results / sizeof *results - 1;
    while (which > VERDICT_NONE && strcmp(results[which], result) != 0)
        which--;
    return (enum store_verdict)which;
}

bool verdict_put(struct store *store, int64_t evaluation, const char *objective, int64_t winner,
                 enum store_verdict result, struct error *error)
{
    static const char sql[] =
        "INSERT INTO verdict (evaluation, objective, winner, result) VALUES (?, ?, ?, ?) ON CONFLICT (evaluation, "
        "objective) DO UPDATE SET winner = excluded.winner, result = excluded.result";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, evaluation);
    query_bind_text(&query, objective);
    query_bind_integer(&query, winner);
    query_bind_text(&query, results[result]);
    return query_run(&query, error);
}

/* Rows that were in no finals of the run, of those that `scope` selects; `otherwise`: where there is a verdict. */
static bool put_outside(struct store *store, int64_t run, int64_t winner, const struct ranking *ranking,
                        const char *scope, const char *otherwise, struct error *error)
{
    char *own = ranking_cost(ranking, "evaluation"), *winners = ranking_cost(ranking, "leader"), *sql = NULL;
    if (!own || !winners ||
        asprintf(&sql,
                 RANKING_WITH "INSERT INTO verdict (evaluation, objective, winner, result) "
                              "SELECT evaluation.id, ?1, ?3, 'outside' FROM evaluation WHERE %s AND id NOT IN "
                              "(SELECT evaluation FROM final WHERE run = ?4) AND id <> ?3 AND outcome = 'ok' "
                              "AND %s <= (SELECT %s FROM evaluation AS leader WHERE leader.id = ?3) "
                              "ON CONFLICT (evaluation, objective) DO %s",
                 scope, own, winners, otherwise) < 0)
        sql = NULL;
    free(own);
    free(winners);
    struct query query;
    if (!ranking_open(&query, store, ranking, sql, error))
        return false;
    query_bind_integer(&query, winner);
    query_bind_integer(&query, run);
    return query_run(&query, error);
}

bool verdict_put_rest(struct store *store, int64_t run, int64_t winner, const struct ranking *ranking,
                      struct error *error)
{
    return put_outside(store, run, winner, ranking, "id IN (SELECT evaluation FROM run_evaluation WHERE run = ?4)",
                       "UPDATE SET winner = excluded.winner, result = excluded.result", error);
}

/* ---- other objectives */

/* Of the problem's rows that are not beaten the best, if it is a finalist; 0: it is not. */
static bool find_leader(struct store *store, int64_t run, struct verdict_leader *leader, struct error *error)
{
    char *cost = ranking_cost(&leader->ranking, "evaluation"), *sql = NULL;
    if (!cost ||
        asprintf(&sql,
                 RANKING_WITH "SELECT coalesce((SELECT evaluation FROM final WHERE run = ?3 AND evaluation = "
                              "(SELECT id FROM (SELECT evaluation.id, %s AS cost FROM evaluation WHERE problem = "
                              "(SELECT problem FROM run WHERE id = ?3) AND outcome = 'ok' AND time_ns > 0 AND "
                              "NOT " VERDICT_BEATEN("evaluation.id", "?1") ") WHERE cost > 0 "
                                                                           "ORDER BY cost, id LIMIT 1)), 0)",
                 cost) < 0)
        sql = NULL;
    free(cost);
    struct query query;
    if (!ranking_open(&query, store, &leader->ranking, sql, error))
        return false;
    query_bind_integer(&query, run);
    return query_integer(&query, "answer", &leader->evaluation, error);
}

static bool add_objective(struct verdict_leaders *leaders, const char *name, struct error *error)
{
    struct verdict_leader *of = realloc(leaders->of, (leaders->count + 1) * sizeof *of);
    char *own = strdup(name);
    if (of)
        leaders->of = of;
    if (!of || !own) {
        free(own);
        return error_out_of_memory(error);
    }
    of[leaders->count++] = (struct verdict_leader){.objective = own};
    return true;
}

/* All objectives that the run's template has, but this one. */
static bool list_objectives(struct store *store, int64_t run, const char *objective, struct verdict_leaders *leaders,
                            struct error *error)
{
    static const char sql[] = "SELECT template.metrics FROM run JOIN problem ON problem.id = run.problem "
                              "JOIN template ON template.id = problem.template WHERE run.id = ?";
    struct query query;
    json_t *names = NULL;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_integer(&query, run);
    enum query_step step = query_step(&query, error);
    bool done = step != QUERY_FAILED && ranking_names(step == QUERY_ROW ? query_text(&query, 0) : "", &names, error);
    query_close(&query);
    for (size_t i = 0; done && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        done = strcmp(name, objective) == 0 || add_objective(leaders, name, error);
    }
    json_decref(names);
    return done;
}

bool verdict_leaders(struct store *store, int64_t run, const char *objective, struct verdict_leaders *leaders,
                     struct error *error)
{
    *leaders = (struct verdict_leaders){0};
    bool done = list_objectives(store, run, objective, leaders, error);
    for (size_t i = 0; done && i < leaders->count; i++) {
        struct verdict_leader *leader = &leaders->of[i];
        struct error unknown = {0};
        if (ranking_find(store, leader->objective, &leader->ranking, &unknown))
            done = find_leader(store, run, leader, error);
        else if (unknown.code != ERROR_INPUT) { /* a name that cannot be ranked by has no leader */
            *error = unknown;
            done = false;
        }
    }
    return done;
}

bool verdict_keep_leaders(struct store *store, int64_t run, const struct verdict_leaders *leaders,
                          struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < leaders->count; i++) {
        const struct verdict_leader *leader = &leaders->of[i];
        done = leader->evaluation == 0 ||
               put_outside(store, run, leader->evaluation, &leader->ranking,
                           "problem = (SELECT problem FROM run WHERE id = ?4) AND time_ns > 0", "NOTHING", error);
    }
    return done;
}

void verdict_leaders_free(struct verdict_leaders *leaders)
{
    for (size_t i = 0; i < leaders->count; i++)
        free(leaders->of[i].objective);
    free(leaders->of);
    *leaders = (struct verdict_leaders){0};
}

/* ---- when they do not hold any more */

bool verdict_forget(struct store *store, int64_t evaluation, struct error *error)
{
    static const char sql[] = "DELETE FROM verdict WHERE evaluation = ?1 OR winner = ?1";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, evaluation);
    return query_run(&query, error);
}

bool verdict_forget_defined(struct store *store, const char *template_name, const char *template_hash,
                            const char *definitions, struct error *error)
{
    static const char sql[] =
        "DELETE FROM verdict WHERE objective NOT IN ('time', 'energy', 'edp') AND evaluation IN (SELECT "
        "evaluation.id "
        "FROM template JOIN problem ON problem.template = template.id JOIN evaluation ON evaluation.problem = "
        "problem.id WHERE template.name = ? AND template.hash = ? AND template.metrics IS NOT nullif(?, ''))";
    struct query query;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, template_name);
    query_bind_text(&query, template_hash);
    query_bind_text(&query, definitions);
    return query_run(&query, error);
}
