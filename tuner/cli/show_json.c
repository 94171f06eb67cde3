/* SPDX-License-Identifier: Apache-2.0 */
/* What `tune show` tells, as JSON documents. */
#include "tuner/cli/show.h"

#include "tuner/cli/json_output.h"
#include "tuner/job/write.h"
#include "tuner/json/json_text.h"
#include "tuner/library/home.h"
#include "tuner/library/named.h"
#include "tuner/library/passed.h"
#include "tuner/space/descriptions.h"
#include "tuner/space/lint.h"
#include "tuner/space/value_json.h"

#include <stdlib.h>
#include <string.h>

/* ---- templates ---- */

/* An expression as it was written. */
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
        json_t *row = json_pack("{s:s, s:I, s:o, s:o}", "name", size->name, "value",
                                (json_int_t)problem_size(problem, i), "default", expression_json(size->value),
                                "awkward", size->awkward ? expression_json(size->awkward) : json_null());
        if (row && ((size->defined && json_object_set_new(row, "macro", json_true()) != 0) ||
                    (size->derived && json_object_set_new(row, "derived", json_true()) != 0))) {
            json_decref(row);
            row = NULL;
        }
        json_append(&sizes, row);
    }
    return sizes;
}

/* Names of the spaces beside the template. */
static json_t *spaces_json(const struct template *template)
{
    struct names names = {0};
    char *folder = template_space_folder(template, NULL);
    json_t *spaces = folder && names_list(folder, ".space", &names, NULL) ? json_array() : NULL;
    for (size_t i = 0; i < names.count; i++)
        json_append(&spaces, json_string_of_bytes(names.list[i]));
    names_free(&names);
    free(folder);
    return spaces;
}

/* The objectives that the template defines, and its metrics. */
static json_t *metrics_json(const struct template *template)
{
    static const char *const senses[] = {
        [METRIC_SHOWN] = "metric", [METRIC_MINIMIZED] = "minimize", [METRIC_MAXIMIZED] = "maximize"};
    json_t *metrics = json_array();
    for (size_t i = 0; i < template->metric_count; i++) {
        const struct metric_declaration *metric = &template->metrics[i];
        const struct place place = expr_place(metric->value);
        bool is_default = template->default_objective && strcmp(template->default_objective, metric->name) == 0;
        json_append(&metrics, json_pack("{s:s, s:s, s:s%, s:b}", "name", metric->name, "sense", senses[metric->sense],
                                        "text", place.text + place.offset, place.length, "default", (int)is_default));
    }
    return metrics;
}

/* Numbers that launches find out. */
static json_t *counts_json(const struct template *template)
{
    json_t *counts = json_array();
    for (size_t i = 0; i < template->count_count; i++)
        json_append(&counts, json_pack("{s:s, s:o}", "name", template->counts[i].name, "most",
                                       expression_json(template->counts[i].most)));
    return counts;
}

/* As what programs pass the buffer to the library. */
static json_t *passed_json(const struct template *template, size_t buffer)
{
    static const char *const names[] = {[TUNE_IN] = "in", [TUNE_OUT] = "out", [TUNE_INOUT] = "inout"};
    enum tune_role role;
    return passed_is(template, buffer, &role) ? json_string(names[role]) : json_null();
}

/* The arrays of the template, with their dimensions as they were written. */
static json_t *buffers_json(const struct template *template)
{
    json_t *buffers = json_array();
    for (size_t i = 0; i < template->buffer_count; i++) {
        const struct buffer_declaration *buffer = &template->buffers[i];
        json_t *dimensions = json_array();
        for (size_t k = 0; k < buffer->dimension_count; k++)
            json_append(&dimensions, expression_json(buffer->dimensions[k]));
        json_append(&buffers, json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", buffer->name, "type",
                                        buffer->type->layout->name, "role", role_names[buffer->role], "passed",
                                        passed_json(template, i), "dimensions", dimensions));
    }
    return buffers;
}

/* What --input can fill as a whole. */
static json_t *matrices_json(const struct template *template)
{
    json_t *matrices = json_array();
    for (size_t i = 0; i < template->matrix_count; i++) {
        const struct matrix_declaration *matrix = &template->matrices[i];
        json_t *buffers = json_array(), *sizes = json_array();
        for (size_t k = 0; k < matrix->size_count; k++)
            json_append(&sizes, json_string(scope_name(template->scope, matrix->sizes[k])));
        for (size_t part = 0; part < matrix->part_count; part++)
            json_append(&buffers, json_string(template->buffers[matrix->parts[part]].name));
        json_append(&matrices,
                    json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", matrix->name, "format",
                              matrix->format == MATRIX_CSR ? "csr" : "coo", "rows", expression_json(matrix->rows),
                              "columns", expression_json(matrix->columns), "sizes", sizes, "buffers", buffers, "file",
                              matrix->file ? json_string_of_bytes(matrix->file) : json_null()));
    }
    return matrices;
}

