/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shown.h - which of very many evaluations a report shows, so that its diagrams keep their shape.
 *
 * These are, of a problem: half as many as may be shown, the best by its objective; the best by each other one; all
 * finalists; each sweep's improvements, from its first result on, and so its progress; the best of each value of a
 * parameter, and of each pair of values of those that matter most, for ladders and maps; those that no other beats in
 * both time and energy; one of each kind of failure; and an even sample of the others, from the best to the worst.
 */
#ifndef TUNE_DB_SHOWN_H
#define TUNE_DB_SHOWN_H

#include "db/connection.h"

struct json_t;

/* The temporary table `shown (id)` for what shown_choose has chosen; it goes with the transaction. */
bool shown_begin(struct store *store, struct error *error);

/* Choose about `rows` evaluations of a problem, which has more. `names` are its objectives (ranking_names);
 * `objective` is the one that its template is about, NULL for time. */
bool shown_choose(struct store *store, int64_t problem, const struct json_t *names, const char *objective,
                  size_t rows, struct error *error);

/* How many rows each problem may show so that all together show `total`: those with fewer leave the rest to others.
 */
size_t shown_share(const size_t *counts, size_t count, size_t total);

#endif
