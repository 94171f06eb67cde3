/* SPDX-License-Identifier: Apache-2.0 */
/* tune show TEMPLATE [--space SPACE]: what a template computes; what a space varies and what its constraints remove.
 */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/home.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/table.h"
#include "tuner/formats/value_json.h"
#include "tuner/space/lint.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text of an expression as it was written. */
static json_t *expression_json(const struct expr *expr)
{
    struct place place = expr_place(expr);
    return json_stringn(place.text + place.offset, place.length);
}

static json_t *sizes_json(const struct problem *problem)
{
    const struct template *template = problem_template(problem);
    json_t *sizes = json_array();
    for (size_t i = 0; i < template->size_count; i++) {
        const struct size_declaration *size = &template->sizes[i];
        json_array_append_new(sizes,
                              json_pack("{s:s, s:I, s:o, s:o}", "name", size->name, "value",
                                        (json_int_t)problem_size(problem, i), "default", expression_json(size->value),
                                        "awkward", size->awkward ? expression_json(size->awkward) : json_null()));
    }
    return sizes;
}

static json_t *parameters_json(const struct template *template)
{
    json_t *parameters = json_array();
    for (size_t i = 0; i < template->parameter_count; i++)
        json_array_append_new(parameters, json_pack("{s:s, s:s}", "name", template->parameters[i].name, "meaning",
                                                    template->parameters[i].meaning));
    return parameters;
}

static json_t *template_json(const struct subject *subject)
{
    const struct template *template = subject->template;
    json_t *document = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "template", template->name, "title",
                                 template->title, "path", template->path, "hash", template->hash, "default_space",
                                 template->default_space ? template->default_space : "", "sizes",
                                 sizes_json(subject->problem), "parameters", parameters_json(template));
    json_t *spaces = json_array();
    char *folder = subject_space_folder(template, NULL);
    struct names names = {0};
    if (folder && names_list(folder, ".space", &names, NULL)) {
        for (size_t i = 0; i < names.count; i++)
            json_array_append_new(spaces, json_string(names.list[i]));
    }
    names_free(&names);
    free(folder);
    json_object_set_new(document, "spaces", spaces);
    return document;
}

static json_t *default_json(const struct problem *problem)
{
    size_t index;
    bool named;
    if (problem_configuration_count(problem) == 0 || !problem_default(problem, &index, &named))
        return json_null();
    char *text = problem_configuration_text(problem, index);
    json_t *configuration = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return json_pack("{s:o?, s:b}", "configuration", configuration, "named", named);
}

static void add_note(void *context, enum lint_kind kind, struct place place, const char *words)
{
    struct error note; /* which turns a place into a line and a column */
    error_at(&note, ERROR_INPUT, place, "%s", words);
    json_array_append_new(context,
                          json_pack("{s:s, s:s, s:i, s:i, s:s}", "kind", lint_kind_name(kind), "file", note.file,
                                    "line", (int)note.line, "column", (int)note.column, "text", words));
}

static json_t *notes_json(const struct problem *problem)
{
    json_t *notes = json_array();
    lint_problem(problem, add_note, notes, NULL);
    return notes;
}

/* JSON has no infinity: a product that no double holds is null. */
static json_t *cartesian_json(const struct problem *problem)
{
    double count = problem_cartesian_count(problem);
    return isfinite(count) ? json_real(count) : json_null();
}

static json_t *space_json(const struct subject *subject)
{
    const struct problem *problem = subject->problem;
    json_t *parameters = json_array(), *constraints = json_array();
    for (size_t i = 0; i < problem_parameter_count(problem); i++) {
        struct parameter_values parameter;
        problem_parameter(problem, i, &parameter);
        json_t *values = json_array();
        for (size_t k = 0; k < parameter.count; k++)
            json_array_append_new(values, value_json(parameter.values[k]));
        json_array_append_new(parameters, json_pack("{s:s, s:s, s:b, s:o, s:s}", "space", parameter.space->name,
                                                    "name", parameter.declaration->name, "fixed", parameter.fixed,
                                                    "values", values, "meaning", parameter.declaration->meaning));
    }
    for (size_t i = 0; i < problem_constraint_count(problem); i++) {
        struct constraint_report report;
        problem_constraint_report(problem, i, &report);
        json_array_append_new(constraints,
                              json_pack("{s:s, s:o, s:f}", "space", report.space->name, "where",
                                        expression_json(report.constraint->condition), "removed", report.removed));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:o}", "template",
                     subject->template->name, "space", subject->space->name, "title", subject->space->title, "hash",
                     subject->space->hash, "size", problem_size_text(problem), "device",
                     problem_device(problem)->name, "parameters", parameters, "constraints", constraints, "cartesian",
                     cartesian_json(problem), "valid", (json_int_t)problem_configuration_count(problem), "default",
                     default_json(problem), "notes", notes_json(problem));
}

static const char *text(const json_t *object, const char *name)
{
    const char *string = json_string_value(json_object_get(object, name));
    return string ? string : "";
}

