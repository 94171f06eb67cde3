/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passage_sql.h - the tables that go from one database into another (passage.h), and the statements that take them.
 *
 * In statements :NAME is a value of the source's row: a column, or one of the extra values. The temporary table
 * `taken (kind, source, target, current)` of the target says what each numbered row of the source has become there.
 */
#ifndef TUNE_DB_PASSAGE_SQL_H
#define TUNE_DB_PASSAGE_SQL_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { PASSAGE_NAMES = 10, PASSAGE_COLUMNS = 64 };

/* A value that is not simply the source's. */
struct own_value {
    const char *column, *value;
};

struct passage_table {
    const char *name;
    const char *key[PASSAGE_NAMES]; /* what identifies a row; none: its primary key, and it has no number */
    struct own_value own[PASSAGE_NAMES];
    const char *extra;     /* further values of the source's row, which the other texts use */
    bool fills;            /* what is unknown here becomes known from there */
    const char *newer;     /* does the source's row replace the one that is here? NULL: never */
    const char *same;      /* or are they the same? NULL: always */
    const char *condition; /* is the row wanted? NULL: always */
};

/* Each after those that its rows refer to. */
extern const struct passage_table passage_tables[];
extern const size_t passage_table_count;

/* Do others refer to its rows by a number? */
bool passage_is_numbered(const struct passage_table *table);

/* Without `id`. */
struct passage_columns {
    char *names[PASSAGE_COLUMNS];
    size_t count;
};

enum passage_statement {
    PASSAGE_ROWS, /* of the source: each one's number or NULL, its columns, the extra values */
    PASSAGE_FIND, /* of the target: the number of the row that the source's is, whether that is newer, or the same */
    PASSAGE_INSERT,
    PASSAGE_UPDATE, /* the row :here */
};

/* Allocated. */
char *passage_sql(enum passage_statement statement, const struct passage_table *table,
                  const struct passage_columns *columns, struct error *error);

#endif
