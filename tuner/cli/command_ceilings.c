/* SPDX-License-Identifier: Apache-2.0 */
/* tune ceilings: what a device can do at best, measured by probes. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/probing.h"
#include "tuner/cli/table.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

static bool add_row(struct table *table, const json_t *row)
{
    char rate[FIGURE_TEXT], share[FIGURE_TEXT] = "-";
    double measured = json_number_value(json_object_get(row, "rate"));
    double sheet = json_number_value(json_object_get(row, "data_sheet_rate"));
    json_t *configuration = json_object_get(row, "configuration");
    char *probe = configuration ? parameters_text(configuration, NULL) : strdup("");
    figure_per_second(measured, json_string_at(row, "unit"), rate, sizeof rate);
    if (sheet > 0)
        snprintf(share, sizeof share, "%.1f %%", 100 * measured / sheet);
    table_cell(table, "%s", json_string_at(row, "limit"));
    table_cell(table, "%s", rate);
    table_cell(table, "%s", share);
    table_cell(table, "%s", json_string_at(row, "source"));
    table_cell(table, "%s", json_string_at(row, "measured_at"));
    table_cell(table, "%s", probe ? probe : "");
    free(probe);
    return probe != NULL;
}

static bool print_table(const json_t *rows, struct error *error)
{
    static const char *const headings[] = {"limit", ">at best", ">of the data sheet", "from", "measured", "_probe"};
    const struct terminal out = terminal_of(stdout);
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    bool done = true;
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) done = add_row(table, row) && done;
    return table_print(table, &out, error) && (done || error_out_of_memory(error));
}

static bool print_json(const struct device_description *device, json_t *rows, struct error *error)
{
    json_t *document = json_pack("{s:o, s:O}", "device", json_string_of_bytes(device->name), "ceilings", rows);
    return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

static bool any_measured(const json_t *rows)
{
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (strcmp(json_string_at(row, "source"), "measured") == 0)
            return true;
    }
    return false;
}

static bool show(const struct options *options, const struct probing *probing, int *status, struct error *error)
{
    json_t *rows;
    const struct device_description *device = &probing->device->description;
    if (!store_ceilings_json(probing->store, device, &rows, error))
        return false;
    bool shown = options->json ? print_json(device, rows, error) : print_table(rows, error);
    *status = *probing->interrupted ? STATUS_INTERRUPTED : any_measured(rows) ? 0 : 1;
    json_decref(rows);
    return shown;
}

bool command_ceilings(const struct options *options, int *status, struct error *error)
{
    struct device_choice device;
    struct store *store = NULL;
    if (!device_choose(options->device, options->quiet, &device, error) || !device_can_run(&device, error) ||
        !knowledge_open_to_write(options->database, &store, error))
        return false;
    const struct probing probing = {
        .options = options,
        .device = &device,
        .store = store,
        .interrupted = interrupts_catch(),
        .fresh = options->fresh,
    };
    bool done = probe_device(&probing, error) && show(options, &probing, status, error);
    store_close(store);
    return done;
}
