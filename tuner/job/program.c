/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/program.h"

#include "tuner/error/text_stream.h"
#include "tuner/job/literal.h"
#include "tuner/source/file_option.h"
#include "tuner/source/word.h"

#include <stdlib.h>
#include <string.h>

bool program_name(char ***names, size_t *count, const char *name, size_t *index)
{
    for (*index = 0; *index < *count; ++*index) {
        if (strcmp((*names)[*index], name) == 0)
            return true;
    }
    char **longer = realloc(*names, (*count + 1) * sizeof *longer);
    if (!longer)
        return false;
    *names = longer;
    longer[*count] = strdup(name);
    if (!longer[*count])
        return false;
    ++*count;
    return true;
}

static bool write_string(const struct lowering *lowering, FILE *stream, const char *name, const char *string)
{
    if (!word_is_identifier(string)) {
        const struct place place = {.file = lowering->space ? lowering->space->path : NULL};
        error_at(lowering->error, ERROR_INPUT, place,
                 "parameter %s: \"%.100s\" cannot be passed to a kernel as a macro", name, string);
        return error_hint(lowering->error, "use letters, digits and underscores, so that kernels can test #if %s_...",
                          name);
    }
    fprintf(stream, "#define %s %s\n#define %s_%s 1\n", name, string, name, string);
    return true;
}

static bool write_define(const struct lowering *lowering, FILE *stream, const char *name, struct value value)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
    case VALUE_INTEGER:
    case VALUE_FLOAT:
        fprintf(stream, "#define %s ", name);
        literal_write(stream, value);
        fputc('\n', stream);
        return true;
    case VALUE_STRING:
        return write_string(lowering, stream, name, value.string);
    case VALUE_UNSET:
        break; /* the space neither sets nor varies it */
    }
    return true;
}

/* Sizes that the template defines and, if it is the configuration's source, its parameters. */
static bool write_defines(const struct lowering *lowering, bool parameters, char **defines)
{
    const struct template *template = lowering->template;
    struct text_stream stream;
    if (!text_stream_open(&stream, lowering->error))
        return false;
    bool done = true;
    for (size_t i = 0; i < template->size_count && done; i++) {
        const struct size_declaration *size = &template->sizes[i];
        done = !size->defined || write_define(lowering, stream.out, size->name, lowering->slots[size->slot]);
    }
    for (size_t i = 0; i < template->parameter_count && parameters && done; i++) {
        const struct parameter_declaration *parameter = &template->parameters[i];
        done = write_define(lowering, stream.out, parameter->name, lowering->slots[parameter->slot]);
    }
    if (done)
        *defines = text_stream_close(&stream, lowering->error);
    else
        text_stream_discard(&stream);
    return done && *defines;
}

char *program_defines(const struct template *template, struct value *slots, struct error *error)
{
    const struct lowering lowering = {.template = template, .slots = slots, .error = error};
    char *defines = NULL;
    return write_defines(&lowering, true, &defines) ? defines : NULL;
}

static bool choose_source(const struct lowering *lowering, const char **file)
{
    const struct template *template = lowering->template;
    for (size_t i = 0; i < template->source_count; i++) {
        bool chosen;
        if (!lowering_truth(lowering, template->sources[i].condition, true, &chosen))
            return false;
        *file = template->sources[i].file;
        if (chosen)
            return true;
    }
    if (template->source_count == 0)
        return error_set(lowering->error, ERROR_INPUT, "template %s has no source file", template->name);
    error_at(lowering->error, ERROR_INPUT, template->sources[template->source_count - 1].place,
             "template %s has no source file for this configuration", template->name);
    return error_hint(lowering->error, "none of its source conditions holds; leave the last source unconditional");
}

/* Folders and files that options name lie in the template's folder, wherever tune is run. */
static bool add_option(struct job_program *program, const char *text, const char *folder)
{
    size_t ignored;
    char *option = file_option_in(text, folder);
    bool added = option && program_name(&program->options, &program->option_count, option, &ignored);
    free(option);
    return added;
}

static bool choose_options(const struct lowering *lowering, struct job_program *program)
{
    const struct template *template = lowering->template;
    for (size_t i = 0; i < template->option_count; i++) {
        bool chosen;
        if (!lowering_truth(lowering, template->options[i].condition, true, &chosen))
            return false;
        if (chosen && !add_option(program, template->options[i].text, template->folder))
            return lowering_out_of_memory(lowering);
    }
    return true;
}

static bool set_path(const struct lowering *lowering, const char *file, struct job_program *program)
{
    const char *folder = lowering->template->folder;
    size_t size = strlen(folder) + strlen(file) + 2;
    program->folder = strdup(folder);
    program->path = malloc(size);
    if (!program->folder || !program->path)
        return lowering_out_of_memory(lowering);
    if (file[0] == '/' || folder[0] == '\0')
        snprintf(program->path, size, "%s", file);
    else
        snprintf(program->path, size, "%s/%s", folder, file);
    return true;
}

bool program_lower(const struct lowering *lowering, const char *file, struct job_program *program)
{
    bool own = !file;
    return (!own || choose_source(lowering, &file)) && set_path(lowering, file, program) &&
           write_defines(lowering, own, &program->defines) && (!own || choose_options(lowering, program));
}

bool program_lower_awkward(const struct lowering *lowering, const char *file, struct job_program *program)
{
    char *defines;
    if (!program->path)
        return true;
    if (!write_defines(lowering, !file, &defines))
        return false;
    if (strcmp(defines, program->defines) != 0)
        program->awkward_defines = defines;
    else
        free(defines);
    return true;
}
