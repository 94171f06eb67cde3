/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relative.h - a stored result that may answer for a problem, and which of several does.
 *
 * Internal to select/.
 */
#ifndef TUNE_SELECT_RELATIVE_H
#define TUNE_SELECT_RELATIVE_H

#include "tuner/select/selection.h"

struct relative {
    struct selection row;
    struct store *store;
    int64_t device;
    double cost; /* by the objective; HUGE_VAL: not known */
};

/* For data other than ours, in octaves. */
#define RELATIVE_OTHER_DATA 0.25

/* A result of the same model of device at another size answers before any tree if it is as near as this, in octaves.
 */
#define RELATIVE_CLOSE 0.5

bool relative_is_close(const struct selection *row);

/* A row of a store, of a site or not; its rule and its octaves are left to the caller. False: out of memory. */
bool relative_of_row(const struct store_row *row, struct store *store, bool of_site, const char *objective,
                     struct relative *relative);

/* By what rule a result of another problem answers: the device's architecture and model, and the size there. */
enum selection_rule relative_rule(const struct selection_request *request, const char *architecture,
                                  const char *device, const char *size);

/* For qsort: the nearest first; of the problem's own the best, of others that are as near the one of the earlier
 * rule; then by layer, and then what was measured last. */
int relative_compare(const void *a, const void *b);

/* Is it valid for the problem? What the user has measured for the very problem was validated for it. */
bool relative_fits(const struct selection_request *request, const struct selection *row, bool *fits,
                   struct error *error);

#endif
