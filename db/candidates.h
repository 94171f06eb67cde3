/* SPDX-License-Identifier: Apache-2.0 */
/*
 * candidates.h - which rows compete for being best, in SQL.
 *
 * Of the objectives that have an index (time, energy, edp) each problem sends the one row that is best by it; of
 * others, and of the rungs of a ladder, it sends all that may be.
 */
#ifndef TUNE_DB_CANDIDATES_H
#define TUNE_DB_CANDIDATES_H

#include "db/ranking.h"

/*
 * The problems that are asked about, as the CTE "asked (problem, objective)", each with the objective that is its
 * template's default: an expression `condition` of template, problem and device chooses them. Begin it with the
 * template's name, which has an index.
 */
#define CANDIDATES_ASKED(condition)                                                                                  \
    "asked (problem, objective) AS MATERIALIZED (SELECT problem.id, coalesce(template.objective, 'time') "           \
    "FROM template JOIN problem ON problem.template = template.id JOIN device ON device.id = problem.device "        \
    "WHERE " condition ") "

/*
 * A query that yields the columns problem, evaluation, value (less is better) and lost (it lost finals, which matters
 * between equal values) of the rows of these problems; it uses `asked` and the `objective` of RANKING_WITH. Of a rung
 * any row may be the best, also one that lost to a winner on another rung; only a winner's own value counts for those
 * that a single measurement made seem faster. `limits` (within.h), an expression or NULL: rows that meet them alone,
 * and what finals among these decided. Allocated; NULL: out of memory.
 */
char *candidates_sql(const struct ranking *ranking, bool rungs, const char *limits);

/* The same, that yields the best `most` rows of each problem, whether or not they were beaten in finals; by an
 * objective that has no index, all rows. */
char *candidates_leaders_sql(const struct ranking *ranking, int most);

#endif
