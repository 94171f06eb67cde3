/* SPDX-License-Identifier: Apache-2.0 */
/* tune list: templates, spaces, devices, strategies or runs. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/home.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/table.h"
#include "tuner/workers/describe.h"

#include "tuner/device/device.h"
#include "tuner/engine/sweep.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A list is gathered as JSON rows; the table shows those of their keys that are the kind's columns. */
struct listing {
    json_t *rows;
};

static bool add_row(struct listing *listing, json_t *row, struct error *error)
{
    if (!row || json_array_append_new(listing->rows, row) != 0)
        return error_out_of_memory(error);
    return true;
}

/* A row's list under this key: rows that the table shows beneath it, in the same columns. */
#define DETAILS "parameters"

/* Call `add` for each shipped template that can be read; one that cannot is told on stderr. */
typedef bool template_function(const char *home, const struct template *template, struct listing *listing,
                               struct error *error);

static bool each_template(template_function *add, struct listing *listing, struct error *error)
{
    bool done = false;
    struct names names = {0};
    char *folder = NULL;
    char *home = home_find(error);
    if (!home)
        return false;
    folder = path_join(home, "templates");
    if (!folder || !names_list(folder, NULL, &names, error))
        goto done;
    for (size_t i = 0; i < names.count; i++) {
        struct subject subject = {0};
        struct error unreadable = {0};
        bool added = true;
        if (subject_template(&subject, names.list[i], &unreadable))
            added = add(home, subject.template, listing, error);
        else
            error_print(&unreadable, stderr);
        subject_clear(&subject);
        if (!added)
            goto done;
    }
    done = true;
done:
    names_free(&names);
    free(folder);
    free(home);
    return done;
}

static bool space_names(const char *home, const struct template *template, struct names *names, struct error *error)
{
    char *folder;
    if (asprintf(&folder, "%s/spaces/%s", home, template->name) < 0)
        return error_out_of_memory(error);
    bool listed = names_list(folder, ".space", names, error);
    free(folder);
    return listed;
}

static bool add_template(const char *home, const struct template *template, struct listing *listing,
                         struct error *error)
{
    struct names names;
    char spaces[400];
    if (!space_names(home, template, &names, error))
        return false;
    names_text(&names, spaces, sizeof spaces);
    names_free(&names);
    return add_row(listing,
                   json_pack("{s:s, s:s, s:s, s:s}", "template", template->name, "title", template->title, "spaces",
                             spaces, "hash", template->hash),
                   error);
}

static bool list_templates(const struct options *options, struct listing *listing, struct error *error)
{
    (void)options;
    return each_template(add_template, listing, error);
}

static bool add_spaces(const char *home, const struct template *template, struct listing *listing,
                       struct error *error)
{
    struct names names;
    bool added = space_names(home, template, &names, error);
    for (size_t i = 0; added && i < names.count; i++) {
        char *path;
        if (asprintf(&path, "%s/spaces/%s/%s.space", home, template->name, names.list[i]) < 0) {
            added = error_out_of_memory(error);
            break;
        }
        struct space *space = NULL;
        struct error unreadable = {0};
        bool is_default = template->default_space && strcmp(template->default_space, names.list[i]) == 0;
        if (space_read(path, template, &space, &unreadable))
            added = add_row(listing,
                            json_pack("{s:s, s:s, s:s, s:s}", "template", template->name, "space", space->name,
                                      "default", is_default ? "yes" : "", "title", space->title),
                            error);
        else
            error_print(&unreadable, stderr);
        space_free(space);
        free(path);
    }
    names_free(&names);
    return added;
}

static bool list_spaces(const struct options *options, struct listing *listing, struct error *error)
{
    (void)options;
    return each_template(add_spaces, listing, error);
}

static bool list_devices(const struct options *options, struct listing *listing, struct error *error)
{
    (void)options;
    for (size_t kind = 0; kind < device_driver_count; kind++) {
        const char *name = device_drivers[kind]->kind;
        struct error why = {0};
        int count = 0;
        if (!count_devices(name, &count, &why) || count == 0)
            fprintf(stderr, "tune: no %s device: %s\n", name, why.text[0] ? why.text : "none found");
        for (int i = 0; i < count; i++) {
            struct device_description description;
            if (!describe_device(name, i, &description, error))
                return false;
            char label[32];
            snprintf(label, sizeof label, "%s:%d", name, i);
            json_t *row = device_description_json(&description);
            if (row)
                json_object_set_new(row, "device", json_string(label));
            if (!add_row(listing, row, error))
                return false;
        }
    }
    return true;
}

