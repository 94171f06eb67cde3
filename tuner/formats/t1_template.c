/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_template.h"

#include "tuner/formats/python_text.h"
#include "tuner/formats/t1_expressions.h"
#include "tuner/formats/t1_launch.h"
#include "tuner/formats/t1_reference.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { METRIC_NAME_MOST = 64 };

void t1_write_quoted(struct text_stream *stream, const char *text)
{
    size_t length = value_text(value_string(text), NULL, 0);
    char *quoted = malloc(length + 1);
    if (!quoted) {
        stream->failed = true;
        return;
    }
    value_text(value_string(text), quoted, length + 1);
    fputs(quoted, stream->out);
    free(quoted);
}

bool t1_keep_text(struct text_stream *stream, char **text, struct error *error)
{
    free(*text);
    *text = text_stream_close(stream, error);
    return *text;
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

/* The text with values in place of parameters, if `names` is given. */
static const char *with_values(struct t1 *t1, const char *text, const struct python_names *names, struct error *error)
{
    return names ? python_text(&t1->arena, text, names, "an argument", error) : text;
}

/* float(2), float4(2, 2, 2, 2): the file has one number for all components. */
static void write_value(FILE *out, const struct t1_argument *argument, const char *value)
{
    fprintf(out, "%s(%s", argument->type, value);
    for (unsigned i = 1; i < argument->width; i++)
        fprintf(out, ", %s", value);
    fputc(')', out);
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
        fputs(comma, out);
        if (argument->memory == T1_SCALAR)
            write_value(out, argument, value);
        else
            fputs(argument->name, out);
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

/* Uploads to symbols, and the launch; `names` as in with_values. */
bool t1_write_launch(struct t1 *t1, FILE *out, const struct t1_launch *launch, const struct python_names *names,
                     struct error *error)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (t1->arguments[i].symbol)
            fprintf(out, "    copy %s <- %s\n", t1->arguments[i].symbol, t1->arguments[i].name);
    }
    const char *shared = shared_bytes(t1, names, error);
    if (!shared)
        return false;
    const char *kernel = with_values(t1, t1->kernel, names, error);
    if (!kernel)
        return false;
    fprintf(out, "    %s<<<", kernel);
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

static void write_buffer(FILE *out, const struct t1_argument *argument)
{
    static const char *const roles[] = {[T1_READ] = "in", [T1_WRITE] = "out", [T1_READ_WRITE] = "inout"};
    const char *role = !argument->ignored ? roles[argument->access] : argument->overwritten ? "temp" : "scratch";
    bool empty = strcmp(role, "out") == 0 || strcmp(role, "temp") == 0;
    if (argument->hint) {
        fputs("# Note: ", out);
        write_comment(out, argument->hint);
        fputc('\n', out);
    }
    fprintf(out, "buffer %s : %s[%s] %s", argument->name, argument->type, argument->size, role);
    if (empty)
        fputc('\n', out);
    else if (argument->fill == T1_CONSTANT)
        fprintf(out, " constant(%s)\n", argument->value);
    else if (argument->fill == T1_INDEX)
        fputs(" index()\n", out);
    else if (argument->fill == T1_FILE)
        fprintf(out, " file(\"%s\")\n", argument->file);
    else
        fprintf(out,
                element_types[argument->element].floating ? " uniform(%.17g, %.17g)\n" : " uniform(%.0f, %.0f)\n",
                argument->low, argument->high);
}

/* Every compiler takes -D, -U and -I; other options are for the CUDA compiler alone. */
static void write_option(struct text_stream *stream, const char *option)
{
    bool everywhere = option[0] == '-' && strchr("DUI", option[1]) && option[1];
    fputs("option ", stream->out);
    t1_write_quoted(stream, option);
    fputs(everywhere ? "\n" : " if device.kind == \"cuda\"\n", stream->out);
}

static void write_macros(const struct t1 *t1, FILE *out)
{
    for (size_t i = 0; i < t1->macro_count; i++)
        fprintf(out, "size %s = %s\n", t1->macros[i].name, t1->sizes[t1->macros[i].size]);
    for (size_t i = 0; i < t1->macro_count; i++)
        fprintf(out, "%s%s", i ? ", " : "define ", t1->macros[i].name);
    fputs(t1->macro_count ? "\n" : "", out);
}

static void write_declarations(const struct t1 *t1, struct text_stream *stream, const struct t1_import *import)
{
    FILE *out = stream->out;
    fprintf(out, "template %s ", t1->name);
    char title[256];
    snprintf(title, sizeof title, "%.100s, imported", t1->kernel);
    t1_write_quoted(stream, title);
    fprintf(out, "\ndefault space %s\n\n", t1->name);
    for (size_t i = 0; i < t1->size_count; i++)
        fprintf(out, "size %s = %s\n", t1->sizes[i], t1->size_values[i]);
    write_macros(t1, out);
    fputs(t1->size_count ? "\n" : "", out);
    for (size_t i = 0; i < t1->parameter_count; i++)
        fprintf(out, "parameter %s\n", t1->parameters[i].name);
    fputs("\nsource ", out);
    t1_write_quoted(stream, import->source_file);
    fputc('\n', out);
    for (size_t i = 0; i < t1->option_count; i++)
        write_option(stream, t1->options[i]);
    fputs("\n", out);
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (t1->arguments[i].name)
            write_buffer(out, &t1->arguments[i]);
    }
}

