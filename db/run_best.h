/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_best.h - a run's best evaluation, in SQL.
 */
#ifndef TUNE_DB_RUN_BEST_H
#define TUNE_DB_RUN_BEST_H

#include "db/ranking.h"
#include "db/within.h"

#define RUN_OBJECTIVE "coalesce(nullif(run.objective, ''), 'time')"

#define RUN_ROWS_COST  RANKING_COST("row", RUN_OBJECTIVE)
#define RUN_ROW_WITHIN WITHIN("run.limits", row)

/* The id of the winner of its finals, or without any of what is best by its objective within its limits; NULL:
 * nothing is. An expression where `run` is joined with RUN_WON. */
#define RUN_WON " LEFT JOIN final AS won ON won.run = run.id AND won.place = 1 "
#define RUN_BEST                                                                                                     \
    "coalesce(won.evaluation, (SELECT id FROM (SELECT row.id, " RUN_ROWS_COST                                        \
    " AS cost FROM run_evaluation AS place "                                                                         \
    "JOIN evaluation AS row ON row.id = place.evaluation WHERE place.run = run.id AND row.outcome = 'ok' "           \
    "AND row.time_ns > 0 AND " RUN_ROW_WITHIN ") WHERE cost > 0 ORDER BY cost, id LIMIT 1))"

#endif
