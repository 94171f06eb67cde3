/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training_set.h - the results that a surrogate model is fitted to, and the values it is fitted with.
 *
 * A model's cost grows with the cube of its points, so it sees at most `limit` results: all of them while they fit,
 * else a share of the best and, for the rest, the latest. Evaluations under way follow as points without a value.
 */
#ifndef TUNE_SEARCH_TRAINING_SET_H
#define TUNE_SEARCH_TRAINING_SET_H

#include "tuner/search/explorer.h"

enum {
    TRAINING_LIMIT_MOST = 512,
    TRAINING_PENDING_MOST = 64, /* evaluations under way that become points */
};

struct training_set {
    const struct explorer *explorer;
    size_t limit;       /* results at most */
    double elite_share; /* of them that are the best ones, where not all fit */

    size_t *ranking; /* trials told: the `ranked` first are sorted, best first and failures last */
    size_t *unmerged;
    double *seconds; /* by trial */
    size_t ranked, told, valid, capacity;
    bool logarithms; /* all objectives are positive */

    size_t rows[TRAINING_LIMIT_MOST + TRAINING_PENDING_MOST]; /* the trials chosen; those under way last */
    size_t row_count, known_count;                            /* all of them; those with a value */
};

void training_set_init(struct training_set *set, const struct explorer *explorer, size_t limit, double elite_share);
void training_set_clear(struct training_set *set);

/* Add a trial that the explorer was just told of. False when out of memory. */
bool training_set_add(struct training_set *set, const struct trial *trial, const struct observation *observation);

/* Sort what was added and choose the rows. */
void training_set_choose(struct training_set *set);

/* The trial of this rank, 0 the best, below `valid`, after training_set_choose(). */
const struct trial *training_set_ranked(const struct training_set *set, size_t rank);

/*
 * Fill in a value for each of the known rows. Objectives are logarithms if all are positive; those worse than the
 * quantile `cut` of the valid results, and failures, are clamped to it. The best one is returned: there must be a
 * valid result.
 */
double training_set_objectives(const struct training_set *set, double cut, double *values);

/* 1 for success, 0 for failure. */
void training_set_successes(const struct training_set *set, double *values);

/* Logarithms of the seconds that evaluations took, their mean where unknown. False: all are unknown. */
bool training_set_durations(const struct training_set *set, double *values);

#endif
