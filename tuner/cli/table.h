/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - text in columns: gathered first, then printed with the widths that it needs.
 *
 * On a terminal a table fits the width: cells fold within their columns, and a column of details moves beneath its
 * row where too little is left beside it. Columns in which every row has "-" are left out. Elsewhere each row is one
 * line with all columns, so that it can be searched and cut.
 */
#ifndef TUNE_CLI_TABLE_H
#define TUNE_CLI_TABLE_H

#include "tuner/cli/terminal.h"
#include "tuner/error/error.h"

struct table;

/*
 * `headings` are the columns; they are copied. Their first character says what a column is, and is not shown:
 * '>' flush right, never folded; '_' details, in the last column; '<' nothing special, for headings that are data,
 * which must have been made visible.
 * NULL when out of memory, which the functions below accept.
 */
struct table *table_create(const char *const *headings, size_t columns);

/* The row that begins with the next cell is the best one: it stands out in color. */
void table_mark_best(struct table *table);

/* Add the next cell, row by row from left to right; copies the text, with what would act made visible. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print and free. False: an allocation failed, here or since table_create; then nothing is printed. */
bool table_print(struct table *table, const struct terminal *out, struct error *error);

#endif
