/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct table {
    const char *const *headings;
    size_t columns;
    char **cells;
    size_t count, capacity;
};

struct table *table_create(const char *const *headings, size_t columns)
{
    struct table *table = calloc(1, sizeof *table);
    if (table)
        *table = (struct table){.headings = headings, .columns = columns};
    return table;
}

void table_cell(struct table *table, const char *format, ...)
{
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        char **cells = realloc(table->cells, capacity * sizeof *cells);
        if (!cells)
            return;
        table->cells = cells;
        table->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    char *cell;
    if (vasprintf(&cell, format, arguments) < 0)
        cell = NULL;
    va_end(arguments);
    table->cells[table->count++] = cell;
}

static const char *cell_text(const struct table *table, size_t index)
{
    return index < table->count && table->cells[index] ? table->cells[index] : "";
}

/* Columns on the screen: bytes that do not continue a UTF-8 sequence. */
static size_t width(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

static bool flush_right(const struct table *table, size_t column)
{
    return table->headings[column][0] == '>';
}

static const char *heading(const struct table *table, size_t column)
{
    return table->headings[column] + (flush_right(table, column) ? 1 : 0);
}

static size_t column_width(const struct table *table, size_t column)
{
    size_t widest = width(heading(table, column));
    for (size_t i = column; i < table->count; i += table->columns) {
        size_t cell = width(cell_text(table, i));
        widest = cell > widest ? cell : widest;
    }
    return widest;
}

static void print_padded(FILE *stream, const char *text, size_t columns, bool right, bool last)
{
    size_t used = width(text);
    int padding = used < columns ? (int)(columns - used) : 0;
    if (right)
        fprintf(stream, "%*s%s", padding, "", text);
    else
        fprintf(stream, "%s%*s", text, last ? 0 : padding, "");
    fputs(last ? "\n" : "  ", stream);
}

void table_print(const struct table *table, FILE *stream)
{
    size_t widths[table->columns];
    for (size_t column = 0; column < table->columns; column++)
        widths[column] = column_width(table, column);
    for (size_t column = 0; column < table->columns; column++)
        print_padded(stream, heading(table, column), widths[column], flush_right(table, column),
                     column + 1 == table->columns);
    for (size_t i = 0; i < table->count; i++) {
        size_t column = i % table->columns;
        print_padded(stream, cell_text(table, i), widths[column], flush_right(table, column),
                     column + 1 == table->columns);
    }
}

void table_free(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
}
