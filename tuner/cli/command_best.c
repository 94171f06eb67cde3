/* SPDX-License-Identifier: Apache-2.0 */
/* tune best [TEMPLATE]: the best known configuration of each device and size. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/table.h"

#include "tuner/error/output_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The rows that were found: printed in one of three forms. */
struct best_rows {
    json_t *rows;
    bool failed;
};

static json_t *row_json(const struct store_row *row)
{
    double percent =
        figure_percent_of_peak(row->time_ns, row->flops, row->bytes, row->peak_flops, row->peak_bandwidth);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:s, s:s, s:s, s:s}", "template",
        row->template_name, "template_hash", row->template_hash, "size", row->size, "device", row->device_name,
        "device_kind", row->device_kind, "architecture", row->architecture, "configuration",
        json_loads(row->configuration, 0, NULL), "time_ns", row->time_ns, "low_ns", row->time_low_ns, "high_ns",
        row->time_high_ns, "gflops", row->flops / row->time_ns, "percent_of_peak", percent, "registers",
        (json_int_t)row->registers, "shared_bytes", (json_int_t)row->shared_bytes, "evaluation", (json_int_t)row->id,
        "origin", row->origin, "measured_at", row->measured_at, "driver", row->driver, "compiler", row->compiler);
}

static bool gather(const struct store_row *row, void *context)
{
    struct best_rows *best = context;
    json_t *object = row_json(row);
    char rate[FIGURE_TEXT];
    figure_rate(row->time_ns, row->flops, row->bytes, rate, sizeof rate);
    if (!object || json_object_set_new(object, "rate", json_string(rate)) != 0 ||
        (row->energy_j > 0 && (json_object_set_new(object, "energy_j", json_real(row->energy_j)) != 0 ||
                               json_object_set_new(object, "energy_error_j", json_real(row->energy_error_j)) != 0)) ||
        json_array_append_new(best->rows, object) != 0)
        best->failed = true;
    return !best->failed;
}

static const char *text(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static void print_table(const json_t *rows)
{
    static const char *const headings[] = {"template", "device",   "size",          ">time",
                                           ">rate",    ">of peak", "configuration", "from"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (!table)
            break;
        char time[FIGURE_TEXT];
        figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
        double percent = json_real_value(json_object_get(row, "percent_of_peak"));
        char *json = json_dumps(json_object_get(row, "configuration"), JSON_PRESERVE_ORDER);
        char *configuration = json ? figure_configuration(json, NULL) : NULL;
        table_cell(table, "%s", text(row, "template"));
        table_cell(table, "%s", text(row, "device"));
        table_cell(table, "%s", text(row, "size"));
        table_cell(table, "%s", time);
        table_cell(table, "%s", text(row, "rate"));
        table_cell(table, percent < 0 ? "-" : "%.1f %%", percent);
        table_cell(table, "%s", configuration ? configuration : "?");
        table_cell(table, "%s %.10s", text(row, "origin"), text(row, "measured_at"));
        free(configuration);
        free(json);
    }
    if (table)
        table_print(table, stdout);
    table_free(table);
}

/* One parameter as the #defines that the kernel was tuned with. */
static void print_define(FILE *stream, const char *name, const json_t *value)
{
    if (json_is_string(value)) {
        fprintf(stream, "#define %s %s\n#define %s_%s 1\n", name, json_string_value(value), name,
                json_string_value(value));
    } else if (json_is_boolean(value)) {
        fprintf(stream, "#define %s %d\n", name, json_is_true(value) ? 1 : 0);
    } else {
        char *number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
        fprintf(stream, "#define %s %s\n", name, number ? number : "0");
        free(number);
    }
}

static void print_header(const json_t *row, FILE *stream)
{
    char time[FIGURE_TEXT];
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    fprintf(stream, "/* The best known configuration of %s at %s on %s:\n * %s, %s; %s %s, kernel %s. */\n",
            text(row, "template"), text(row, "size"), text(row, "device"), time, text(row, "rate"),
            text(row, "origin"), text(row, "measured_at"), text(row, "template_hash"));
    fputs("#pragma once\n", stream);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(row, "configuration"), name, value) print_define(stream, name, value);
}

