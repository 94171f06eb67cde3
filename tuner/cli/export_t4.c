/* SPDX-License-Identifier: Apache-2.0 */
/* tune export: results of the database as T4. */
#include "tuner/cli/exchange.h"

#include "tuner/cli/export_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/error/visible.h"
#include "tuner/formats/t4_write.h"
#include "tuner/json/json_text.h"
#include "tuner/library/home.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A problem of the database that has results: one version of a kernel at one size on one device. */
struct recorded_problem {
    int64_t problem;
    char *template, *hash, *size, *device, *definitions, *default_configuration;
};

struct exporting {
    const struct options *options;
    const char *template, *hash; /* NULL: any */
    struct recorded_problem *problems;
    size_t count;
    int64_t problem; /* that is written */
    FILE *out;
    size_t damaged; /* results, which are left out */
    bool first, failed;
    struct error *error;
};

/* Does a text of sizes ("M=4096,N=64") say so of this one? */
static bool has_size(const char *text, const struct size_setting *size)
{
    char item[128];
    int length = snprintf(item, sizeof item, "%s=%" PRId64, size->name, size->value);
    if (length < 0 || (size_t)length >= sizeof item)
        return false;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, item, (size_t)length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* In any order, and not necessarily all: the rest may be defaults. */
static bool has_sizes(const char *text, const struct options *options)
{
    for (size_t i = 0; i < options->size_count; i++) {
        if (!has_size(text, &options->sizes[i]))
            return false;
    }
    return true;
}

static bool is_wanted(const struct exporting *e, const struct store_recorded_row *row)
{
    const char *device = e->options->device;
    return (!e->template || strcmp(e->template, row->template_name) == 0) &&
           (!e->hash || strcmp(e->hash, row->template_hash) == 0) && has_sizes(row->size, e->options) &&
           (!device || strcmp(device, row->device_name) == 0 || strcmp(device, row->device_kind) == 0);
}

static void clear_problem(struct recorded_problem *found)
{
    free(found->template);
    free(found->hash);
    free(found->size);
    free(found->device);
    free(found->definitions);
    free(found->default_configuration);
}

static bool find_problem(const struct store_recorded_row *row, void *context)
{
    struct exporting *e = context;
    if (!is_wanted(e, row) || (e->count && e->problems[e->count - 1].problem == row->problem))
        return true;
    struct recorded_problem *more = realloc(e->problems, (e->count + 1) * sizeof *more);
    e->failed = !more;
    if (!more)
        return false;
    e->problems = more;
    struct recorded_problem *found = &more[e->count++];
    *found = (struct recorded_problem){.problem = row->problem,
                                       .template = strdup(row->template_name),
                                       .hash = strdup(row->template_hash),
                                       .size = strdup(row->size),
                                       .device = strdup(row->device_name),
                                       .definitions = strdup(row->definitions),
                                       .default_configuration = strdup(row->default_configuration)};
    e->failed = !found->template || !found->hash || !found->size || !found->device || !found->definitions ||
                !found->default_configuration;
    return !e->failed;
}

static bool print_row(const struct store_recorded_row *row, void *context)
{
    struct exporting *e = context;
    if (row->problem != e->problem)
        return true;
    json_t *configuration;
    e->failed = !json_try(row->configuration, JSON_REJECT_DUPLICATES, &configuration, e->error);
    bool damaged = !json_is_object(configuration);
    json_decref(configuration);
    e->damaged += damaged && !e->failed;
    if (e->failed || damaged)
        return !e->failed;
    e->failed = !t4_row(e->out, row, e->first, e->error);
    e->first = false;
    return !e->failed;
}

/* Name two that differ. */
static bool refuse_several(const struct exporting *e)
{
    const struct recorded_problem *a = &e->problems[0], *b = &e->problems[e->count - 1];
    for (size_t i = 1; i < e->count; i++) {
        if (strcmp(a->template, e->problems[i].template) != 0 || strcmp(a->size, e->problems[i].size) != 0 ||
            strcmp(a->device, e->problems[i].device) != 0)
            b = &e->problems[i];
    }
    error_set(
        e->error, ERROR_INPUT,
        "a T4 file holds the results of one kernel, size and device, but there are several: %s %s on %s; %s %s on %s",
        a->template, a->size, a->device, b->template, b->size, b->device);
    return error_hint(e->error, "choose with a template, --device NAME and --size; 'tune best' lists them");
}

static bool refuse_none(const struct exporting *e, struct store *store)
{
    bool shipped;
    if (!store_has_shipped(store, &shipped, e->error))
        return false;
    error_set(e->error, ERROR_INPUT, "the database has no such results%s",
              shipped ? " of a sweep or an import: what came with tune is only the best of sweeps" : "");
    return error_hint(e->error, "run a sweep, or 'tune import' other tools' results");
}

/* Of several versions of a kernel, driver or compiler the latest is exported. */
static bool choose_problem(struct exporting *e, struct store *store)
{
    if (e->count == 0)
        return refuse_none(e, store);
    const struct recorded_problem *last = &e->problems[e->count - 1];
    for (size_t i = 0; i + 1 < e->count; i++) {
        const struct recorded_problem *other = &e->problems[i];
        if (strcmp(other->template, last->template) != 0 || strcmp(other->size, last->size) != 0 ||
            strcmp(other->device, last->device) != 0)
            return refuse_several(e);
    }
    if (e->count > 1)
        visible_printf(stderr,
                       "tune: results of %zu versions of the kernel or the compiler match; exporting the latest\n",
                       e->count);
    e->problem = last->problem;
    return true;
}

static bool print_results(struct exporting *e, struct store *store)
{
    struct output_file file;
    if (!export_open(e->options, &file, e->error))
        return false;
    e->out = file.stream;
    const struct recorded_problem *problem = &e->problems[e->count - 1];
    const struct store_recorded_row any = {.device_name = problem->device,
                                           .definitions = problem->definitions,
                                           .default_configuration = problem->default_configuration};
    bool done = t4_begin(e->out, &any, e->error) && store_recorded(store, print_row, e, e->error) && !e->failed;
    t4_end(e->out);
    if (e->damaged)
        visible_printf(stderr, "tune: %zu result%s left out whose configuration in the database is no JSON object\n",
                       e->damaged, e->damaged == 1 ? " is" : "s are");
    return export_close(&file, done, e->error);
}

/* A template that exists stands for its current version; any other name is an imported kernel's. */
static bool choose_template(const struct options *options, struct subject *subject, struct exporting *e)
{
    struct error unknown;
    e->template = options->subject;
    if (!options->subject || !subject_template(subject, options->subject, &unknown)) {
        bool is_path = options->subject && path_is_meant(options->subject, ".template");
        if (is_path)
            *e->error = unknown;
        return !is_path;
    }
    e->template = subject->template->name;
    e->hash = subject->template->hash;
    return true;
}

bool export_t4(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    struct store *store = NULL;
    struct exporting e = {.options = options, .first = true, .error = error};
    bool done = choose_template(options, &subject, &e) && knowledge_open(options->database, &store, error) &&
                store_recorded(store, find_problem, &e, error);
    if (done && e.failed)
        done = error_out_of_memory(error);
    done = done && choose_problem(&e, store) && print_results(&e, store);
    for (size_t i = 0; i < e.count; i++)
        clear_problem(&e.problems[i]);
    free(e.problems);
    store_close(store);
    subject_clear(&subject);
    return done;
}
