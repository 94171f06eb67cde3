/* SPDX-License-Identifier: Apache-2.0 */
#include "db/objects.h"

#include "tuner/json/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that hold JSON, by name, since expressions have no declared type. */
static bool holds_json(const char *name)
{
    static const char *const names[] = {"configuration", "samples", "rounds",   "description",
                                        "order",         "places",  "outcomes", "descriptions",
                                        "metrics",       "lost",    "document"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* A damaged text counts as none. NULL: out of memory. */
static json_t *parsed_json(const char *text)
{
    json_t *json;
    if (!json_try(text, 0, &json, NULL))
        return NULL;
    return json ? json : json_null();
}

static json_t *column_json(struct query *query, int column)
{
    switch (sqlite3_column_type(query->statement, column)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(query->statement, column));
    case SQLITE_FLOAT: {
        double real = sqlite3_column_double(query->statement, column);
        return isfinite(real) ? json_real(real) : json_null();
    }
    case SQLITE_NULL:
        return json_null();
    default:
        return (holds_json(sqlite3_column_name(query->statement, column)) ? parsed_json : json_string_of_bytes)(
            query_text(query, column));
    }
}

/* The current row as an object without its NULLs. NULL: out of memory. */
static json_t *row_json(struct query *query)
{
    json_t *object = json_object();
    for (int i = 0; object && i < sqlite3_column_count(query->statement); i++) {
        json_t *value = column_json(query, i);
        if (json_is_null(value))
            continue;
        if (json_object_set_new(object, sqlite3_column_name(query->statement, i), value) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

bool rows_json(struct store *store, const char *sql, int64_t id, enum shape shape, json_t **array,
               struct error *error)
{
    struct query query;
    enum query_step step = QUERY_FAILED;
    *array = json_array();
    if (!*array)
        return error_out_of_memory(error);
    if (query_open_kept(&query, store, sql, error)) {
        if (sqlite3_bind_parameter_count(query.statement) > 0)
            query_bind_integer(&query, id);
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            json_t *row = shape == SHAPE_OBJECTS ? row_json(&query) : column_json(&query, 0);
            if (json_array_append_new(*array, row) != 0) {
                error_out_of_memory(error);
                step = QUERY_FAILED;
                break;
            }
        }
    }
    query_close(&query);
    if (step == QUERY_DONE)
        return true;
    json_decref(*array);
    *array = NULL;
    return false;
}
