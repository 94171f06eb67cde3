/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.h - the Pareto front of points: those that no other beats, and how much they dominate together.
 *
 * A point has a cost by each of a few objectives, of which less is better; those of point i are at
 * costs[i * objectives]. One point covers another if it is no worse by any objective, and dominates it if it is
 * better by some as well.
 *
 * The hypervolume (E. Zitzler, L. Thiele, "Multiobjective optimization using evolutionary algorithms: a comparative
 * case study", PPSN V, 1998) is the volume of all that is dominated by some point and dominates the reference. It
 * grows whenever a point that no other dominates is added.
 */
#ifndef TUNE_EVALUATION_FRONT_H
#define TUNE_EVALUATION_FRONT_H

#include <stdbool.h>
#include <stddef.h>

enum { FRONT_OBJECTIVES = 3 }; /* at most */

bool front_covers(const double *a, const double *b, size_t objectives);
bool front_dominates(const double *a, const double *b, size_t objectives);

/* Find the points that no other dominates, of equal ones the first: their numbers, ordered by the first objective,
 * then the second and so on. Returns how many. `members` has room for all points. */
size_t front_find(const double *costs, size_t count, size_t objectives, size_t *members);

/* Exact. Points that are not better than the reference by every objective count for nothing. `order` is scratch, with
 * room for twice as many as there are points. */
double front_hypervolume(const double *costs, size_t count, size_t objectives, const double *reference,
                         size_t *order);

#endif
