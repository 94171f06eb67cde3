/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - rows as JSON: a row becomes an object by its column names, so that a statement says what its objects
 * look like.
 */
#ifndef TUNE_DB_OBJECTS_H
#define TUNE_DB_OBJECTS_H

#include "db/connection.h"

struct json_t;

/* What a row becomes: an object, or the value of its one column. */
enum shape { SHAPE_OBJECTS, SHAPE_VALUES };

/*
 * All rows of a statement, as a new array; `id` is bound to its place if it has one. NULL is left out of objects;
 * columns named configuration, samples, rounds, description and order hold JSON and become what their text says.
 */
bool rows_json(struct store *store, const char *sql, int64_t id, enum shape shape, struct json_t **array,
               struct error *error);

#endif
