/* SPDX-License-Identifier: Apache-2.0 */
/* tune list: templates, spaces, devices, strategies, runs, or the tables of the database. */
#include "tuner/cli/command.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/listing.h"
#include "tuner/cli/table.h"

#include <string.h>

enum { COLUMNS = 12 };

static const struct list_kind {
    const char *name;
    listing_gatherer *gather;
    const char *columns[COLUMNS]; /* keys of the rows; behind '>' if flush right, '?' if few rows have it */
} kinds[] = {
    {"templates", list_templates, {"template", "title", "spaces", "?objectives"}},
    {"spaces", list_spaces, {"template", "space", "default", "title"}},
    {"devices", list_devices, {"device", "name", "architecture", ">sm_count", "driver", "compiler"}},
    {"strategies", list_strategies, {"strategy", "parameter", ">preset", ">low", ">high", "meaning"}},
    {"runs",
     list_runs,
     {">run", "template", "space", "size", "?data", "device", "objective", "?limits", "status", ">best",
      ">evaluations", "started"}},
    {"database", list_database, {"table", ">rows", ">size"}},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* "2026-11-22T14:32:27.995Z" is too long for a table: "2026-11-22 14:32:27". */
static bool is_time(const char *text)
{
    static const char shape[] = "0000-00-00T00:00:00.000Z";
    size_t i = 0;
    while (shape[i] && (shape[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == shape[i]))
        i++;
    return !shape[i] && !text[i];
}

/* The key that a column is named by. */
static const char *key_of(const char *column)
{
    return column + (*column == '>' || *column == '?');
}

static void add_cell(struct table *table, const char *column, const json_t *row)
{
    enum { DATE = 10, TIME = 8 };
    const json_t *value = json_object_get(row, key_of(column));
    const char *text = json_string_value(value);
    if (!value)
        table_cell(table, "%s", *column == '?' ? "-" : "");
    else if (text && is_time(text))
        table_cell(table, "%.*s %.*s", DATE, text, TIME, text + DATE + 1);
    else if (text)
        table_cell(table, "%s", text);
    else if (json_is_real(value))
        table_cell(table, "%g", json_real_value(value));
    else
        table_cell(table, "%lld", (long long)json_integer_value(value));
}

static void add_rows(struct table *table, const struct list_kind *kind, size_t columns, const json_t *rows)
{
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        for (size_t column = 0; column < columns; column++)
            add_cell(table, kind->columns[column], row);
        add_rows(table, kind, columns, json_object_get(row, LISTING_DETAILS));
    }
}

static bool print_table(const struct list_kind *kind, const json_t *rows, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    const char *headings[COLUMNS];
    size_t columns = 0;
    for (; columns < COLUMNS && kind->columns[columns]; columns++)
        headings[columns] = *kind->columns[columns] == '>' ? kind->columns[columns] : key_of(kind->columns[columns]);
    struct table *table = table_create(headings, columns);
    add_rows(table, kind, columns, rows);
    return table_print(table, &out, error);
}

static const struct list_kind *find_kind(const char *name, struct error *error)
{
    const char *names[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    }
    error_set(error, ERROR_INPUT, "there is no list '%s'", name);
    const char *nearest = error_nearest(name, names, KIND_COUNT);
    if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "choose templates, spaces, devices, strategies, runs or database");
    return NULL;
}

bool command_list(const struct options *options, int *status, struct error *error)
{
    (void)status;
    const struct list_kind *kind = find_kind(options->subject ? options->subject : "templates", error);
    json_t *rows = kind ? kind->gather(options, error) : NULL;
    if (!rows)
        return false;
    if (options->json)
        return json_output(rows, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
    bool printed = print_table(kind, rows, error);
    json_decref(rows);
    return printed;
}
