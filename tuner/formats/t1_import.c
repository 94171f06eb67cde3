/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_import.h"

#include "tuner/formats/t1_files.h"
#include "tuner/formats/t1_read.h"
#include "tuner/formats/t1_reference.h"
#include "tuner/formats/t1_template.h"
#include "tuner/json/json_text.h"
#include "tuner/space/explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void t1_import_clear(struct t1_import *import)
{
    char *texts[] = {import->name,   import->template,    import->space,          import->reference,
                     import->source, import->source_file, import->reference_file, import->kernel_file,
                     import->notes,  import->kernel,      import->origin};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < import->data_count; i++) {
        free(import->data[i].from);
        free(import->data[i].name);
    }
    free(import->data);
    kernel_files_clear(&import->headers);
    *import = (struct t1_import){0};
}

/* Is there a member of this name at any depth? A colon tells it from a string of the same words. */
static bool has_member(const char *text, size_t length, const char *quoted)
{
    const char *end = text + length;
    const char *at = memmem(text, length, quoted, strlen(quoted));
    while (at) {
        const char *behind = at + strlen(quoted);
        while (behind < end && isspace((unsigned char)*behind))
            behind++;
        if (behind < end && *behind == ':')
            return true;
        at = memmem(at + 1, (size_t)(end - at - 1), quoted, strlen(quoted));
    }
    return false;
}

bool t1_is(const char *text, size_t length)
{
    return has_member(text, length, "\"ConfigurationSpace\"") && !has_member(text, length, "\"results\"");
}

/* ---- the default configuration ---- */

/* The default configuration: the file's if it is valid, otherwise the first valid one. */
static bool choose_values(struct t1 *t1, const struct problem *problem, struct value *fixed, struct error *error)
{
    size_t index, slot;
    bool named;
    const struct space *space = problem_space(problem);
    if (!problem_default(problem, &index, &named))
        return explain_empty(problem, error);
    struct value *slots = calloc(scope_count(space->scope) + 1, sizeof *slots);
    if (!slots)
        return error_out_of_memory(error);
    bool done = problem_slots(problem, index, false, slots, error);
    for (size_t i = 0; done && i < t1->parameter_count; i++) {
        done = scope_find(space->scope, t1->parameters[i].name, &slot);
        if (!done)
            break;
        fixed[i] = slots[slot];
        if (fixed[i].kind == VALUE_STRING) /* a copy that outlives the space */
            fixed[i].string = t1_format(t1, error, "%s", fixed[i].string);
        done = fixed[i].kind != VALUE_STRING || fixed[i].string;
    }
    free(slots);
    return done;
}

/* Parse the texts as tune will. With `fixed`, also find the configuration of the reference. */
static bool check_texts(struct t1 *t1, const struct t1_import *import, struct value *fixed, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    struct device_description device = {.kind = "cuda"};
    const char *template_name = t1_format(t1, error, "the template of %s", t1->path);
    const char *space_name = t1_format(t1, error, "the space of %s", t1->path);
    bool done = template_name && space_name &&
                template_parse(template_name, ".", import->template, strlen(import->template), &template, error) &&
                space_parse(space_name, import->space, strlen(import->space), template, &space, error) &&
                (!fixed || (problem_create(template, space, &device, NULL, 0, &problem, error) &&
                            choose_values(t1, problem, fixed, error)));
    problem_free(problem);
    space_free(space);
    template_free(template);
    return done;
}

/* The first value of each parameter, until it is known which configurations are valid. */
static struct value *first_values(struct t1 *t1, struct error *error)
{
    struct value *fixed = arena_allocate(&t1->arena, t1->parameter_count * sizeof *fixed);
    if (!fixed)
        error_out_of_memory(error);
    for (size_t i = 0; fixed && i < t1->parameter_count; i++) {
        if (t1->parameters[i].count == 0) {
            error_set(error, ERROR_INPUT, "%s: parameter %s has no values", t1->path, t1->parameters[i].name);
            return NULL;
        }
        fixed[i] = t1->parameters[i].values[0];
    }
    return fixed;
}

/* The template is written twice: its reference needs the default configuration, which a first version yields. */
static bool write_texts(struct t1 *t1, const json_t *document, struct t1_import *import, struct error *error)
{
    struct value *fixed = first_values(t1, error);
    if (!fixed)
        return false;
    import->notes = text_stream_close(&t1->notes, error);
    return import->notes && t1_name_files(t1, import, error) && t1_write_space(t1, import, error) &&
           t1_write_template(t1, document, fixed, import, error) && check_texts(t1, import, fixed, error) &&
           t1_write_template(t1, document, fixed, import, error) && check_texts(t1, import, NULL, error) &&
           t1_write_reference(t1, fixed, import, error) && t1_write_placeholder(t1, import, error);
}

/* ---- files ---- */

static bool take_headers(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    return !t1->source.path || kernel_files_find(t1->source.path, t1->source.file.bytes, t1->source.file.length,
                                                 t1->options, t1->option_count, &import->headers, error);
}

static bool take_files(struct t1 *t1, struct t1_import *import, struct error *error)
{
    import->data = calloc(t1->copy_count + 1, sizeof *import->data);
    if (!import->data)
        return error_out_of_memory(error);
    for (size_t i = 0; i < t1->copy_count; i++) {
        struct t1_data *data = &import->data[import->data_count++];
        *data = (struct t1_data){strdup(t1->copies[i].from), strdup(t1->copies[i].name)};
        if (!data->from || !data->name)
            return error_out_of_memory(error);
    }
    import->kernel = t1->source.file.bytes;
    import->kernel_length = t1->source.file.length;
    t1->source.file.bytes = NULL;
    return true;
}

bool t1_import(const char *path, const char *text, size_t length, const struct t1_import_setting *setting,
               struct t1_import *import, struct error *error)
{
    *import = (struct t1_import){0};
    json_t *document;
    if (!json_parse(text, length, JSON_REJECT_DUPLICATES, path, "invalid JSON", &document, error))
        return false;
    struct t1 t1 = {0};
    import->origin = setting->origin ? strdup(setting->origin) : NULL;
    bool done =
        ((!setting->origin || import->origin) || error_out_of_memory(error)) &&
        t1_read(document, setting->origin ? setting->origin : path, setting->reads ? path : NULL, &t1, error) &&
        take_headers(&t1, import, error) && write_texts(&t1, document, import, error) &&
        take_files(&t1, import, error);
    t1_clear(&t1);
    json_decref(document);
    return done;
}
