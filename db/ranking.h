/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranking.h - by what rows are ranked: the cost of a row by an objective, in SQL.
 *
 * Less is better. Of an objective that a template defines the cost is the value that the row keeps, or its reciprocal
 * if it is to be large; the template's row says which. It is NULL unless the value is a positive number.
 */
#ifndef TUNE_DB_RANKING_H
#define TUNE_DB_RANKING_H

#include "db/connection.h"

enum { RANKING_PATH = 256 };

struct built_in;

struct ranking {
    const char *objective;           /* its name; NULL: the default of each row's template */
    const struct built_in *built_in; /* NULL: a template's */
    char path[RANKING_PATH];         /* to its value in `metrics`; "" for the others */
};

/* NULL or "time", another built-in objective, or one that some template in the database defines. Else ERROR_INPUT. */
bool ranking_find(struct store *store, const char *objective, struct ranking *ranking, struct error *error);

/* The same, but each template's default for NULL. */
bool ranking_find_or_default(struct store *store, const char *objective, struct ranking *ranking,
                             struct error *error);

/* The names of all objectives: the built-in ones, and those among a template's definitions of metrics (see
 * store_problem; a damaged text has none) that are short and plain enough to rank by. A new array. */
struct json_t;
bool ranking_names(const char *definitions, struct json_t **names, struct error *error);

/* Queries that rank begin with this; it has the first two parameters, which ranking_open binds. */
#define RANKING_WITH "WITH objective (name, path) AS (VALUES (?1, ?2)) "

/* Open such a query. `sql` is freed; NULL stands for lack of memory. After false there is nothing to close. */
bool ranking_open(struct query *query, struct store *store, const struct ranking *ranking, char *sql,
                  struct error *error);

/* The cost of the row that the table or alias `row` of `evaluation` stands for, as an expression. Allocated; NULL:
 * out of memory. */
char *ranking_cost(const struct ranking *ranking, const char *row);

/* The same for queries about several objectives, which need not begin with RANKING_WITH: by one of ranking_names. */
char *ranking_cost_by(const char *name, const char *row);

/* The cost of a row by the objective with a name, both expressions. */
#define RANKING_COST(row, name)                                                                                      \
    "CASE " name " WHEN 'time' THEN " row ".time_ns WHEN 'energy' THEN " row ".energy_j "                            \
    "WHEN 'edp' THEN " row ".energy_j * " row ".time_ns ELSE " RANKING_METRIC(row, RANKING_PATH_OF(name)) " END"

/* The path to the definition of an objective, and to its values; NULL: it cannot be ranked by. */
#define RANKING_PATH_OF(name)                                                                                        \
    "(SELECT '$.\"' || " name " || '\"' WHERE instr(" name ", '\"') = 0 AND instr(" name ", '\\') = 0)"

/* The cost by the metric at a path. */
#define RANKING_METRIC(row, path)                                                                                    \
    "(SELECT CASE sense WHEN 'maximize' THEN 1.0 / value WHEN 'minimize' THEN value END FROM "                       \
    "(SELECT json_extract(CASE WHEN json_valid(" row ".metrics) THEN " row ".metrics END, " path ") AS value, "      \
    "(SELECT json_extract(CASE WHEN json_valid(own.metrics) THEN own.metrics END, " path " || '.sense') "            \
    "FROM problem AS its JOIN template AS own ON own.id = its.template WHERE its.id = " row ".problem) AS sense) "   \
    "WHERE typeof(value) IN ('real', 'integer') AND value > 0)"

#endif
