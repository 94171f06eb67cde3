/* SPDX-License-Identifier: Apache-2.0 */
/* tune export [TEMPLATE]: results of the database as T4; with --t1 a template and a space as T1. */
#include "tuner/cli/command.h"
#include "tuner/cli/home.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"

#include "tuner/error/output_file.h"
#include "tuner/formats/t1_write.h"
#include "tuner/formats/t4_write.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Where the document goes: -o, else stdout. */
static bool open_output(const struct options *options, struct output_file *file, struct error *error)
{
    *file = (struct output_file){.stream = stdout};
    return !options->output || output_file_open(file, options->output, error);
}

static bool close_output(struct output_file *file, bool done, struct error *error)
{
    return file->stream == stdout ? done : output_file_close(file, done, error);
}

/* ---- T1 ---- */

static bool print_document(const struct options *options, const json_t *document, struct error *error)
{
    struct output_file file;
    if (!open_output(options, &file, error))
        return false;
    bool done =
        json_dumpf(document, file.stream, JSON_INDENT(4) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15)) == 0 ||
        ferror(file.stream) || error_out_of_memory(error);
    fputc('\n', file.stream);
    return close_output(&file, done, error);
}

static bool export_t1(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    json_t *document = NULL;
    char *notes = NULL;
    bool done =
        subject_template(&subject, options->subject, error) && subject_space(&subject, options->space, error) &&
        device_choose(options->device, true, &subject.device, error) && subject_problem(&subject, options, error) &&
        t1_export(subject.problem, &document, &notes, error) && print_document(options, document, error);
    for (const char *note = notes; done && *note; note += strcspn(note, "\n") + 1)
        fprintf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
    json_decref(document);
    free(notes);
    subject_clear(&subject);
    return done;
}

/* ---- T4 ---- */

/* A problem of the database, as far as it is to be told from others. */
struct candidate {
    int64_t problem;
    char *template, *hash, *size, *device;
};

struct exporting {
    const struct options *options;
    const char *template, *hash; /* NULL: any */
    char *size;                  /* NULL: any */
    struct candidate *candidates;
    size_t count;
    int64_t problem; /* the one that is written */
    FILE *out;
    bool first, failed;
    struct error *error;
};

static bool is_wanted(const struct exporting *e, const struct store_recorded_row *row)
{
    const char *device = e->options->device;
    return (!e->template || strcmp(e->template, row->template_name) == 0) &&
           (!e->hash || strcmp(e->hash, row->template_hash) == 0) && (!e->size || strcmp(e->size, row->size) == 0) &&
           (!device || strcmp(device, row->device_name) == 0 || strcmp(device, row->device_kind) == 0);
}

static void clear_candidate(struct candidate *candidate)
{
    free(candidate->template);
    free(candidate->hash);
    free(candidate->size);
    free(candidate->device);
}

static bool find_candidate(const struct store_recorded_row *row, void *context)
{
    struct exporting *e = context;
    if (!is_wanted(e, row) || (e->count && e->candidates[e->count - 1].problem == row->problem))
        return true;
    struct candidate *more = realloc(e->candidates, (e->count + 1) * sizeof *more);
    e->failed = !more;
    if (!more)
        return false;
    e->candidates = more;
    struct candidate *candidate = &more[e->count++];
    *candidate = (struct candidate){row->problem, strdup(row->template_name), strdup(row->template_hash),
                                    strdup(row->size), strdup(row->device_name)};
    e->failed = !candidate->template || !candidate->hash || !candidate->size || !candidate->device;
    return !e->failed;
}

static bool print_row(const struct store_recorded_row *row, void *context)
{
    struct exporting *e = context;
    if (row->problem != e->problem)
        return true;
    e->failed = !t4_row(e->out, row, e->first, e->error);
    e->first = false;
    return !e->failed;
}

/* One document holds the results of one kernel at one size on one device: which ones there are. */
static bool refuse_several(const struct exporting *e)
{
    const struct candidate *a = &e->candidates[0], *b = &e->candidates[e->count - 1];
    for (size_t i = 1; i < e->count; i++) {
        if (strcmp(a->template, e->candidates[i].template) != 0 || strcmp(a->size, e->candidates[i].size) != 0 ||
            strcmp(a->device, e->candidates[i].device) != 0)
            b = &e->candidates[i];
    }
    error_set(
        e->error, ERROR_INPUT,
        "a T4 file holds results of one kernel, device and size, and there are several: %s %s on %s; %s %s on %s",
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
    return error_hint(e->error, "a sweep makes some, 'tune import' brings other tools' results");
}

/* Of several drivers, compilers or versions of a kernel the last is taken. */
static bool choose_problem(struct exporting *e, struct store *store)
{
    if (e->count == 0)
        return refuse_none(e, store);
    const struct candidate *last = &e->candidates[e->count - 1];
    for (size_t i = 0; i + 1 < e->count; i++) {
        const struct candidate *other = &e->candidates[i];
        if (strcmp(other->template, last->template) != 0 || strcmp(other->size, last->size) != 0 ||
            strcmp(other->device, last->device) != 0)
            return refuse_several(e);
    }
    if (e->count > 1)
        fprintf(stderr, "tune: there are results of %zu versions of the kernel or the compiler: these are the last\n",
                e->count);
    e->problem = last->problem;
    return true;
}

static bool print_results(struct exporting *e, struct store *store)
{
    struct output_file file;
    if (!open_output(e->options, &file, e->error))
        return false;
    e->out = file.stream;
    bool done = t4_begin(e->out, e->candidates[e->count - 1].device, e->error) &&
                store_recorded(store, print_row, e, e->error) && !e->failed;
    t4_end(e->out);
    return close_output(&file, done, e->error);
}

/* Sizes as the database has them, in the order given. */
static bool size_text(const struct options *options, char **text, struct error *error)
{
    *text = options->size_count ? sizes_text(options->sizes, options->size_count) : NULL;
    return *text || options->size_count == 0 || error_out_of_memory(error);
}

/* A template that there is counts by its present version; any other name is that of an imported kernel. */
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

static bool export_t4(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    struct store *store = NULL;
    struct exporting e = {.options = options, .first = true, .error = error};
    bool done = choose_template(options, &subject, &e) && size_text(options, &e.size, error) &&
                knowledge_open(options->database, &store, error) && store_recorded(store, find_candidate, &e, error);
    if (done && e.failed)
        done = error_out_of_memory(error);
    done = done && choose_problem(&e, store) && print_results(&e, store);
    for (size_t i = 0; i < e.count; i++)
        clear_candidate(&e.candidates[i]);
    free(e.candidates);
    free(e.size);
    store_close(store);
    subject_clear(&subject);
    return done;
}

bool command_export(const struct options *options, int *status, struct error *error)
{
    (void)status;
    if (options->t1 && options->t4)
        return error_set(error, ERROR_INPUT, "--t1 and --t4 are two formats: choose one");
    if (!options->t1 && options->space) {
        error_set(error, ERROR_INPUT, "--space is for --t1: results are of whatever spaces they come from");
        return error_hint(error, "tune export --t1 TEMPLATE --space SPACE");
    }
    return options->t1 ? export_t1(options, error) : export_t4(options, error);
}
