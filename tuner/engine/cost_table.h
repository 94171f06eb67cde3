/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost_table.h - what each configuration costs at each size, as far as it was measured, and what it is expected to
 * lose elsewhere.
 *
 * A configuration loses the logarithm of its cost over the least that is known at that size, at most log(10); so does
 * one that failed. Where it was not measured, it is expected to lose what dispatch/expected_loss.h makes of what it
 * loses at other sizes, by their distance (nearness.h). It is how collaborative tuning shares results (R. Bardenet,
 * M. Brendel, B. Kégl, M. Sebag, "Collaborative hyperparameter tuning", ICML 2013).
 */
#ifndef TUNE_ENGINE_COST_TABLE_H
#define TUNE_ENGINE_COST_TABLE_H

#include "tuner/error/error.h"
#include "tuner/space/index_map.h"

struct cost_table {
    size_t sizes;
    double *nearness; /* nearness[a * sizes + b]: expected_loss_weight between them, 1 for a size itself */
    char **configurations;
    size_t count, capacity;
    double *costs;          /* costs[configuration * sizes + size]; 0: unknown, HUGE_VAL: failed */
    double *best;           /* by size; 0: none */
    size_t *known;          /* by size: how many are not unknown */
    struct index_map texts; /* hash -> configuration */
};

/* For sizes with these texts. Clear it in any case; errors only when out of memory. */
bool cost_table_create(struct cost_table *table, const char *const *sizes, size_t count, struct error *error);
void cost_table_clear(struct cost_table *table);

/* Note what a configuration costs; HUGE_VAL: it failed. What was known of it before is forgotten. */
bool cost_table_put(struct cost_table *table, const char *configuration, size_t size, double cost,
                    struct error *error);

/* Is it known what it costs there? */
bool cost_table_knows(const struct cost_table *table, size_t configuration, size_t size);

/* What it loses or is expected to lose. */
double cost_table_loss(const struct cost_table *table, size_t configuration, size_t size);

/* The largest loss. */
extern const double cost_table_loss_most;

/* The valid configurations of a size, the best first; `order` has room for all. Returns how many they are. */
size_t cost_table_rank(const struct cost_table *table, size_t size, size_t *order);

/* The configurations that are among the best few at any size, in ascending order; allocated, NULL: out of memory. */
size_t *cost_table_contenders(const struct cost_table *table, size_t *count);

#endif
