/* SPDX-License-Identifier: Apache-2.0 */
/* tune export --known: best results as files of known results, one for each template and device. */
#include "tuner/cli/exchange.h"

#include "tuner/cli/knowledge.h"
#include "tuner/cli/ladder.h"
#include "tuner/cli/row_filter.h"
#include "tuner/error/visible.h"
#include "tuner/library/home.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What one file holds. */
struct pair {
    char *template, *device;
};

struct pairs {
    struct pair *list;
    size_t count;
    bool failed; /* memory ran out */
};

static bool add_pair(const struct store_row *row, void *context)
{
    struct pairs *pairs = context;
    for (size_t i = 0; i < pairs->count; i++) {
        if (strcmp(pairs->list[i].template, row->template_name) == 0 &&
            strcmp(pairs->list[i].device, row->device_name) == 0)
            return true;
    }
    struct pair *more = realloc(pairs->list, (pairs->count + 1) * sizeof *more);
    pairs->failed = !more;
    if (!more)
        return false;
    pairs->list = more;
    struct pair *pair = &more[pairs->count++];
    *pair = (struct pair){strdup(row->template_name), strdup(row->device_name)};
    pairs->failed = !pair->template || !pair->device;
    return !pairs->failed;
}

/* Lower-case letters and digits, all else a hyphen: "NVIDIA H100 80GB" is nvidia-h100-80gb. */
static void make_plain(char *name)
{
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '_' ? (char)tolower((unsigned char)*c) : '-';
}

/* FOLDER/TEMPLATE-DEVICE.json; allocated, NULL: out of memory. */
static char *file_path(const char *folder, const struct pair *pair)
{
    char *name, *path = NULL;
    if (asprintf(&name, "%s-%s", pair->template, pair->device) < 0)
        return NULL;
    make_plain(name);
    size_t length = strlen(folder);
    if (asprintf(&path, "%s%s%.200s.json", folder, length && folder[length - 1] == '/' ? "" : "/", name) < 0)
        path = NULL;
    free(name);
    return path;
}

static bool write_pair(struct store *store, const struct store_filter *filter, const struct pair *pair,
                       const char *path, struct error *error)
{
    struct store_filter own = *filter;
    own.template_name = pair->template;
    own.device_name = pair->device;
    return store_known_write(store, &own, path, error);
}

/* Names that differ only in what a file's name leaves out would be one file. */
static bool check_path(const struct pairs *pairs, size_t which, const char *folder, const char *path,
                       struct error *error)
{
    for (size_t i = 0; i < which; i++) {
        char *other = file_path(folder, &pairs->list[i]);
        if (!other)
            return error_out_of_memory(error);
        bool same = strcmp(other, path) == 0;
        free(other);
        if (same)
            return error_set(error, ERROR_INPUT, "%s would hold the results of %s on %s and those of %s on %s", path,
                             pairs->list[i].template, pairs->list[i].device, pairs->list[which].template,
                             pairs->list[which].device);
    }
    return true;
}

static bool write_folder(struct store *store, const struct store_filter *filter, const struct pairs *pairs,
                         const char *folder, struct error *error)
{
    bool done = true;
    for (size_t i = 0; i < pairs->count && done; i++) {
        char *path = file_path(folder, &pairs->list[i]);
        done = path ? check_path(pairs, i, folder, path, error) &&
                          write_pair(store, filter, &pairs->list[i], path, error)
                    : error_out_of_memory(error);
        if (done)
            visible_printf(stdout, "%s\n", path);
        free(path);
    }
    return done;
}

/* With a slash at its end also one that is not there, which is the error then. */
static bool is_folder(const char *output)
{
    size_t length = strlen(output);
    return path_is_folder(output) || (length > 0 && output[length - 1] == '/');
}

static bool write_all(const struct options *options, struct store *store, const struct store_filter *filter,
                      const struct pairs *pairs, struct error *error)
{
    if (pairs->count == 0) {
        error_set(error, ERROR_INPUT, "the database has no such results");
        return error_hint(error, "'tune best' lists what it has");
    }
    if (options->output && is_folder(options->output))
        return write_folder(store, filter, pairs, options->output, error);
    if (pairs->count == 1)
        return write_pair(store, filter, &pairs->list[0], options->output ? options->output : "/dev/stdout", error);
    const struct pair *a = &pairs->list[0], *b = &pairs->list[1];
    error_set(
        error, ERROR_INPUT,
        "a file of known results is about one template on one device, but there are several: %s on %s; %s on %s",
        a->template, a->device, b->template, b->device);
    return error_hint(error, "choose with a template and --device NAME, or name a folder: -o FOLDER");
}

/* A template that exists stands for its current version; any other name is what the database has under it. */
static bool choose(const struct options *options, struct subject *subject, struct ladder *ladder,
                   struct store_filter *filter, struct error *error)
{
    struct error absent = {0};
    if (options->subject && subject_template(subject, options->subject, &absent)) {
        filter->template_name = subject->template->name;
        filter->template_hash = subject->template->hash;
        if (!objective_choose(subject->template, NULL, &subject->objective, error))
            return false;
        filter->objective = subject->objective.name;
    } else if (options->subject && !options->ladder && !options->size_count &&
               !path_is_meant(options->subject, ".template")) {
        filter->template_name = options->subject;
    } else if (options->subject) {
        *error = absent;
        return false;
    } else if (options->ladder || options->size_count) {
        return error_set(error, ERROR_INPUT, "--ladder and --size need a template");
    }
    return row_filter_rungs(options, subject, ladder, filter, error);
}

bool export_known(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    struct ladder ladder = {0};
    struct store *store = NULL;
    struct store_filter filter = {0};
    struct pairs pairs = {0};
    bool done = choose(options, &subject, &ladder, &filter, error) &&
                row_filter_device(options, false, &subject, &filter, error) &&
                (!subject.template || row_filter_size(options, false, &subject, &filter, error)) &&
                knowledge_open_for(subject.template, options->database, &store, error) &&
                store_best(store, &filter, add_pair, &pairs, error) &&
                (!pairs.failed || error_out_of_memory(error)) && write_all(options, store, &filter, &pairs, error);
    for (size_t i = 0; i < pairs.count; i++) {
        free(pairs.list[i].template);
        free(pairs.list[i].device);
    }
    free(pairs.list);
    store_close(store);
    subject_clear(&subject);
    return done;
}
