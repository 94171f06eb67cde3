/* SPDX-License-Identifier: Apache-2.0 */
/*
 * within.h - limits on results (tuner/space/limits.h) in SQL.
 *
 * Limits are one text, a condition; NULL and '' stand for none. What is best within limits is a question of its own,
 * with finals of its own: their verdicts are by the objective "time within registers <= 64". Of the verdicts by plain
 * "time" those count whose winner is within the limits.
 */
#ifndef TUNE_DB_WITHIN_H
#define TUNE_DB_WITHIN_H

#include "db/connection.h"

/* Let the connection evaluate WITHIN. */
bool within_register(struct store *store, struct error *error);

/* Is a valid row within limits, an expression? `alias` stands for the row: evaluation or row. A text that is no
 * condition admits nothing. */
#define WITHIN(limits, alias)                                    "within(" limits EVALUATION_NUMBERS(WITHIN_##alias, WITHIN_PART_##alias) ")"
#define WITHIN_evaluation(type, name, document, rule)            ", evaluation." #name
#define WITHIN_PART_evaluation(part, type, name, document, rule) ", evaluation." #name
#define WITHIN_row(type, name, document, rule)                   ", row." #name
#define WITHIN_PART_row(part, type, name, document, rule)        ", row." #name

/* What verdicts call the question: an objective and limits, both expressions. */
#define WITHIN_OBJECTIVE(objective, limits) "(" objective " || coalesce(' within ' || nullif(" limits ", ''), ''))"

#endif
