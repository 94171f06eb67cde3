/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdicts.h - what finals decided of evaluations, by objective.
 *
 * Each objective has verdicts of its own: who lost by time may still win by energy, and stays beaten by time whatever
 * becomes of it then. By each objective the latest finals that an evaluation took part in count. All functions that
 * write do so inside a transaction.
 */
#ifndef TUNE_DB_VERDICTS_H
#define TUNE_DB_VERDICTS_H

#include "db/connection.h"
#include "db/ranking.h"

/* In SQL: is the row with this id beaten by this objective? Both are expressions. */
#define VERDICT_BEATEN(id, objective)                                                                                \
    "EXISTS (SELECT 1 FROM verdict WHERE verdict.evaluation = " id " AND verdict.objective = " objective             \
    " AND verdict.result <> 'winner')"

/* What a verdict's result says; VERDICT_NONE: nothing that this program knows. */
enum store_verdict verdict_find(const char *result);

/* The verdict on an evaluation. The winner's own: `winner` is the evaluation. */
bool verdict_put(struct store *store, int64_t evaluation, const char *objective, int64_t winner,
                 enum store_verdict result, struct error *error);

/*
 * In finals all values differ slightly from those of the sweep, because the device is warmer, for instance. A row
 * that was not good enough for the finals must not become best because the winner's value has become worse: rows of
 * the run that were not in its finals, but whose single measurement is not worse than the winner's value now, are
 * beaten.
 */
bool verdict_put_rest(struct store *store, int64_t run, int64_t winner, const struct ranking *ranking,
                      struct error *error);

/*
 * The same by the objectives that the finals of a run were not about. They measured the finalists again, also those
 * that were best by other objectives. Between verdict_leaders before the finalists' values change and
 * verdict_keep_leaders after it: where the best row by another objective was a finalist, rows that were not, and of
 * which there is no verdict by that objective, are beaten if they are not worse than it now.
 */
struct verdict_leader {
    struct ranking ranking;
    char *objective;
    int64_t evaluation;
};
struct verdict_leaders {
    struct verdict_leader *of;
    size_t count;
};
bool verdict_leaders(struct store *store, int64_t run, const char *objective, struct verdict_leaders *leaders,
                     struct error *error);
bool verdict_keep_leaders(struct store *store, int64_t run, const struct verdict_leaders *leaders,
                          struct error *error);
void verdict_leaders_free(struct verdict_leaders *leaders);

/* The evaluation has been measured again: nothing is decided of it any more, nor of those that it had beaten. */
bool verdict_forget(struct store *store, int64_t evaluation, struct error *error);

/* Verdicts by objectives that this version of a template defines, if it defined them otherwise so far. */
bool verdict_forget_defined(struct store *store, const char *template_name, const char *template_hash,
                            const char *definitions, struct error *error);

#endif
