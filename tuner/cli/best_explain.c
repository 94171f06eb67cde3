/* SPDX-License-Identifier: Apache-2.0 */
/* tune best TEMPLATE --explain: what answers for a device and size, and why. */
#include "tuner/cli/best.h"
#include "tuner/cli/choice.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

static bool print_json(const struct subject *subject, const struct choice *choice, struct error *error)
{
    json_t *document = json_pack(
        "{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:O}", "template", json_string_of_bytes(subject->template->name),
        "device", json_string_of_bytes(subject->device.description.name), "size",
        json_string_of_bytes(problem_size_text(subject->problem)), "rule",
        selection_rule_name(choice->selection.rule), "layer",
        choice->selection.rule ? json_string(selection_layer_name(choice->selection.layer)) : json_null(),
        "configuration", json_of_text(choice->configuration), "origin", json_string_of_bytes(choice->origin),
        "considered", choice->considered);
    return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

static void add_row(struct table *table, const json_t *row)
{
    char time[FIGURE_TEXT];
    char *configuration = parameters_text(json_object_get(row, "configuration"), NULL);
    figure_time(json_number_value(json_object_get(row, "time_ns")), time, sizeof time);
    table_cell(table, "%.1f", json_number_value(json_object_get(row, "octaves_away")));
    table_cell(table, "%s", json_string_at(row, "device"));
    table_cell(table, "%s", json_string_at(row, "size"));
    table_cell(table, "%s", time);
    table_cell(table, "%s %.10s", json_string_at(row, "layer"), json_string_at(row, "measured_at"));
    table_cell(table, "%s", json_is_true(json_object_get(row, "valid_here")) ? "yes" : "no");
    table_cell(table, "%s", configuration ? configuration : "");
    free(configuration);
}

static bool print_text(const struct subject *subject, const struct choice *choice, struct error *error)
{
    static const char *const headings[] = {">octaves", "device",     "size",          ">time there",
                                           "from",     "valid here", "_configuration"};
    const struct terminal out = terminal_of(stdout);
    char *configuration = parameters_text_of(choice->configuration, NULL);
    if (!configuration)
        return error_out_of_memory(error);
    visible_printf(stdout, "%s at %s on %s\n", subject->template->name, problem_size_text(subject->problem),
                   subject->device.description.name);
    terminal_print_folded("configuration: ", configuration, STYLE_PLAIN, &out);
    visible_printf(stdout, "from:          %s\n", choice->origin);
    free(configuration);
    if (json_array_size(choice->considered) == 0)
        return true;
    visible_printf(stdout, "\nconsidered, the nearest first:\n");
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < json_array_size(choice->considered); i++)
        add_row(table, json_array_get(choice->considered, i));
    return table_print(table, &out, error);
}

bool best_explain(const struct options *options, struct error *error)
{
    struct subject subject = {.own_matrices = true};
    struct store *store = NULL;
    struct choice choice = {.considered = json_array()};
    bool done = (choice.considered || error_out_of_memory(error)) &&
                subject_template(&subject, options->subject, error) &&
                objective_choose(subject.template, options->objective, &subject.objective, error) &&
                device_choose(options->device, true, &subject.device, error) &&
                knowledge_open_for(subject.template, options->database, &store, error) &&
                choice_make(&subject, options, store, &choice, error) &&
                (options->json ? print_json : print_text)(&subject, &choice, error);
    json_decref(choice.considered);
    choice_clear(&choice);
    store_close(store);
    subject_clear(&subject);
    return done;
}
