/* SPDX-License-Identifier: Apache-2.0 */
/* What `tune show` tells, as tables. */
#include "tuner/cli/show.h"

#include "tuner/cli/json_output.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/text_stream.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

/* "space NAME of TEMPLATE: title", with the name standing out. Names are letters and digits. */
static bool print_title(const char *before, const char *name, const char *behind, const char *title,
                        const struct terminal *out, struct error *error)
{
    char label[512];
    char *shown = visible_text(title, VISIBLE_ONE_LINE);
    if (!shown)
        return error_out_of_memory(error);
    snprintf(label, sizeof label, "%s%s%s%s%s: ", before, style_on(out, STYLE_HEADING), name, style_off(out), behind);
    terminal_print_folded(label, shown, STYLE_PLAIN, out);
    free(shown);
    return true;
}

/* ---- templates ---- */

static bool print_sizes(const json_t *sizes, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"size", ">value", "default", "also validated at"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    size_t i;
    const json_t *row;
    json_array_foreach(sizes, i, row)
    {
        bool is_derived = json_is_true(json_object_get(row, "derived"));
        table_cell(table, "%s%s", json_string_at(row, "name"),
                   json_is_true(json_object_get(row, "macro")) ? " (a macro, too)" : "");
        table_cell(table, "%lld", (long long)json_integer_value(json_object_get(row, "value")));
        table_cell(table, "%s", is_derived ? "derived: what the matrix has" : json_string_at(row, "default"));
        table_cell(table, "%s", json_string_at(row, "awkward"));
    }
    return table_print(table, out, error);
}

static bool print_parameters(const json_t *parameters, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"parameter", "meaning"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    size_t i, j;
    const json_t *row, *value;
    json_array_foreach(parameters, i, row)
    {
        table_cell(table, "%s", json_string_at(row, "name"));
        table_cell(table, "%s", json_string_at(row, "meaning"));
        json_array_foreach(json_object_get(row, "values"), j, value)
        {
            table_cell(table, "  %s", json_string_at(value, "value"));
            table_cell(table, "%s", json_string_at(value, "meaning"));
        }
    }
    return table_print(table, out, error);
}

/* Add the cells of a row of the document. */
typedef void row_printer(struct table *table, const json_t *row);

/* Nothing if there are no rows. */
static bool print_rows(const json_t *rows, const char *const *headings, size_t columns, row_printer *add,
                       const struct terminal *out, struct error *error)
{
    if (json_array_size(rows) == 0)
        return true;
    struct table *table = table_create(headings, columns);
    size_t i;
    const json_t *row;
    fputc('\n', out->stream);
    json_array_foreach(rows, i, row)
    {
        add(table, row);
    }
    return table_print(table, out, error);
}

static void add_metric(struct table *table, const json_t *row)
{
    bool is_default = json_is_true(json_object_get(row, "default"));
    table_cell(table, "%s%s", json_string_at(row, "name"), is_default ? " (default)" : "");
    table_cell(table, "%s", json_string_at(row, "sense"));
    table_cell(table, "%s", json_string_at(row, "text"));
}

static void add_count(struct table *table, const json_t *row)
{
    table_cell(table, "%s", json_string_at(row, "name"));
    table_cell(table, "%s", json_string_at(row, "most"));
}

static void add_matrix(struct table *table, const json_t *row)
{
    const json_t *buffers = json_object_get(row, "buffers");
    const char *values = json_string_value(json_array_get(buffers, 2));
    const json_t *sizes = json_object_get(row, "sizes");
    const char *entries = json_string_value(json_array_get(sizes, 0));
    const char *longest = json_string_value(json_array_get(sizes, 1));
    table_cell(table, "%s", json_string_at(row, "name"));
    table_cell(table, "%s", json_string_at(row, "rows"));
    table_cell(table, "%s", json_string_at(row, "columns"));
    table_cell(table, "%s%s%s", entries ? entries : "", longest ? ", of a row " : "", longest ? longest : "");
    table_cell(table, "%s, %s%s%s", json_string_value(json_array_get(buffers, 0)),
               json_string_value(json_array_get(buffers, 1)), values ? ", " : "", values ? values : "");
    table_cell(table, "%s", json_string_at(row, "file"));
}

static bool print_declared(const json_t *document, const struct terminal *out, struct error *error)
{
    static const char *const metrics[] = {"objective or metric", "sense", "value"};
    static const char *const counts[] = {"count", "at most"};
    static const char *const matrices[] = {"matrix", "rows", "columns", "entries", "buffers", "file"};
    return print_rows(json_object_get(document, "metrics"), metrics, 3, add_metric, out, error) &&
           print_rows(json_object_get(document, "counts"), counts, 2, add_count, out, error) &&
           print_rows(json_object_get(document, "matrices"), matrices, 6, add_matrix, out, error);
}

