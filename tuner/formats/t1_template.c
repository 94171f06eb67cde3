/* SPDX-License-Identifier: Apache-2.0 */
/* From the parts of a T1 file to the texts of a template, its space and its reference. */
#include "tuner/formats/t1.h"
#include "tuner/formats/t1_parts.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void t1_import_clear(struct t1_import *import)
{
    char *texts[] = {import->name,           import->template,    import->space,
                     import->reference,      import->source,      import->source_file,
                     import->reference_file, import->kernel_file, import->notes};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *import = (struct t1_import){0};
}

/* Is there a member of this name, at any depth? A text of the same words is none: no colon follows it. */
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

/* A text that is written with stdio. */
struct writing {
    FILE *out;
    char *text;
    size_t length;
};

static bool writing_start(struct writing *writing, struct error *error)
{
    *writing = (struct writing){0};
    writing->out = open_memstream(&writing->text, &writing->length);
    return writing->out || error_out_of_memory(error);
}

/* The text in place of `*text`, which is freed. */
static bool writing_end(struct writing *writing, char **text, struct error *error)
{
    bool done = fclose(writing->out) == 0;
    free(*text);
    *text = writing->text;
    return done || error_out_of_memory(error);
}

static void write_quoted(FILE *out, const char *text)
{
    size_t length = value_text(value_string(text), NULL, 0);
    char *quoted = malloc(length + 1);
    if (!quoted)
        return;
    value_text(value_string(text), quoted, length + 1);
    fputs(quoted, out);
    free(quoted);
}

/* On one line of a comment. */
static void write_comment(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? ' ' : *c, out);
}

/* ---- the launch ---- */

static void write_shape(FILE *out, const char *const extents[T1_DIMENSIONS])
{
    size_t count = T1_DIMENSIONS;
    while (count > 1 && strcmp(extents[count - 1], "1") == 0)
        count--;
    if (count > 1)
        fputc('(', out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? ", " : "", extents[i]);
    if (count > 1)
        fputc(')', out);
}

/* A text in which values stand for the parameters, if there are any. */
static const char *with_values(struct t1 *t1, const char *text, const struct python_names *names, struct error *error)
{
    return names ? python_text(&t1->arena, text, names, "an argument", error) : text;
}

static bool write_arguments(struct t1 *t1, FILE *out, const struct python_names *names, struct error *error)
{
    const char *comma = "";
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        if (argument->memory == T1_LOCAL || argument->memory == T1_SYMBOL)
            continue;
        const char *value = argument->memory == T1_SCALAR ? with_values(t1, argument->value, names, error) : "";
        if (!value)
            return false;
        if (argument->memory == T1_SCALAR)
            fprintf(out, "%s%s(%s)", comma, element_types[argument->element].name, value);
        else
            fprintf(out, "%s%s", comma, argument->name);
        comma = ", ";
    }
    return true;
}

/* Dynamic shared memory in bytes; "0" for none. */
static const char *shared_bytes(struct t1 *t1, const struct python_names *names, struct error *error)
{
    const char *bytes = t1->shared;
    bool is_sum = false;
    for (size_t i = 0; bytes && i < t1->argument_count; i++) {
        const char *size = t1->arguments[i].size; /* a product */
        if (t1->arguments[i].memory != T1_LOCAL)
            continue;
        if (strcmp(bytes, "0") == 0)
            bytes = size;
        else
            bytes = t1_format(t1, error, is_sum ? "%s + %s" : "(%s) + %s", bytes, size);
        is_sum = true;
    }
    return bytes ? with_values(t1, bytes, names, error) : NULL;
}

/* The uploads and the launch; `names` as for with_values. */
static bool write_launch(struct t1 *t1, FILE *out, const struct t1_launch *launch, const struct python_names *names,
                         struct error *error)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (t1->arguments[i].symbol)
            fprintf(out, "    copy %s <- %s\n", t1->arguments[i].symbol, t1->arguments[i].name);
    }
    const char *shared = shared_bytes(t1, names, error);
    if (!shared)
        return false;
    fprintf(out, "    %s<<<", t1->kernel);
    write_shape(out, launch->grid);
    fputs(", ", out);
    write_shape(out, launch->block);
    if (strcmp(shared, "0") != 0)
        fprintf(out, ", %s", shared);
    fputs(">>>(", out);
    if (!write_arguments(t1, out, names, error))
        return false;
    fputs(")\n", out);
    return true;
}

