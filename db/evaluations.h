/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluations.h - writing an evaluation's row, whether it was measured here or shipped.
 */
#ifndef TUNE_DB_EVALUATIONS_H
#define TUNE_DB_EVALUATIONS_H

#include "db/identity.h"

/* How a number of an evaluation is kept: what says "not known" becomes NULL. */
enum number_rule {
    NUMBER_INTEGER,  /* negative: not known */
    NUMBER_REAL,     /* negative or NaN: not known */
    NUMBER_POSITIVE, /* not above zero, or not finite: not known */
};

/* The numbers of an evaluation: column, name in documents, place in struct evaluation, in the order of the columns.
 */
struct evaluation_number {
    const char *column, *member;
    size_t offset;
    enum number_rule rule;
};
extern const struct evaluation_number evaluation_numbers[];
extern const size_t evaluation_number_count;

/* What a run can minimise: the objective's name and its value in terms of the table's columns. "time" is the first.
 */
struct ranking {
    const char *objective, *value;
};
extern const struct ranking rankings[];
extern const size_t ranking_count;

/*
 * Insert the row or update the one with the same configuration, inside a transaction; a measured row stays when a
 * shipped or imported one comes. `measured_at` NULL: now. `*id` is the row's.
 */
bool evaluation_write(struct store *store, int64_t problem, const char *configuration,
                      const struct evaluation *evaluation, enum origin origin, const char *measured_at, int64_t *id,
                      struct error *error);

#endif