static bool print_spaces(const json_t *document, const struct terminal *out, struct error *error)
{
    struct text_stream stream;
    size_t i;
    const json_t *row;
    if (!text_stream_open(&stream, error))
        return false;
    json_array_foreach(json_object_get(document, "spaces"), i, row)
    {
        const char *name = json_string_value(row);
        bool is_default = strcmp(name, json_string_at(document, "default_space")) == 0;
        visible_printf(stream.out, "%s%s%s", i > 0 ? " " : "", name, is_default ? " (default)" : "");
    }
    char *text = text_stream_close(&stream, error);
    if (!text)
        return false;
    fputc('\n', out->stream);
    terminal_print_folded("spaces: ", text, STYLE_PLAIN, out);
    free(text);
    return true;
}

bool show_template_text(const json_t *document, const struct terminal *out, struct error *error)
{
    if (!print_title("", json_string_at(document, "template"), "", json_string_at(document, "title"), out, error))
        return false;
    visible_printf(out->stream, "%s\n\n", json_string_at(document, "path"));
    if (!print_sizes(json_object_get(document, "sizes"), out, error))
        return false;
    fputc('\n', out->stream);
    if (!print_parameters(json_object_get(document, "parameters"), out, error) ||
        !print_declared(document, out, error))
        return false;
    return print_spaces(document, out, error);
}

/* ---- spaces ---- */

static bool print_domains(const json_t *domains, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"space", "parameter", "values", "meaning"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    size_t i;
    const json_t *row;
    bool done = true;
    json_array_foreach(domains, i, row)
    {
        char *values = json_text(json_object_get(row, "values"), 0);
        table_cell(table, "%s", json_string_at(row, "space"));
        table_cell(table, "%s", json_string_at(row, "name"));
        table_cell(table, "%s", values ? values : "");
        table_cell(table, "%s", json_string_at(row, "meaning"));
        done = done && values;
        free(values);
    }
    return table_print(table, out, error) && (done || error_out_of_memory(error));
}

/* All digits as far as a double is exact. */
static int count_precision(double count)
{
    return count < 9007199254740992.0 ? 16 : 3;
}

static bool print_constraints(const json_t *constraints, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"space", ">removes", "where"};
    if (json_array_size(constraints) == 0)
        return true;
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    size_t i;
    const json_t *row;
    json_array_foreach(constraints, i, row)
    {
        double removed = json_real_value(json_object_get(row, "removed"));
        table_cell(table, "%s", json_string_at(row, "space"));
        if (removed < 0)
            table_cell(table, "not counted");
        else
            table_cell(table, "%.*g", count_precision(removed), removed);
        table_cell(table, "%s", json_string_at(row, "where"));
    }
    return table_print(table, out, error);
}

static void print_counts(const json_t *document, FILE *stream)
{
    const json_t *cartesian = json_object_get(document, "cartesian");
    long long valid = json_integer_value(json_object_get(document, "valid"));
    visible_printf(stream, "\n%lld valid configuration%s of ", valid, valid == 1 ? "" : "s");
    if (json_is_real(cartesian))
        fprintf(stream, "%.*g\n", count_precision(json_real_value(cartesian)), json_real_value(cartesian));
    else
        fputs("more than 1e308\n", stream);
}

static bool print_default(const json_t *chosen, const struct terminal *out, struct error *error)
{
    json_t *configuration = json_object_get(chosen, "configuration");
    if (!configuration)
        return true;
    char *text = parameters_text(configuration, NULL);
    if (!text)
        return error_out_of_memory(error);
    terminal_print_folded(json_is_true(json_object_get(chosen, "named")) ? "default: " : "first: ", text, STYLE_PLAIN,
                          out);
    free(text);
    return true;
}

static void print_notes(const json_t *notes, FILE *stream)
{
    size_t i;
    const json_t *row;
    json_array_foreach(notes, i, row)
    {
        visible_printf(stream, "%s%s:%lld:%lld: %s\n", i ? "" : "\nlikely mistakes:\n", json_string_at(row, "file"),
                       (long long)json_integer_value(json_object_get(row, "line")),
                       (long long)json_integer_value(json_object_get(row, "column")), json_string_at(row, "text"));
    }
}

bool show_space_text(const json_t *document, const struct terminal *out, struct error *error)
{
    char of[128];
    snprintf(of, sizeof of, " of %s", json_string_at(document, "template"));
    if (!print_title("space ", json_string_at(document, "space"), of, json_string_at(document, "title"), out, error))
        return false;
    visible_printf(out->stream, "at %s on %s\n\n", json_string_at(document, "size"),
                   json_string_at(document, "device"));
    if (!print_domains(json_object_get(document, "parameters"), out, error))
        return false;
    fputc('\n', out->stream);
    if (!print_constraints(json_object_get(document, "constraints"), out, error))
        return false;
    print_counts(document, out->stream);
    if (!print_default(json_object_get(document, "default"), out, error))
        return false;
    print_notes(json_object_get(document, "notes"), out->stream);
    return true;
}
