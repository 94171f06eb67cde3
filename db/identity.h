/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity.h - the rows that an evaluation belongs to: device, toolchain, template, space, problem.
 */
#ifndef TUNE_DB_IDENTITY_H
#define TUNE_DB_IDENTITY_H

#include "db/connection.h"

/* Where rows come from, as in the column `origin`. */
enum origin { ORIGIN_MEASURED, ORIGIN_SHIPPED, ORIGIN_IMPORTED };
const char *origin_name(enum origin origin);

/* What an evaluation and a dispatch are of: the rows, created if need be, inside a transaction. */
struct subject_rows {
    int64_t template, device, toolchain;
};
bool subject_ensure(struct store *store, const struct store_problem *problem, enum origin origin,
                    struct subject_rows *rows, struct error *error);

/* The problem's row, created if need be along with the rows that it refers to; inside a transaction. What this
 * machine reports about a device replaces what was stored about it; what was shipped or imported does not. */
bool problem_ensure(struct store *store, const struct store_problem *problem, enum origin origin, int64_t *id,
                    struct error *error);

/* The same where the rows that it refers to are there. */
bool problem_ensure_of(struct store *store, const struct subject_rows *rows, const struct store_problem *problem,
                       int64_t *id, struct error *error);

/* The row of the problem's space. */
bool space_ensure(struct store *store, const struct store_problem *problem, int64_t *id, struct error *error);

/* Bind what identifies a device: kind, name, architecture, sm_count, memory_gib. */
void bind_device(struct query *query, const struct device_description *device);

#endif