/* ---- the template ---- */

static bool is_output(const struct t1_argument *argument)
{
    return argument->name && argument->access != T1_READ;
}

static bool has_outputs(const struct t1 *t1)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (is_output(&t1->arguments[i]))
            return true;
    }
    return false;
}

static void write_buffer(FILE *out, const struct t1_argument *argument)
{
    static const char *const roles[] = {[T1_READ] = "in", [T1_WRITE] = "out", [T1_READ_WRITE] = "inout"};
    fprintf(out, "buffer %s : %s[%s] %s", argument->name, element_types[argument->element].name, argument->size,
            roles[argument->access]);
    if (argument->access == T1_WRITE)
        fputc('\n', out);
    else if (argument->fill == T1_CONSTANT)
        fprintf(out, " constant(%s)\n", argument->value);
    else if (argument->fill == T1_INDEX)
        fputs(" index()\n", out);
    else
        fprintf(out, element_types[argument->element].floating ? " uniform(0, %.17g)\n" : " uniform(0, %.0f)\n",
                argument->high);
}

/* Options of definitions and folders mean the same everywhere; others are the CUDA compiler's own. */
static void write_option(FILE *out, const char *option)
{
    bool everywhere = option[0] == '-' && strchr("DUI", option[1]) && option[1];
    fputs("option ", out);
    write_quoted(out, option);
    fputs(everywhere ? "\n" : " if device.kind == \"cuda\"\n", out);
}

static void write_declarations(const struct t1 *t1, FILE *out, const struct t1_import *import)
{
    fprintf(out, "template %s ", t1->name);
    char title[256];
    snprintf(title, sizeof title, "%.100s, imported from T1", t1->kernel);
    write_quoted(out, title);
    fprintf(out, "\ndefault space %s\n\n", t1->name);
    for (size_t i = 0; i < t1->size_count; i++)
        fprintf(out, "size %s = %s\n", t1->sizes[i], t1->size_values[i]);
    fputs(t1->size_count ? "\n" : "", out);
    for (size_t i = 0; i < t1->parameter_count; i++)
        fprintf(out, "parameter %s\n", t1->parameters[i].name);
    fputs("\nsource ", out);
    write_quoted(out, import->source_file);
    fputc('\n', out);
    for (size_t i = 0; i < t1->option_count; i++)
        write_option(out, t1->options[i]);
    fputs("\n", out);
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (t1->arguments[i].name)
            write_buffer(out, &t1->arguments[i]);
    }
}

static void write_checks(const struct t1 *t1, FILE *out)
{
    fputs("\n# T1 gives no error bound: this one is a guess. Say what the kernel's sums allow: see sum_error(n).\n",
          out);
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        const char *guess = argument->element == ELEMENT_DOUBLE ? "1e-10" : "1e-4";
        if (!is_output(argument))
            continue;
        if (element_types[argument->element].floating)
            fprintf(out, "check %s within %s\n", argument->name, argument->bound ? argument->bound : guess);
        else
            fprintf(out, "check %s exact\n", argument->name);
    }
}

/* The kernel by default, then a copy of each output in double precision. */
static bool write_reference_block(struct t1 *t1, const json_t *document, FILE *out, const struct value *fixed,
                                  const struct t1_import *import, struct error *error)
{
    struct t1_launch launch;
    struct python_parameter *parameters = arena_allocate(&t1->arena, t1->parameter_count * sizeof *parameters);
    if (!parameters)
        return error_out_of_memory(error);
    for (size_t i = 0; i < t1->parameter_count; i++)
        parameters[i] = (struct python_parameter){t1->parameters[i].name, NULL, 0, fixed[i]};
    struct python_names names = {.parameters = parameters, .parameter_count = t1->parameter_count};
    if (!t1_read_launch(document, t1, fixed, &launch, error))
        return false;
    fputs("\n# The kernel with its default configuration, for T1 has no reference: it shows that all configurations "
          "agree,\n# not that they are right. Put an independent one in its place, in double precision.\n"
          "reference ",
          out);
    write_quoted(out, import->reference_file);
    fputs(" {\n", out);
    if (!write_launch(t1, out, &launch, &names, error))
        return false;
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        if (is_output(argument))
            fprintf(out, "    tune_widen_%s<<<ceil_div(%s, 256), 256>>>(%s, ref(%s), long(%s))\n",
                    element_types[argument->element].name, argument->size, argument->name, argument->name,
                    argument->size);
    }
    fputs("}\n", out);
    return true;
}

