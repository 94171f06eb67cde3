/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - text in columns: gathered first, then printed with the widths that it needs.
 */
#ifndef TUNE_CLI_TABLE_H
#define TUNE_CLI_TABLE_H

#include <stdio.h>

struct table;

/* `headings` are the columns; one that starts with '>' is flush right. NULL when out of memory. */
struct table *table_create(const char *const *headings, size_t columns);

/* Add the next cell, row by row from left to right; copies the text. Out of memory leaves the cell empty. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

void table_print(const struct table *table, FILE *stream);
void table_free(struct table *table);

#endif
