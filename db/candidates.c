/* SPDX-License-Identifier: Apache-2.0 */
#include "db/candidates.h"

#include "db/verdicts.h"
#include "db/within.h"
#include "tuner/error/text_stream.h"

#include <stdlib.h>
#include <string.h>

/* The objectives that have an index: the cost of a row, as the index has it, and what else the index asks for. The
 * sign + keeps the other indices out of it. */
static const struct indexed {
    const char *objective, *cost, *condition;
} indexed[] = {
    {"time", "row.time_ns", "row.time_ns > 0"},
    {"energy", "row.energy_j", "row.energy_j > 0 AND +row.time_ns > 0"},
    {"edp", "row.energy_j * row.time_ns", "row.energy_j * row.time_ns > 0 AND row.energy_j > 0 AND +row.time_ns > 0"},
};
enum { INDEXED = sizeof indexed / sizeof *indexed };

static const struct indexed *find_indexed(const char *objective)
{
    for (size_t i = 0; i < INDEXED; i++) {
        if (strcmp(indexed[i].objective, objective) == 0)
            return &indexed[i];
    }
    return NULL;
}

/* The best row of each problem, where `condition` holds. */
static void print_indexed(FILE *out, const struct indexed *by, const char *condition)
{
    fprintf(
        out,
        "SELECT row.problem, row.id AS evaluation, %s AS value, 0 AS lost FROM asked CROSS JOIN evaluation AS row "
        "ON row.id = (SELECT row.id FROM evaluation AS row WHERE row.problem = asked.problem "
        "AND row.outcome = 'ok' AND %s AND NOT " VERDICT_BEATEN("row.id", "'%s'") " ORDER BY %s, row.id LIMIT 1) "
                                                                                  "WHERE %s",
        by->cost, by->condition, by->objective, by->cost, condition);
}

/* The best few rows of each problem, whatever finals decided. */
static void print_leaders(FILE *out, const struct indexed *by, int most)
{
    fprintf(
        out,
        "SELECT row.problem, row.id AS evaluation, %s AS value, 0 AS lost FROM asked CROSS JOIN evaluation AS row "
        "ON row.id IN (SELECT row.id FROM evaluation AS row WHERE row.problem = asked.problem "
        "AND row.outcome = 'ok' AND %s ORDER BY %s, row.id LIMIT %d)",
        by->cost, by->condition, by->cost, most);
}

/* All rows with a cost, where `condition` holds, that are not beaten by the objective, an expression. */
static void print_all(FILE *out, const char *cost, const char *objective, const char *condition)
{
    fprintf(out,
            "SELECT problem, evaluation, value, 0 AS lost FROM (SELECT evaluation.problem, evaluation.id AS "
            "evaluation, %s AS value FROM asked CROSS JOIN evaluation ON evaluation.problem = asked.problem "
            "WHERE outcome = 'ok' AND time_ns > 0 AND %s AND NOT " VERDICT_BEATEN("evaluation.id",
                                                                                  "%s") ") "
                                                                                        "WHERE value > 0",
            cost, condition, objective);
}

/* The same within limits. Those that are beaten are so by a row within them: in finals of rows within these very
 * limits, or in others. */
static void print_within(FILE *out, const char *cost, const char *objective, const char *limits)
{
    char own_objective[256];
    snprintf(own_objective, sizeof own_objective, WITHIN_OBJECTIVE("%s", "%s"), objective, limits);
    fprintf(out,
            "SELECT problem, evaluation, value, 0 AS lost FROM (SELECT evaluation.problem, evaluation.id AS "
            "evaluation, %s AS value FROM asked CROSS JOIN evaluation ON evaluation.problem = asked.problem "
            "WHERE outcome = 'ok' AND time_ns > 0 AND " WITHIN("%s", evaluation) //
            " AND NOT " VERDICT_BEATEN("evaluation.id", "%s")                    //
            " AND NOT EXISTS (SELECT 1 FROM verdict JOIN evaluation AS row ON row.id = verdict.winner "
            "WHERE verdict.evaluation = evaluation.id AND verdict.objective = %s AND result <> 'winner' "
            "AND " WITHIN("%s", row) ")) WHERE value > 0",
            cost, limits, own_objective, objective, limits);
}

static void print_rungs(FILE *out, const char *own, const char *winners, const char *limits)
{
    fprintf(out,
            "SELECT evaluation.problem, evaluation.id AS evaluation, " VERDICT_BEATEN(
                "evaluation.id",
                "?1") " AS lost, max(%s, "
                      "coalesce((SELECT %s FROM verdict JOIN evaluation AS leader ON leader.id = verdict.winner "
                      "WHERE verdict.evaluation = evaluation.id AND verdict.objective = ?1), 0)) AS value "
                      "FROM asked CROSS JOIN evaluation ON evaluation.problem = asked.problem "
                      "WHERE outcome = 'ok' AND time_ns > 0 AND %s > 0",
            own, winners, own);
    if (limits)
        fprintf(out, " AND " WITHIN("%s", evaluation), limits);
}

/* By the default of each template. */
static void print_defaults(FILE *out)
{
    char condition[64];
    for (size_t i = 0; i < INDEXED; i++) {
        snprintf(condition, sizeof condition, "asked.objective = '%s'", indexed[i].objective);
        print_indexed(out, &indexed[i], condition);
        fputs(" UNION ALL ", out);
    }
    print_all(out, RANKING_COST("evaluation", "asked.objective"), "asked.objective",
              "asked.objective NOT IN ('time', 'energy', 'edp')");
}

static bool print_costs(FILE *out, const struct ranking *ranking, bool rungs, const char *limits)
{
    char *own = ranking_cost(ranking, "evaluation"), *winners = ranking_cost(ranking, "leader");
    bool done = own && winners;
    if (done && rungs)
        print_rungs(out, own, winners, limits);
    else if (done && limits)
        print_within(out, own, "?1", limits);
    else if (done)
        print_all(out, own, "?1", "TRUE");
    free(own);
    free(winners);
    return done;
}

char *candidates_leaders_sql(const struct ranking *ranking, int most)
{
    struct text_stream stream;
    const struct indexed *by = ranking->objective ? find_indexed(ranking->objective) : NULL;
    if (!by)
        return candidates_sql(ranking, true, NULL);
    if (!text_stream_open(&stream, NULL))
        return NULL;
    print_leaders(stream.out, by, most);
    return text_stream_close(&stream, NULL);
}

char *candidates_sql(const struct ranking *ranking, bool rungs, const char *limits)
{
    struct text_stream stream;
    bool done = true;
    const struct indexed *by = ranking->objective ? find_indexed(ranking->objective) : NULL;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    if (by && !rungs && !limits)
        print_indexed(stream.out, by, "TRUE");
    else if (ranking->objective)
        done = print_costs(stream.out, ranking, rungs, limits);
    else if (limits)
        print_within(stream.out, RANKING_COST("evaluation", "asked.objective"), "asked.objective", limits);
    else
        print_defaults(stream.out);
    char *sql = text_stream_close(&stream, NULL);
    if (done)
        return sql;
    free(sql);
    return NULL;
}