static bool write_template(struct t1 *t1, const json_t *document, const struct value *fixed, struct t1_import *import,
                           struct error *error)
{
    struct writing writing;
    struct t1_launch launch;
    if (!t1_read_launch(document, t1, NULL, &launch, error) || !writing_start(&writing, error))
        return false;
    FILE *out = writing.out;
    fputs("# Imported from the T1 file ", out);
    write_comment(out, t1->path);
    fputs(", whose kernel is in ", out);
    write_comment(out, t1->kernel_file);
    fputs("\n", out);
    for (const char *note = import->notes; *note; note += strcspn(note, "\n") + 1) {
        fputs("# Note: ", out);
        fwrite(note, 1, strcspn(note, "\n"), out);
        fputc('\n', out);
    }
    fputc('\n', out);
    write_declarations(t1, out, import);
    fputs("\nlaunch {\n", out);
    bool done = write_launch(t1, out, &launch, NULL, error);
    fputs("}\n", out);
    if (done && has_outputs(t1)) {
        done = write_reference_block(t1, document, out, fixed, import, error);
        write_checks(t1, out);
    }
    return writing_end(&writing, &import->template, error) && done;
}

/* ---- the other files ---- */

static bool write_space(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct writing writing;
    if (!writing_start(&writing, error))
        return false;
    FILE *out = writing.out;
    fprintf(out, "space %s of %s \"as T1 declares it\"\n\n", t1->name, t1->name);
    for (size_t i = 0; i < t1->parameter_count; i++)
        fprintf(out, "param %s = %s\n", t1->parameters[i].name, t1->parameters[i].values_text);
    fputc('\n', out);
    for (size_t i = 0; i < t1->condition_count; i++)
        fprintf(out, "where %s\n", t1->conditions[i]);
    fputs(t1->condition_count ? "\n" : "", out);
    const char *word = "default ";
    for (size_t i = 0; i < t1->parameter_count; i++) {
        const struct t1_parameter *parameter = &t1->parameters[i];
        if (!parameter->default_text)
            continue;
        fprintf(out, "%s%s = %s", word, parameter->name, parameter->default_text);
        word = ", ";
    }
    fputc('\n', out);
    return writing_end(&writing, &import->space, error);
}

/* A value as the kernel's macro has it: see GRAMMAR.md, "The kernel". */
static void write_define(FILE *out, const char *name, struct value value)
{
    char text[256];
    value_text(value, text, sizeof text);
    if (value.kind == VALUE_STRING)
        fprintf(out, "#define %s %s\n#define %s_%s 1\n", name, value.string, name, value.string);
    else
        fprintf(out, *text == '-' ? "#define %s (%s)\n" : "#define %s %s\n", name,
                value.kind == VALUE_BOOLEAN ? (value.boolean ? "1" : "0") : text);
}

static bool write_reference_file(const struct t1 *t1, const struct value *fixed, struct t1_import *import,
                                 struct error *error)
{
    struct writing writing;
    bool written[ELEMENT_COUNT] = {false};
    if (!has_outputs(t1))
        return true;
    if (!writing_start(&writing, error))
        return false;
    FILE *out = writing.out;
    fputs("// The kernel as it is by default, which the other configurations are compared with.\n", out);
    for (size_t i = 0; i < t1->parameter_count; i++)
        write_define(out, t1->parameters[i].name, fixed[i]);
    fprintf(out, "#include \"%s\"\n", import->source_file);
    for (size_t i = 0; i < t1->argument_count; i++) {
        enum element element = t1->arguments[i].element;
        if (!is_output(&t1->arguments[i]) || written[element])
            continue;
        written[element] = true;
        fprintf(out,
                "\n__global__ void tune_widen_%s(const %s *values, double *expected, long long count)\n{\n"
                "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    if (i < count)\n"
                "        expected[i] = (double)values[i];\n}\n",
                element_types[element].name, element_types[element].c_name);
    }
    return writing_end(&writing, &import->reference, error);
}

