/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - rows as JSON: a row becomes an object whose members are named after the columns, so that a statement
 * shows what its objects look like.
 */
#ifndef TUNE_DB_OBJECTS_H
#define TUNE_DB_OBJECTS_H

#include "db/connection.h"

struct json_t;

/* What a row becomes: an object, or the value of its one column. */
enum shape { SHAPE_OBJECTS, SHAPE_VALUES };

/*
 * All rows of a statement as a new array; `id` is bound to its parameter if it has one. Objects leave out NULL; the
 * columns configuration, samples, rounds, description, descriptions, order, places, outcomes, metrics, lost and
 * document hold JSON texts and become values.
 */
bool rows_json(struct store *store, const char *sql, int64_t id, enum shape shape, struct json_t **array,
               struct error *error);

#endif
