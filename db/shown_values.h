/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shown_values.h - the best row of each value of a parameter, and of each pair of values.
 *
 * Configurations are read as the canonical texts that they are, {"A":1,"B":"x"}, without building JSON: there may be
 * a million. Parameters with more than SHOWN_VALUES_MOST values are left out.
 */
#ifndef TUNE_DB_SHOWN_VALUES_H
#define TUNE_DB_SHOWN_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum { SHOWN_VALUES_MOST = 64 };

struct shown_values;

struct shown_values *shown_values_create(void); /* NULL: out of memory */
void shown_values_free(struct shown_values *values);

/* A row: its rank, 0 for the best of all, and its cost. */
void shown_values_add(struct shown_values *values, const char *configuration, size_t rank, double cost);

/*
 * The ranks of the best rows of each value, and then of pairs, those of the parameters first whose values differ most
 * in their best costs: at most `most`, some of them perhaps twice.
 */
size_t shown_values_best(const struct shown_values *values, size_t *ranks, size_t most);

#endif