static void print_template(const json_t *document)
{
    printf("%s: %s\n%s\n\n", text(document, "template"), text(document, "title"), text(document, "path"));
    static const char *const size_headings[] = {"size", ">here", "default", "also validated at"};
    struct table *table = table_create(size_headings, 4);
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(document, "sizes"), i, row)
    {
        if (!table)
            break;
        table_cell(table, "%s", text(row, "name"));
        table_cell(table, "%lld", (long long)json_integer_value(json_object_get(row, "value")));
        table_cell(table, "%s", text(row, "default"));
        table_cell(table, "%s", text(row, "awkward"));
    }
    if (table)
        table_print(table, stdout);
    table_free(table);

    static const char *const parameter_headings[] = {"parameter", "meaning"};
    table = table_create(parameter_headings, 2);
    json_array_foreach(json_object_get(document, "parameters"), i, row)
    {
        if (!table)
            break;
        table_cell(table, "%s", text(row, "name"));
        table_cell(table, "%s", text(row, "meaning"));
    }
    putchar('\n');
    if (table)
        table_print(table, stdout);
    table_free(table);

    fputs("\nspaces:", stdout);
    json_array_foreach(json_object_get(document, "spaces"), i, row)
    {
        const char *name = json_string_value(row);
        printf(" %s%s", name, strcmp(name, text(document, "default_space")) == 0 ? " (default)" : "");
    }
    fputs("\n", stdout);
}

static void print_value_list(struct table *table, const json_t *values)
{
    char *list = json_dumps(values, JSON_REAL_PRECISION(15));
    table_cell(table, "%s", list ? list : "?");
    free(list);
}

/* To the last digit as far as a double has it. */
static int count_precision(double count)
{
    return count < 9007199254740992.0 ? 16 : 3;
}

static void print_count(struct table *table, double count)
{
    if (count < 0)
        table_cell(table, "not counted");
    else
        table_cell(table, "%.*g", count_precision(count), count);
}

static void print_counts(const json_t *document)
{
    const json_t *cartesian = json_object_get(document, "cartesian");
    printf("\n%lld valid configurations of ", (long long)json_integer_value(json_object_get(document, "valid")));
    if (json_is_real(cartesian))
        printf("%.*g", count_precision(json_real_value(cartesian)), json_real_value(cartesian));
    else
        fputs("more than 1e308", stdout);
    putchar('\n');
}

static void print_space(const json_t *document)
{
    printf("space %s of %s: %s\nat %s on %s\n\n", text(document, "space"), text(document, "template"),
           text(document, "title"), text(document, "size"), text(document, "device"));
    static const char *const parameter_headings[] = {"space", "parameter", "values", "meaning"};
    struct table *table = table_create(parameter_headings, 4);
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(document, "parameters"), i, row)
    {
        if (!table)
            break;
        table_cell(table, "%s", text(row, "space"));
        table_cell(table, "%s", text(row, "name"));
        print_value_list(table, json_object_get(row, "values"));
        table_cell(table, "%s", text(row, "meaning"));
    }
    if (table)
        table_print(table, stdout);
    table_free(table);

    static const char *const constraint_headings[] = {"space", ">removes", "where"};
    table = table_create(constraint_headings, 3);
    json_array_foreach(json_object_get(document, "constraints"), i, row)
    {
        if (!table)
            break;
        table_cell(table, "%s", text(row, "space"));
        print_count(table, json_real_value(json_object_get(row, "removed")));
        table_cell(table, "%s", text(row, "where"));
    }
    putchar('\n');
    if (table && json_array_size(json_object_get(document, "constraints")))
        table_print(table, stdout);
    table_free(table);

    print_counts(document);
    const json_t *chosen = json_object_get(document, "default");
    char *json = json_dumps(json_object_get(chosen, "configuration"), JSON_PRESERVE_ORDER);
    char *configuration = json ? figure_configuration(json, NULL) : NULL;
    if (configuration)
        printf("%s: %s\n", json_is_true(json_object_get(chosen, "named")) ? "default" : "first", configuration);
    free(configuration);
    free(json);

    json_array_foreach(json_object_get(document, "notes"), i, row)
    {
        printf("%s%s:%lld:%lld: %s\n", i ? "" : "\nlikely mistakes:\n", text(row, "file"),
               (long long)json_integer_value(json_object_get(row, "line")),
               (long long)json_integer_value(json_object_get(row, "column")), text(row, "text"));
    }
}

/* About a second's work: whoever only looks does not want to wait. */
static bool make_problem(struct subject *subject, const struct options *options, struct error *error)
{
    const size_t effort = 5000000;
    return problem_create_within(subject->template, subject->space, &subject->device.description, options->sizes,
                                 options->size_count, effort, &subject->problem, error);
}

bool command_show(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct subject subject = {0};
    bool shown = subject_template(&subject, options->subject, error) &&
                 (!options->space || subject_space(&subject, options->space, error)) &&
                 device_choose(options->device, options->quiet, &subject.device, error) &&
                 make_problem(&subject, options, error);
    if (shown) {
        json_t *document = options->space ? space_json(&subject) : template_json(&subject);
        if (options->json) {
            json_dumpf(document, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
            putchar('\n');
        } else if (options->space) {
            print_space(document);
        } else {
            print_template(document);
        }
        json_decref(document);
    }
    subject_clear(&subject);
    return shown;
}