/* What a strategy can be adjusted by. */
static json_t *parameters_json(const struct strategy_driver *driver)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < driver->parameter_count; i++) {
        const struct strategy_parameter *parameter = &driver->parameters[i];
        json_t *row =
            json_pack("{s:s, s:f, s:f, s:f, s:s}", "parameter", parameter->name, "preset", parameter->preset, "low",
                      parameter->low, "high", parameter->high, "meaning", parameter->meaning);
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool list_strategies(const struct options *options, struct listing *listing, struct error *error)
{
    (void)options;
    for (size_t i = 0; i < strategy_driver_count; i++) {
        const struct strategy_driver *driver = strategy_drivers[i];
        json_t *parameters = parameters_json(driver);
        if (!parameters)
            return error_out_of_memory(error);
        if (!add_row(listing,
                     json_pack("{s:s, s:s, s:o}", "strategy", driver->name, "meaning", driver->meaning, DETAILS,
                               parameters),
                     error))
            return false;
    }
    return true;
}

static bool add_run(const struct store_run_row *run, void *context)
{
    struct listing *listing = context;
    char best[FIGURE_TEXT];
    figure_time(run->best_ns, best, sizeof best);
    return add_row(listing,
                   json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:s}", "run",
                             (json_int_t)run->id, "template", run->template_name, "space", run->space_name, "size",
                             run->size, "device", run->device_name, "strategy", run->strategy, "status", run->status,
                             "best", best, "evaluations", (json_int_t)run->evaluations, "failures",
                             (json_int_t)run->failures, "started", run->started_at, "ended", run->ended_at),
                   NULL);
}

static bool list_runs(const struct options *options, struct listing *listing, struct error *error)
{
    struct store *store = NULL;
    bool listed = knowledge_open(options->database, &store, error) && store_runs(store, add_run, listing, error);
    store_close(store);
    return listed;
}

enum { COLUMNS = 9 };

static const struct list_kind {
    const char *name;
    bool (*gather)(const struct options *options, struct listing *listing, struct error *error);
    const char *columns[COLUMNS];
} kinds[] = {
    {"templates", list_templates, {"template", "title", "spaces"}},
    {"spaces", list_spaces, {"template", "space", "default", "title"}},
    {"devices", list_devices, {"device", "name", "architecture", "sm_count", "driver", "compiler"}},
    {"strategies", list_strategies, {"strategy", "parameter", "preset", "low", "high", "meaning"}},
    {"runs", list_runs, {"run", "template", "space", "size", "device", "status", "best", "evaluations", "started"}},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void print_cell(struct table *table, const json_t *value)
{
    if (!value)
        table_cell(table, "%s", "");
    else if (json_is_string(value))
        table_cell(table, "%s", json_string_value(value));
    else if (json_is_real(value))
        table_cell(table, "%g", json_real_value(value));
    else
        table_cell(table, "%lld", (long long)json_integer_value(value));
}

static void add_cells(struct table *table, const struct list_kind *kind, size_t columns, const json_t *rows)
{
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        for (size_t column = 0; column < columns; column++)
            print_cell(table, json_object_get(row, kind->columns[column]));
        add_cells(table, kind, columns, json_object_get(row, DETAILS));
    }
}

static void print_rows(const struct list_kind *kind, const json_t *rows)
{
    size_t columns = 0;
    while (columns < COLUMNS && kind->columns[columns])
        columns++;
    struct table *table = table_create(kind->columns, columns);
    if (table) {
        add_cells(table, kind, columns, rows);
        table_print(table, stdout);
    }
    table_free(table);
}

static const struct list_kind *find_kind(const char *name, struct error *error)
{
    const char *names[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    }
    error_set(error, ERROR_INPUT, "there is no list of '%s'", name);
    const char *nearest = error_nearest(name, names, KIND_COUNT);
    if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "there are: templates, spaces, devices, strategies, runs");
    return NULL;
}

bool command_list(const struct options *options, int *status, struct error *error)
{
    (void)status;
    const struct list_kind *kind = find_kind(options->subject ? options->subject : "templates", error);
    if (!kind)
        return false;
    struct listing listing = {.rows = json_array()};
    bool listed = kind->gather(options, &listing, error);
    if (listed && options->json) {
        json_dumpf(listing.rows, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
    } else if (listed) {
        print_rows(kind, listing.rows);
    }
    json_decref(listing.rows);
    return listed;
}
