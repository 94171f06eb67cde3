/* SPDX-License-Identifier: Apache-2.0 */
/* tune forget: drop results that match all criteria given, and make the file smaller. */
#include "tuner/cli/command.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"

#include "db/forget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What became of the rows of a template on a device, and of all. */
struct tally {
    json_t *rows; /* NULL: memory ran out */
    int64_t evaluations, failures, kept, in_use;
    struct forget_rest rest;
};

static void add_to(json_t *object, const char *name, int64_t count)
{
    json_int_t before = json_integer_value(json_object_get(object, name));
    json_object_set_new(object, name, json_integer(before + (json_int_t)count));
}

/* Rows come ordered by template and device. */
static bool add_row(const struct forget_row *row, void *context)
{
    struct tally *tally = context;
    json_t *last = json_array_get(tally->rows, json_array_size(tally->rows) - 1);
    if (!last || strcmp(json_string_at(last, "template"), row->template_name) != 0 ||
        strcmp(json_string_at(last, "device"), row->device_name) != 0) {
        json_append(&tally->rows,
                    json_pack("{s:o, s:o, s:i, s:i, s:i, s:i}", "template", json_string_of_bytes(row->template_name),
                              "device", json_string_of_bytes(row->device_name), "evaluations", 0, "failures", 0,
                              "kept", 0, "in_use", 0));
        last = json_array_get(tally->rows, json_array_size(tally->rows) - 1);
    }
    add_to(last, "evaluations", row->evaluations);
    add_to(last, "failures", row->failures);
    add_to(last, "kept", row->kept);
    add_to(last, "in_use", row->in_use);
    tally->evaluations += row->evaluations;
    tally->failures += row->failures;
    tally->kept += row->kept;
    tally->in_use += row->in_use;
    return tally->rows != NULL;
}

/* ---- what is asked for */

static bool is_criterion(const struct options *options)
{
    return options->subject || options->device || options->older_than > 0 || options->failed;
}

/* A kind of device, the name of one in the database, or one of this machine. */
static bool choose_device(const char *device, struct device_choice *choice, struct forget_criteria *criteria,
                          struct error *error)
{
    if (!device)
        return true;
    if (device_driver_find(device) || strcmp(device, "imported") == 0) {
        criteria->device_kind = device;
        return true;
    }
    criteria->device_name = device;
    if (!strchr(device, ':') && !strstr(device, ".json"))
        return true;
    if (!device_choose(device, true, choice, error))
        return false;
    criteria->device_name = choice->description.name;
    return true;
}

/* A name as the database has it: the template itself need not be there any more. A path leads to one that is. */
static bool choose_template(const char *name, struct subject *subject, struct forget_criteria *criteria,
                            struct error *error)
{
    criteria->template_name = name;
    if (!name || !strchr(name, '/'))
        return true;
    if (!subject_template(subject, name, error))
        return false;
    criteria->template_name = subject->template->name;
    return true;
}

/* A file that is not there is not made. */
static bool open_database(const struct options *options, struct store **store, struct error *error)
{
    char *file = store_default_path(options->database);
    if (!file)
        return error_out_of_memory(error);
    bool opened = store_open(file, options->dry_run || access(file, F_OK) != 0, store, error);
    free(file);
    return opened;
}

/* ---- what is said */

static void print_table(const struct tally *tally, bool dry_run, struct error *error, bool *done)
{
    static const char *const headings[] = {"template",         "device", ">forgotten",
                                           ">of these failed", ">kept",  ">being tuned"};
    static const char *const tried[] = {"template",         "device", ">would go",
                                        ">of these failed", ">kept",  ">being tuned"};
    static const char *const keys[] = {"evaluations", "failures", "kept", "in_use"};
    const struct terminal out = terminal_of(stdout);
    struct table *table = table_create(dry_run ? tried : headings, sizeof headings / sizeof *headings);
    size_t i;
    const json_t *row;
    json_array_foreach(tally->rows, i, row)
    {
        table_cell(table, "%s", json_string_at(row, "template"));
        table_cell(table, "%s", json_string_at(row, "device"));
        for (size_t key = 0; key < sizeof keys / sizeof *keys; key++) {
            json_int_t count = json_integer_value(json_object_get(row, keys[key]));
            if (count)
                table_cell(table, "%" JSON_INTEGER_FORMAT, count);
            else
                table_cell(table, "-");
        }
    }
    *done = table_print(table, &out, error);
}

