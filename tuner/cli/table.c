/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/table.h"

#include "tuner/cli/text_width.h"
#include "tuner/error/visible.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,             /* between columns */
    NARROW = 8,          /* a column folds to no less than this, or its heading, even within words */
    WORD_MOST = 24,      /* words up to this length are broken only where nothing else helps */
    DETAIL_LEAST = 30,   /* with less beside the other columns, details go beneath */
    DETAIL_INDENTED = 4, /* and are indented by this */
};

struct table {
    char **headings;
    size_t columns;
    char **cells;
    size_t count, capacity;
    size_t best; /* index of its first cell; SIZE_MAX: no row is best */
    bool failed;
};

/* How the columns are printed. */
struct layout {
    size_t *widths;        /* 0: the column is left out */
    size_t *least;         /* a column folds to no less than this */
    bool beneath;          /* details are */
    size_t details_column; /* `columns`: there is none */
};

static void table_free(struct table *table)
{
    for (size_t i = 0; table->headings && i < table->columns; i++)
        free(table->headings[i]);
    free(table->headings);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
}

struct table *table_create(const char *const *headings, size_t columns)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    *table =
        (struct table){.headings = calloc(columns, sizeof *table->headings), .columns = columns, .best = SIZE_MAX};
    bool done = table->headings != NULL;
    for (size_t i = 0; done && i < columns; i++) {
        table->headings[i] = strdup(headings[i]);
        done = table->headings[i] != NULL;
    }
    if (!done) {
        table_free(table);
        return NULL;
    }
    return table;
}

void table_mark_best(struct table *table)
{
    if (table)
        table->best = table->count;
}

static bool make_room(struct table *table)
{
    if (table->count < table->capacity)
        return true;
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    char **cells = realloc(table->cells, capacity * sizeof *cells);
    if (!cells)
        return false;
    table->cells = cells;
    table->capacity = capacity;
    return true;
}