json_t *show_template_json(const struct subject *subject)
{
    const struct template *template = subject->template;
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "template", template->name,
                     "title", template->title, "path", json_string_of_bytes(template->path), "hash", template->hash,
                     "default_space", template->default_space ? template->default_space : "", "sizes",
                     sizes_json(subject->problem), "parameters", descriptions_json(template), "metrics",
                     metrics_json(template), "counts", counts_json(template), "buffers", buffers_json(template),
                     "matrices", matrices_json(template), "spaces", spaces_json(template));
}

/* ---- spaces ---- */

static json_t *default_json(const struct problem *problem)
{
    size_t index;
    bool named;
    if (problem_configuration_count(problem) == 0 || !problem_default(problem, &index, &named))
        return json_null();
    char *text = problem_configuration_text(problem, index);
    json_t *configuration = text ? json_of_text(text) : NULL;
    free(text);
    return json_pack("{s:o, s:b}", "configuration", configuration, "named", named);
}

/* Notes come by the thousand, most in the order of their places: lines are counted on from the last one. */
struct noting {
    json_t *notes;
    const char *text;
    size_t offset, line_start;
    int line;
};

static void go_to(struct noting *noting, struct place place)
{
    if (noting->text != place.text || place.offset < noting->offset) {
        noting->text = place.text;
        noting->offset = noting->line_start = 0;
        noting->line = 1;
    }
    for (; noting->offset < place.offset; noting->offset++) {
        if (place.text[noting->offset] == '\n') {
            noting->line++;
            noting->line_start = noting->offset + 1;
        }
    }
}

static void add_note(void *context, enum lint_kind kind, struct place place, const char *words)
{
    struct noting *noting = context;
    go_to(noting, place);
    json_append(&noting->notes,
                json_pack("{s:s, s:o, s:i, s:i, s:o}", "kind", lint_kind_name(kind), "file",
                          json_string_of_bytes(place.file), "line", noting->line, "column",
                          (int)(place.offset - noting->line_start) + 1, "text", json_string_of_bytes(words)));
}

static json_t *notes_json(const struct problem *problem)
{
    struct noting noting = {.notes = json_array()};
    if (!lint_problem(problem, add_note, &noting, NULL)) {
        json_decref(noting.notes);
        return NULL;
    }
    return noting.notes;
}

/* JSON has no infinity: a product beyond the range of a double is null. */
static json_t *cartesian_json(const struct problem *problem)
{
    double count = problem_cartesian_count(problem);
    return json_finite(count);
}

static json_t *values_json(const struct parameter_values *parameter)
{
    json_t *values = json_array();
    for (size_t i = 0; i < parameter->count; i++)
        json_append(&values, value_json(parameter->values[i]));
    return values;
}

static json_t *domains_json(const struct problem *problem)
{
    json_t *domains = json_array();
    for (size_t i = 0; i < problem_parameter_count(problem); i++) {
        struct parameter_values parameter;
        problem_parameter(problem, i, &parameter);
        json_append(&domains, json_pack("{s:s, s:s, s:b, s:o, s:s}", "space", parameter.space->name, "name",
                                        parameter.declaration->name, "fixed", (int)parameter.fixed, "values",
                                        values_json(&parameter), "meaning", parameter.declaration->meaning));
    }
    return domains;
}

static json_t *constraints_json(const struct problem *problem)
{
    json_t *constraints = json_array();
    for (size_t i = 0; i < problem_constraint_count(problem); i++) {
        struct constraint_report report;
        problem_constraint_report(problem, i, &report);
        json_append(&constraints,
                    json_pack("{s:s, s:o, s:o}", "space", report.space->name, "where",
                              expression_json(report.constraint->condition), "removed", json_finite(report.removed)));
    }
    return constraints;
}

json_t *show_space_json(const struct subject *subject)
{
    const struct problem *problem = subject->problem;
    const struct space *space = subject->space;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "template",
                     subject->template->name, "space", space->name, "title", space->title, "hash", space->hash,
                     "size", problem_size_text(problem), "device",
                     json_string_of_bytes(problem_device(problem)->name), "parameters", domains_json(problem),
                     "constraints", constraints_json(problem), "cartesian", cartesian_json(problem), "valid",
                     (json_int_t)problem_configuration_count(problem), "default", default_json(problem), "notes",
                     notes_json(problem));
}
