/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_template.h"

#include "tuner/formats/python_text.h"
#include "tuner/formats/t1_expressions.h"
#include "tuner/formats/t1_launch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* Uploads to symbols, and the launch; `names` as in with_values. */
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

/* Every compiler takes -D, -U and -I; other options are for the CUDA compiler alone. */
static void write_option(struct text_stream *stream, const char *option)
{
    bool everywhere = option[0] == '-' && strchr("DUI", option[1]) && option[1];
    fputs("option ", stream->out);
    t1_write_quoted(stream, option);
    fputs(everywhere ? "\n" : " if device.kind == \"cuda\"\n", stream->out);
}

static void write_declarations(const struct t1 *t1, struct text_stream *stream, const struct t1_import *import)
{
    FILE *out = stream->out;
    fprintf(out, "template %s ", t1->name);
    char title[256];
    snprintf(title, sizeof title, "%.100s, imported from T1", t1->kernel);
    t1_write_quoted(stream, title);
    fprintf(out, "\ndefault space %s\n\n", t1->name);
    for (size_t i = 0; i < t1->size_count; i++)
        fprintf(out, "size %s = %s\n", t1->sizes[i], t1->size_values[i]);
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

static void write_checks(const struct t1 *t1, FILE *out)
{
    fputs("\n# T1 has no error bound; this one is a guess. Put the kernel's own here: see sum_error(n).\n", out);
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        const char *guess = argument->element == ELEMENT_DOUBLE ? "1e-10" : "1e-4";
        if (!t1_is_output(argument))
            continue;
        if (element_types[argument->element].floating)
            fprintf(out, "check %s within %s\n", argument->name, argument->bound ? argument->bound : guess);
        else
            fprintf(out, "check %s exact\n", argument->name);
    }
}

/* The kernel in its default configuration, then a copy of each output in double precision. */
static bool write_reference_block(struct t1 *t1, const json_t *document, struct text_stream *stream,
                                  const struct value *fixed, const struct t1_import *import, struct error *error)
{
    FILE *out = stream->out;
    struct t1_launch launch;
    struct python_names names;
    if (!t1_names(t1, fixed, &names, error) || !t1_read_launch(document, t1, fixed, &launch, error))
        return false;
    names.size_count = 0; /* already by name */
    fputs(
        "\n# T1 has no reference. This is the kernel in its default configuration: it shows that all configurations\n"
        "# agree, not that they are right. Replace it by an independent one in double precision.\n"
        "reference ",
        out);
    t1_write_quoted(stream, import->reference_file);
    fputs(" {\n", out);
    if (!write_launch(t1, out, &launch, &names, error))
        return false;
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        if (t1_is_output(argument))
            fprintf(out, "    tune_widen_%s<<<ceil_div(%s, 256), 256>>>(%s, ref(%s), long(%s))\n",
                    element_types[argument->element].name, argument->size, argument->name, argument->name,
                    argument->size);
    }
    fputs("}\n", out);
    return true;
}

static void write_head(const struct t1 *t1, FILE *out, const struct t1_import *import)
{
    fputs("# Imported from the T1 file ", out);
    write_comment(out, t1->path);
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
    bool done = write_launch(t1, stream.out, &launch, NULL, error);
    fputs("}\n", stream.out);
    if (done && t1_has_outputs(t1)) {
        done = write_reference_block(t1, document, &stream, fixed, import, error);
        write_checks(t1, stream.out);
    }
    if (!done) {
        text_stream_discard(&stream);
        return false;
    }
    return t1_keep_text(&stream, &import->template, error);
}