static bool write_header(const struct options *options, const json_t *rows, struct error *error)
{
    if (json_array_size(rows) > 1) {
        error_set(error, ERROR_INPUT, "--header: %zu rows match, and a header holds one", json_array_size(rows));
        return error_hint(error, "choose with --device and --size; 'tune best %s' shows the rows",
                          options->subject ? options->subject : "");
    }
    const json_t *row = json_array_get(rows, 0);
    if (!options->output) {
        print_header(row, stdout);
        return true;
    }
    struct output_file file;
    if (!output_file_open(&file, options->output, error))
        return false;
    print_header(row, file.stream);
    return output_file_close(&file, true, error);
}

/*
 * What --device means here: a kind, the name of a device that the database knows, or anything that a sweep takes.
 * For a header without --device it is the device that a sweep would take.
 */
static bool filter_device(const struct options *options, struct subject *subject, struct store_filter *filter,
                          struct error *error)
{
    const char *device = options->device;
    if (!device && !options->header)
        return true;
    if (device && (strcmp(device, "cpu") == 0 || strcmp(device, "cuda") == 0)) {
        filter->device_kind = device;
        return true;
    }
    bool is_choice = !device || strchr(device, ':') || strstr(device, ".json");
    if (!is_choice) {
        filter->device_name = device;
        return true;
    }
    if (!device_choose(device, options->quiet, &subject->device, error))
        return false;
    filter->device_name = subject->device.description.name;
    return true;
}

/* Sizes are matched as the problem writes them; without --size a header takes the default size. */
static bool filter_size(const struct options *options, struct subject *subject, struct store_filter *filter,
                        struct error *error)
{
    if (!options->size_count && !options->header)
        return true;
    if (!subject->device.description.kind[0] && !device_choose(filter->device_kind, true, &subject->device, error))
        return false;
    if (!subject_problem(subject, options, error))
        return false;
    filter->size = problem_size_text(subject->problem);
    return true;
}

/* A file for db/known: of one template on one device, so that its rows are of one version and one description. */
static bool write_known(const struct options *options, struct store *store, struct store_filter *filter,
                        const json_t *rows, struct error *error)
{
    if (!options->subject || !options->output) {
        error_set(error, ERROR_INPUT, "--known needs a template and a file");
        return error_hint(error, "tune best gemm --known --device NAME -o db/known/gemm-NAME.json");
    }
    filter->device_name = text(json_array_get(rows, 0), "device");
    for (size_t i = 1; i < json_array_size(rows); i++) {
        if (strcmp(text(json_array_get(rows, i), "device"), filter->device_name) != 0) {
            error_set(error, ERROR_INPUT, "--known: the rows are of several devices, and a file holds those of one");
            return error_hint(error, "choose with --device");
        }
    }
    return store_known_write(store, filter, options->output, error);
}

bool command_best(const struct options *options, int *status, struct error *error)
{
    bool done = false;
    struct subject subject = {0};
    struct store *store = NULL;
    struct store_filter filter = {.objective = options->objective->name};
    struct best_rows best = {.rows = json_array()};

    if (options->subject) {
        if (!subject_template(&subject, options->subject, error))
            goto done;
        filter.template_name = subject.template->name;
        filter.template_hash = subject.template->hash;
    } else if (options->size_count || options->header) {
        error_set(error, ERROR_INPUT, "--size and --header need a template");
        goto done;
    }
    if (!filter_device(options, &subject, &filter, error) ||
        (subject.template && !filter_size(options, &subject, &filter, error)) ||
        !knowledge_open(options->database, &store, error) || !store_best(store, &filter, gather, &best, error))
        goto done;
    if (best.failed) {
        error_out_of_memory(error);
        goto done;
    }
    done = true;
    if (options->json) {
        json_dumpf(best.rows, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
    } else if (json_array_size(best.rows) == 0) {
        fprintf(stderr, "tune: nothing is known of %s%s%s yet: 'tune %s' sweeps\n",
                options->subject ? options->subject : "any template", filter.size ? " at " : "",
                filter.size ? filter.size : "", options->subject ? options->subject : "TEMPLATE");
        *status = 1;
    } else if (options->header) {
        done = write_header(options, best.rows, error);
    } else if (options->known) {
        done = write_known(options, store, &filter, best.rows, error);
    } else {
        print_table(best.rows);
    }
done:
    json_decref(best.rows);
    store_close(store);
    subject_clear(&subject);
    return done;
}