static void write_tolerance(const struct t1_argument *argument, FILE *out)
{
    const struct t1_answer *answer = &argument->answer;
    if (!element_types[argument->element].floating)
        fputs(" exact", out);
    else if (!t1_has_tolerance(argument))
        fprintf(out, " within %s",
                argument->element == ELEMENT_DOUBLE ? "1e-10"
                : argument->element == ELEMENT_HALF ? "1e-2"
                                                    : "1e-4");
    else if (answer->relative > 0)
        fprintf(out, " within %.15g", answer->relative);
    if (t1_has_tolerance(argument) && answer->absolute > 0)
        fprintf(out, " absolute %.15g", answer->absolute);
}

static void write_checks(const struct t1 *t1, FILE *out)
{
    bool guessed = false;
    for (size_t i = 0; i < t1->argument_count; i++)
        guessed = guessed || (t1_is_output(&t1->arguments[i]) && !t1_has_tolerance(&t1->arguments[i]) &&
                              element_types[t1->arguments[i].element].floating);
    fputs(guessed ? "\n# The error bound is a guess. Put the kernel's own here: see sum_error(n).\n" : "\n", out);
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (!t1_is_output(&t1->arguments[i]))
            continue;
        fprintf(out, "check %s", t1->arguments[i].name);
        write_tolerance(&t1->arguments[i], out);
        fputc('\n', out);
    }
}

/* A file that no one has checked may hold anything; what is no expression is found when the text is parsed. */
static void write_metrics(const struct t1 *t1, struct text_stream *stream)
{
    const char *name, *before = "\n";
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)t1->metrics, name, value)
    {
        const char *text = json_string_value(value);
        if (!text || strpbrk(text, "\r\n#\"'{}") || !*name || strlen(name) > METRIC_NAME_MOST)
            continue;
        fprintf(stream->out, "%smetric ", before);
        t1_write_quoted(stream, name);
        fprintf(stream->out, " = %s\n", text);
        before = "";
    }
}

static void write_head(const struct t1 *t1, FILE *out, const struct t1_import *import)
{
    fputs("# Imported from ", out);
    write_comment(out, import->origin ? import->origin : t1->path);
    fputs("; the kernel's source is ", out);
    write_comment(out, t1->kernel_file);
    fputs("\n", out);
    for (const char *note = import->notes; *note; note += strcspn(note, "\n") + 1) {
        fputs("# Note: ", out);
        fwrite(note, 1, strcspn(note, "\n"), out);
        fputc('\n', out);
    }
    fputc('\n', out);
}

bool t1_write_template(struct t1 *t1, const json_t *document, const struct value *fixed, struct t1_import *import,
                       struct error *error)
{
    struct text_stream stream;
    struct t1_launch launch;
    if (!t1_read_launch(document, t1, NULL, &launch, error) || !text_stream_open(&stream, error))
        return false;
    write_head(t1, stream.out, import);
    write_declarations(t1, &stream, import);
    fputs("\nlaunch {\n", stream.out);
    bool done = t1_write_launch(t1, stream.out, &launch, NULL, error);
    fputs("}\n", stream.out);
    if (done && t1_has_outputs(t1)) {
        done = t1_write_reference_block(t1, document, &stream, fixed, import, error);
        write_checks(t1, stream.out);
    }
    write_metrics(t1, &stream);
    if (!done) {
        text_stream_discard(&stream);
        return false;
    }
    return t1_keep_text(&stream, &import->template, error);
}
