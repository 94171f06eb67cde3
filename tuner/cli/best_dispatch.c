/* SPDX-License-Identifier: Apache-2.0 */
/* tune best TEMPLATE --c FILE: what a sweep over many sizes found, as C. */
#include "tuner/cli/best.h"
#include "tuner/cli/dispatch_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/error/output_file.h"
#include "tuner/select/by_tree.h"

#include <stdlib.h>
#include <string.h>

/* The dispatch that selection asks first, read, and where it is from. */
struct found {
    struct dispatch *dispatch; /* NULL: there is none */
    char *comment;
    struct error *error;
    bool failed;
};

/* Whose it is, unless one's own. */
static const char *source_of(const struct store_dispatch_row *row, enum selection_layer layer)
{
    static const char *const sources[LAYERS] = {", imported", ", site ", ", shipped with tune"};
    return layer == LAYER_DATABASE && strcmp(row->origin, "measured") == 0 ? "" : sources[layer];
}

static bool take(const struct store_dispatch_row *row, enum selection_layer layer, const char *place, void *context)
{
    struct found *found = context;
    if (asprintf(&found->comment, "%s on %s: tune %.10s, %s, kernel %s%s%s.", row->template_name, row->device_name,
                 row->made_at, row->compiler, row->template_hash, source_of(row, layer), place) < 0) {
        found->comment = NULL;
        found->failed = !error_out_of_memory(found->error);
    } else {
        found->failed = !dispatch_parse(row->document, "the stored dispatch", &found->dispatch, found->error);
    }
    return false;
}

/* --device as a sweep takes it, or the name of a device in the database. */
static bool choose_device(const struct options *options, struct subject *subject, const char **name,
                          struct error *error)
{
    const char *device = options->device;
    bool at_hand = !device || device_driver_find(device) || strchr(device, ':') || strstr(device, ".json");
    *name = at_hand ? subject->device.description.name : device;
    return !at_hand || device_choose(device, true, &subject->device, error);
}

/* The sizes that the template defines as macros: "N, R". Allocated; NULL: out of memory. */
static char *list_macros(const struct template *template)
{
    char *list = strdup("");
    for (size_t i = 0; list && i < template->size_count; i++) {
        char *longer = NULL;
        if (!template->sizes[i].defined)
            continue;
        if (asprintf(&longer, "%s%s%s", list, *list ? ", " : "", template->sizes[i].name) < 0)
            longer = NULL;
        free(list);
        list = longer;
    }
    return list;
}

static bool write_header(const struct found *found, const struct subject *subject, const char *path,
                         struct error *error)
{
    struct output_file file;
    char *macros = list_macros(subject->template);
    if (!macros)
        return error_out_of_memory(error);
    bool done = output_file_open(&file, path, error);
    if (done)
        done = output_file_close(
            &file,
            dispatch_header(found->dispatch, subject->template->name, found->comment, macros, file.stream, error),
            error);
    free(macros);
    return done;
}

static bool refuse(const struct options *options, const struct subject *subject, const char *device,
                   struct error *error)
{
    error_set(error, ERROR_INPUT, "no sweep for many sizes of %s on %s is known", subject->template->name, device);
    return error_hint(error, "'tune %s --sizes FILE%s%s' makes one", options->subject,
                      options->objective ? " --objective " : "", options->objective ? options->objective : "");
}

bool best_dispatch(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    struct store *store = NULL;
    struct site site = {0};
    struct found found = {.error = error};
    const char *device = NULL;
    bool done = subject_template(&subject, options->subject, error) &&
                objective_choose(subject.template, options->objective, &subject.objective, error) &&
                choose_device(options, &subject, &device, error) &&
                knowledge_open_for(subject.template, options->database, &store, error) &&
                site_open(getenv("TUNE_SITE"), &site, error);
    if (done) {
        const struct store_filter filter = {.template_name = subject.template->name,
                                            .template_hash = subject.template->hash,
                                            .device_name = device,
                                            .objective = subject.objective.name};
        done = selection_trees(store, &site, &filter, take, &found, error) && !found.failed &&
               (found.dispatch || refuse(options, &subject, device, error)) &&
               write_header(&found, &subject, options->dispatch, error);
    }
    free(found.comment);
    dispatch_free(found.dispatch);
    site_close(&site);
    store_close(store);
    subject_clear(&subject);
    return done;
}
