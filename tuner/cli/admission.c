/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/admission.h"

#include "tuner/cli/home.h"

#include <stdlib.h>
#include <string.h>

struct admission {
    const struct subject *subject;
    const struct options *options;
    char *folder;
    struct names names;    /* of spaces, in the order in which they are asked */
    struct entry *entries; /* one a name */
};

struct entry {
    bool opened;
    struct space *space;
    struct problem *problem; /* NULL: it has an error */
};

/* The largest ones first: they are the likeliest to have it. */
static int rank(const char *name, const char *default_space)
{
    if (strcmp(name, "full") == 0)
        return 0;
    return default_space && strcmp(name, default_space) == 0 ? 1 : 2;
}

static void arrange(struct names *names, const char *default_space)
{
    for (size_t i = 1; i < names->count; i++) {
        char *name = names->list[i];
        size_t at = i;
        for (; at > 0 && rank(names->list[at - 1], default_space) > rank(name, default_space); at--)
            names->list[at] = names->list[at - 1];
        names->list[at] = name;
    }
}

bool admission_create(const struct subject *subject, const struct options *options, struct admission **result,
                      struct error *error)
{
    struct admission *admission = calloc(1, sizeof *admission);
    if (!admission)
        return error_out_of_memory(error);
    *admission = (struct admission){.subject = subject, .options = options};
    admission->folder = subject_space_folder(subject->template, error);
    bool done = admission->folder && names_list(admission->folder, ".space", &admission->names, error);
    if (done) {
        arrange(&admission->names, subject->template->default_space);
        admission->entries = calloc(admission->names.count + 1, sizeof *admission->entries);
        done = admission->entries || error_out_of_memory(error);
    }
    if (!done) {
        admission_free(admission);
        return false;
    }
    *result = admission;
    return true;
}

void admission_free(struct admission *admission)
{
    if (!admission)
        return;
    for (size_t i = 0; admission->entries && i < admission->names.count; i++) {
        problem_free(admission->entries[i].problem);
        space_free(admission->entries[i].space);
    }
    free(admission->entries);
    names_free(&admission->names);
    free(admission->folder);
    free(admission);
}

static bool open_entry(struct admission *admission, size_t index, struct error *error)
{
    struct entry *entry = &admission->entries[index];
    struct error own = {0};
    char *path;
    if (asprintf(&path, "%s/%s.space", admission->folder, admission->names.list[index]) < 0)
        return error_out_of_memory(error);
    bool read = space_read(path, admission->subject->template, &entry->space, &own);
    free(path);
    const struct problem_request request = {
        .template = admission->subject->template,
        .space = entry->space,
        .device = &admission->subject->device.description,
        .sizes = admission->options->sizes,
        .size_count = admission->options->size_count,
        .inputs = admission->subject->inputs,
    };
    if ((!read || !problem_make(&request, &entry->problem, &own)) && own.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    entry->opened = true;
    return true;
}

bool admission_fits(const char *configuration, bool *fits, void *context, struct error *error)
{
    struct admission *admission = context;
    size_t index;
    *fits = false;
    for (size_t i = 0; i < admission->names.count && !*fits; i++) {
        struct entry *entry = &admission->entries[i];
        if (!entry->opened && !open_entry(admission, i, error))
            return false;
        *fits = entry->problem && problem_configuration_find(entry->problem, configuration, &index);
    }
    return true;
}