/* The name of the kernel's file without folders; what follows .cu, such as .hip, goes. */
static bool name_files(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    const char *slash = strrchr(t1->kernel_file, '/');
    const char *base = slash ? slash + 1 : t1->kernel_file;
    const char *cuda = strstr(base, ".cu");
    size_t stem = cuda && cuda != base ? (size_t)(cuda - base) : strcspn(base, ".");
    if (stem == 0 || stem > 100)
        stem = 0;
    if (asprintf(&import->source_file, "%.*s.cu", stem ? (int)stem : 6, stem ? base : "kernel") < 0)
        import->source_file = NULL;
    for (char *c = import->source_file; c && *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            *c = '_';
    }
    bool taken = import->source_file && strcmp(import->source_file, "reference.cu") == 0;
    import->reference_file = strdup(taken ? "by_default.cu" : "reference.cu");
    import->kernel_file = strdup(t1->kernel_file);
    import->foreign = t1->foreign;
    import->name = strdup(t1->name);
    return (import->source_file && import->reference_file && import->kernel_file && import->name) ||
           error_out_of_memory(error);
}

static bool write_placeholder(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct writing writing;
    if (!writing_start(&writing, error))
        return false;
    fprintf(writing.out, "#error \"put the kernel here%s: ", t1->foreign ? ", in CUDA" : "");
    for (const char *c = t1->kernel_file; *c; c++)
        fputc(iscntrl((unsigned char)*c) || strchr("\"\\", *c) ? '_' : *c, writing.out);
    fprintf(writing.out, " has %s\"\n", t1->kernel);
    return writing_end(&writing, &import->source, error);
}

/* ---- the default configuration ---- */

/* By the file's defaults where the space has such a configuration, else the first that is valid. */
static bool choose_values(struct t1 *t1, const struct problem *problem, struct value *fixed, struct error *error)
{
    size_t index, slot;
    bool named;
    const struct space *space = problem_space(problem);
    if (problem_configuration_count(problem) == 0)
        return problem_explain_empty(problem, error);
    struct value *slots = calloc(scope_count(space->scope) + 1, sizeof *slots);
    if (!slots)
        return error_out_of_memory(error);
    bool done = (problem_default(problem, &index, &named) ||
                 error_set(error, ERROR_INPUT, "%s: no configuration is valid", t1->path)) &&
                problem_slots(problem, index, false, slots, error);
    for (size_t i = 0; done && i < t1->parameter_count; i++) {
        done = scope_find(space->scope, t1->parameters[i].name, &slot);
        if (!done)
            break;
        fixed[i] = slots[slot];
        if (fixed[i].kind == VALUE_STRING) /* the space's, which will be freed */
            fixed[i].string = t1_format(t1, error, "%s", fixed[i].string);
        done = fixed[i].kind != VALUE_STRING || fixed[i].string;
    }
    free(slots);
    return done;
}

/* Read the texts as `tune` will, and find the configuration that the reference is to have. */
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

static bool write_texts(struct t1 *t1, const json_t *document, struct t1_import *import, struct error *error)
{
    struct value *fixed = arena_allocate(&t1->arena, t1->parameter_count * sizeof *fixed);
    if (!fixed)
        return error_out_of_memory(error);
    for (size_t i = 0; i < t1->parameter_count; i++) {
        if (t1->parameters[i].count == 0)
            return error_set(error, ERROR_INPUT, "%s: the parameter %s has no values", t1->path,
                             t1->parameters[i].name);
        fixed[i] = t1->parameters[i].values[0]; /* until it is known which configurations are valid */
    }
    if (fclose(t1->notes) != 0)
        return error_out_of_memory(error);
    t1->notes = NULL;
    import->notes = t1->notes_text;
    t1->notes_text = NULL;
    return name_files(t1, import, error) && write_space(t1, import, error) &&
           write_template(t1, document, fixed, import, error) && check_texts(t1, import, fixed, error) &&
           write_template(t1, document, fixed, import, error) && check_texts(t1, import, NULL, error) &&
           write_reference_file(t1, fixed, import, error) && write_placeholder(t1, import, error);
}

bool t1_import(const char *path, const char *text, size_t length, struct t1_import *import, struct error *error)
{
    *import = (struct t1_import){0};
    json_error_t problem;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!document) {
        size_t at = problem.position > 0 && (size_t)problem.position <= length ? (size_t)problem.position : 0;
        struct place place = {path, text, at, 1};
        return error_at(error, ERROR_INPUT, place, "this is not JSON: %s", problem.text);
    }
    struct t1 t1;
    bool done = t1_read(document, path, &t1, error) && write_texts(&t1, document, import, error);
    t1_clear(&t1);
    json_decref(document);
    return done;
}