void table_cell(struct table *table, const char *format, ...)
{
    if (!table || table->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *text, *cell = NULL;
    if (vasprintf(&text, format, arguments) >= 0) {
        cell = visible_text(text, VISIBLE_ONE_LINE);
        free(text);
    }
    va_end(arguments);
    table->failed = !cell || !make_room(table);
    if (table->failed)
        free(cell);
    else
        table->cells[table->count++] = cell;
}

/* ---- widths ---- */

static const char *cell_text(const struct table *table, size_t index)
{
    return index < table->count ? table->cells[index] : "";
}

static bool is_flush_right(const struct table *table, size_t column)
{
    return table->headings[column][0] == '>';
}

static bool is_details(const struct table *table, size_t column)
{
    return table->headings[column][0] == '_';
}

static const char *heading(const struct table *table, size_t column)
{
    const char *text = table->headings[column];
    return text + (*text && strchr("<>_", *text) ? 1 : 0);
}

static bool is_empty(const struct table *table, size_t column)
{
    for (size_t i = column; i < table->count; i += table->columns) {
        if (strcmp(table->cells[i], "-") != 0)
            return false;
    }
    return table->count > 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t natural_width(const struct table *table, size_t column)
{
    size_t widest = text_width(heading(table, column));
    for (size_t i = column; i < table->count; i += table->columns)
        widest = larger(widest, text_width(table->cells[i]));
    return widest;
}

static const char *rest_of(const char *text, size_t bytes)
{
    text += bytes;
    return text + strspn(text, " ");
}

/* The longest piece that text_fold leaves whole. */
static size_t longest_word(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t bytes = strcspn(text, " ,");
        bytes += text[bytes] == ',';
        longest = larger(longest, text_width_of(text, bytes));
        text = rest_of(text, bytes);
    }
    return longest;
}

/* How narrow a column may get: words stay whole or are broken. */
static size_t narrowest(const struct table *table, size_t column, bool breaks_words)
{
    size_t least = larger(NARROW, text_width(heading(table, column)));
    for (size_t i = column; i < table->count && !breaks_words; i += table->columns) {
        size_t word = longest_word(table->cells[i]);
        least = larger(least, word < WORD_MOST ? word : WORD_MOST);
    }
    return least;
}

static bool is_printed(const struct layout *layout, size_t column)
{
    return layout->widths[column] > 0 && !(layout->beneath && column == layout->details_column);
}

static size_t total_width(const struct table *table, const struct layout *layout)
{
    size_t total = 0, printed = 0;
    for (size_t column = 0; column < table->columns; column++) {
        total += is_printed(layout, column) ? layout->widths[column] : 0;
        printed += is_printed(layout, column);
    }
    return total + (printed > 1 ? GAP * (printed - 1) : 0);
}

/* The widest column that is wider than its `least`; `columns`: there is none. */
static size_t widest_column(const struct table *table, const struct layout *layout, const size_t *least)
{
    size_t widest = table->columns;
    for (size_t column = 0; column < table->columns; column++) {
        bool gives = is_printed(layout, column) && layout->widths[column] > least[column];
        if (gives && (widest == table->columns || layout->widths[column] > layout->widths[widest]))
            widest = column;
    }
    return widest;
}

/* Columns give way, the widest first, until the table fits `width`. Columns that are flush right stay whole. */
static void shrink(const struct table *table, size_t width, bool breaks_words, struct layout *layout)
{
    for (size_t column = 0; column < table->columns; column++)
        layout->least[column] = is_flush_right(table, column) ? SIZE_MAX : narrowest(table, column, breaks_words);
    for (size_t total = total_width(table, layout); total > width; total--) {
        size_t column = widest_column(table, layout, layout->least);
        if (column == table->columns)
            return;
        layout->widths[column]--;
    }
}

/* Details go beneath their row where they would have to fold into too narrow a column. */
static bool details_move(const struct table *table, size_t width, const struct layout *layout)
{
    if (layout->details_column == table->columns || table->columns == 1)
        return false;
    size_t details = layout->widths[layout->details_column];
    size_t others = total_width(table, layout) - details;
    return others + (details < DETAIL_LEAST ? details : DETAIL_LEAST) > width;
}

static void lay_out(const struct table *table, const struct terminal *out, struct layout *layout)
{
    layout->details_column = table->columns;
    for (size_t column = 0; column < table->columns; column++) {
        bool empty = out->width > 0 && is_empty(table, column);
        layout->widths[column] = empty ? 0 : natural_width(table, column);
        if (!empty && is_details(table, column))
            layout->details_column = column;
    }
    if (out->width == 0)
        return;
    layout->beneath = details_move(table, out->width, layout);
    shrink(table, out->width, false, layout);
    shrink(table, out->width, true, layout);
}

/* ---- printing ---- */

/* One cell's part of a line; `pending` is the padding that is due before the next visible character. */
static void print_piece(FILE *stream, const char *text, size_t bytes, size_t columns, bool right, size_t *pending)
{
    size_t used = text_width_of(text, bytes);
    size_t padding = used < columns ? columns - used : 0;
    if (bytes > 0)
        fprintf(stream, "%*s%.*s", (int)(*pending + (right ? padding : 0)), "", (int)bytes, text);
    else
        padding += *pending;
    *pending = GAP + (right && bytes > 0 ? 0 : padding);
}

/* `rests` are the texts of a row; each line takes its part of them. True: something is left for a further line. */
static bool print_line(const struct table *table, const struct layout *layout, const char **rests, FILE *stream)
{
    bool more = false;
    size_t pending = 0;
    for (size_t column = 0; column < table->columns; column++) {
        if (!is_printed(layout, column))
            continue;
        bool right = is_flush_right(table, column);
        size_t bytes = right ? strlen(rests[column]) : text_fold(rests[column], layout->widths[column]);
        print_piece(stream, rests[column], bytes, layout->widths[column], right, &pending);
        rests[column] = rest_of(rests[column], bytes);
        more = more || *rests[column];
    }
    return more;
}

/* The next part of details that stand beneath their row. */
static void print_beneath(const char **text, const struct terminal *out)
{
    size_t width = out->width > DETAIL_INDENTED + NARROW ? out->width - DETAIL_INDENTED : NARROW;
    size_t bytes = text_fold(*text, width);
    fprintf(out->stream, "%*s%.*s", DETAIL_INDENTED, "", (int)bytes, *text);
    *text = rest_of(*text, bytes);
}

static void print_row(const struct table *table, const struct layout *layout, const char **rests,
                      const struct terminal *out, enum style style)
{
    const char *end = style == STYLE_PLAIN ? "" : style_off(out);
    for (bool more = true; more;) {
        fputs(style_on(out, style), out->stream);
        more = print_line(table, layout, rests, out->stream);
        fprintf(out->stream, "%s\n", end);
    }
    while (layout->beneath && *rests[layout->details_column]) {
        fputs(style_on(out, style), out->stream);
        print_beneath(&rests[layout->details_column], out);
        fprintf(out->stream, "%s\n", end);
    }
}

static void print_all(const struct table *table, const struct layout *layout, const char **rests,
                      const struct terminal *out)
{
    for (size_t column = 0; column < table->columns; column++)
        rests[column] = heading(table, column);
    if (layout->beneath)
        rests[layout->details_column] = "";
    print_row(table, layout, rests, out, STYLE_HEADING);
    for (size_t row = 0; row < table->count; row += table->columns) {
        for (size_t column = 0; column < table->columns; column++)
            rests[column] = cell_text(table, row + column);
        print_row(table, layout, rests, out, row == table->best ? STYLE_BEST : STYLE_PLAIN);
    }
}

bool table_print(struct table *table, const struct terminal *out, struct error *error)
{
    if (!table)
        return error_out_of_memory(error);
    const char **rests = calloc(table->columns, sizeof *rests);
    struct layout layout = {
        .widths = calloc(table->columns, sizeof *layout.widths),
        .least = calloc(table->columns, sizeof *layout.least),
    };
    bool done = !table->failed && rests && layout.widths && layout.least;
    if (done) {
        lay_out(table, out, &layout);
        print_all(table, &layout, rests, out);
    }
    free(layout.least);
    free(layout.widths);
    free(rests);
    table_free(table);
    return done || error_out_of_memory(error);
}