static bool print_text(const struct options *options, const struct tally *tally, struct error *error)
{
    bool done = true;
    if (json_array_size(tally->rows) > 0)
        print_table(tally, options->dry_run, error, &done);
    visible_printf(stdout, "%s %" PRId64 " evaluation%s", options->dry_run ? "would forget" : "forgot",
                   tally->evaluations, tally->evaluations == 1 ? "" : "s");
    if (tally->rest.runs > 0)
        visible_printf(stdout, ", %" PRId64 " run%s that had no others", tally->rest.runs,
                       tally->rest.runs == 1 ? "" : "s");
    if (tally->rest.trees > 0)
        visible_printf(stdout, ", %" PRId64 " tree%s over sizes", tally->rest.trees,
                       tally->rest.trees == 1 ? "" : "s");
    if (tally->rest.online > 0)
        visible_printf(stdout, ", %" PRId64 " answer%s found online", tally->rest.online,
                       tally->rest.online == 1 ? "" : "s");
    visible_printf(stdout, "\n");
    if (tally->kept > 0)
        visible_printf(stdout,
                       "kept %" PRId64 ": the best of each problem, and finalists that they were compared with; "
                       "--with-best forgets them too\n",
                       tally->kept);
    if (tally->in_use > 0)
        visible_printf(stdout, "kept %" PRId64 ": a sweep is at work on their problem\n", tally->in_use);
    return done;
}

static bool print_size(struct store *store, int64_t before, bool vacuumed, struct error *error)
{
    int64_t bytes, unused;
    char now[FIGURE_TEXT], then[FIGURE_TEXT];
    if (!store_bytes(store, &bytes, &unused, error))
        return false;
    if (vacuumed) {
        figure_bytes((double)before, then, sizeof then);
        figure_bytes((double)bytes, now, sizeof now);
        visible_printf(stdout, "%s: %s, before %s\n", store_path(store), now, then);
    } else if (store_is_loose(bytes, unused)) {
        figure_bytes((double)bytes, now, sizeof now);
        figure_bytes((double)unused, then, sizeof then);
        visible_printf(stdout,
                       "%s: %s, of which %s are free for new results; 'tune forget --vacuum' gives them back\n",
                       store_path(store), now, then);
    }
    return true;
}

static bool print_json(const struct options *options, const struct tally *tally, struct store *store, int64_t before,
                       struct error *error)
{
    int64_t bytes, unused;
    if (!store_bytes(store, &bytes, &unused, error))
        return false;
    return json_output(json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:O, s:I, s:I, s:I}", "dry_run",
                                 (int)options->dry_run, "evaluations", (json_int_t)tally->evaluations, "failures",
                                 (json_int_t)tally->failures, "kept", (json_int_t)tally->kept, "in_use",
                                 (json_int_t)tally->in_use, "runs", (json_int_t)tally->rest.runs, "trees",
                                 (json_int_t)tally->rest.trees, "online", (json_int_t)tally->rest.online, "rows",
                                 tally->rows, "bytes_before", (json_int_t)before, "bytes", (json_int_t)bytes,
                                 "free_bytes", (json_int_t)unused),
                       JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

/* ---- the command */

static bool forget(const struct options *options, struct store *store, const struct forget_criteria *criteria,
                   struct error *error)
{
    struct tally tally = {.rows = json_array()};
    int64_t before = 0, unused;
    bool asked = is_criterion(options), vacuum = options->vacuum && !options->dry_run;
    bool done = tally.rows ? store_bytes(store, &before, &unused, error) : error_out_of_memory(error);
    if (done && asked)
        done = store_forget(store, criteria, options->dry_run, add_row, &tally, &tally.rest, error);
    done = done && (!vacuum || store_vacuum(store, error));
    if (done && options->json)
        done = print_json(options, &tally, store, before, error);
    else if (done)
        done = (!asked || print_text(options, &tally, error)) && print_size(store, before, vacuum, error);
    json_decref(tally.rows);
    return done;
}

bool command_forget(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct subject subject = {0};
    struct device_choice device;
    struct store *store = NULL;
    struct forget_criteria criteria = {
        .older_than = options->older_than, .failed = options->failed, .best_too = options->with_best};
    if (!is_criterion(options) && (!options->vacuum || options->dry_run || options->with_best)) {
        error_set(error, ERROR_INPUT, "what is to be forgotten?");
        return error_hint(error,
                          "name a template, or give --device, --older-than or --failed; what is forgotten meets "
                          "all of them, and --dry-run says what that is");
    }
    bool done = choose_template(options->subject, &subject, &criteria, error) &&
                choose_device(options->device, &device, &criteria, error) && open_database(options, &store, error) &&
                forget(options, store, &criteria, error);
    store_close(store);
    subject_clear(&subject);
    return done;
}
