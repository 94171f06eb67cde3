/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_reference.h"

#include "tuner/formats/t1_expressions.h"
#include "tuner/formats/t1_template.h"

#include <string.h>

/* Is it an output whose expected values a kernel must compute, as there is no file of them? */
static bool is_computed(const struct t1_argument *argument)
{
    return t1_is_output(argument) && !argument->answer.file;
}

static bool runs_kernel(const struct t1 *t1)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (is_computed(&t1->arguments[i]))
            return true;
    }
    return false;
}

/* What writes the expected values of an output. */
enum widening {
    WIDEN,  /* the values alone: the tolerance is known */
    AROUND, /* what a kernel has computed: values that cancel to almost 0 have the errors of those around them */
    WIDENINGS,
};

static enum widening widening_of(const struct t1_argument *argument)
{
    bool guessed = element_types[argument->element].floating && !t1_has_tolerance(argument);
    return guessed ? AROUND : WIDEN;
}

static const char *const widening_names[] = {[WIDEN] = "widen", [AROUND] = "around"};

/* How many numbers a buffer has. */
static const char *numbers_of(struct t1 *t1, const struct t1_argument *argument, struct error *error)
{
    if (argument->width == 1)
        return argument->size;
    return t1_format(t1, error, t1_is_plain_name(argument->size) ? "%u * %s" : "%u * (%s)", argument->width,
                     argument->size);
}

static bool write_widening(struct t1 *t1, FILE *out, const struct t1_argument *argument, struct error *error)
{
    enum widening widening = widening_of(argument);
    const char *size = numbers_of(t1, argument, error);
    if (!size)
        return false;
    fprintf(out, "    tune_%s_%s<<<ceil_div(%s, 256), 256>>>(%s, ref(%s), ", widening_names[widening],
            element_types[argument->element].name, size, argument->name, argument->name);
    if (widening != WIDEN)
        fprintf(out, "mag(%s), ", argument->name);
    fprintf(out, "long(%s))\n", size);
    return true;
}

static void explain(const struct t1 *t1, FILE *out)
{
    if (t1->reference.name)
        fprintf(out, "\n# The kernel %s computes the expected values.\n", t1->reference.name);
    else
        fputs("\n# There is no reference. This is the kernel in its default configuration: it shows that all "
              "configurations\n# agree, not that they are right. Replace it by an independent one in double "
              "precision.\n",
              out);
}

/* The launch of the kernel that computes expected values. */
static bool write_run(struct t1 *t1, const json_t *document, FILE *out, const struct value *fixed,
                      struct error *error)
{
    struct t1_launch launch;
    struct python_names names;
    const char *kernel = t1->kernel;
    if (!t1_names(t1, fixed, &names, error) || !t1_read_launch(document, t1, fixed, &launch, error))
        return false;
    names.size_count = 0; /* already by name */
    if (t1->reference.name) {
        t1->kernel = t1->reference.name;
        memcpy(launch.grid, t1->reference.grid, sizeof launch.grid);
        memcpy(launch.block, t1->reference.block, sizeof launch.block);
    }
    bool done = t1_write_launch(t1, out, &launch, &names, error);
    t1->kernel = kernel;
    return done;
}

static bool write_block(struct t1 *t1, const json_t *document, struct text_stream *stream, const struct value *fixed,
                        const struct t1_import *import, struct error *error)
{
    fputs("reference ", stream->out);
    t1_write_quoted(stream, import->reference_file);
    fputs(" {\n", stream->out);
    bool done = write_run(t1, document, stream->out, fixed, error);
    for (size_t i = 0; done && i < t1->argument_count; i++)
        done = !is_computed(&t1->arguments[i]) || write_widening(t1, stream->out, &t1->arguments[i], error);
    fputs("}\n", stream->out);
    return done;
}

static void write_files(const struct t1 *t1, FILE *out)
{
    const char *before = "\n# Expected values that are data hold for the sizes above.\nreference ";
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        if (!t1_is_output(argument) || !argument->answer.file)
            continue;
        fprintf(out, "%s%s file(\"%s\")", before, argument->name, argument->answer.file);
        before = ", ";
    }
    fputs(before[0] == ',' ? "\n" : "", out);
}

bool t1_write_reference_block(struct t1 *t1, const json_t *document, struct text_stream *stream,
                              const struct value *fixed, const struct t1_import *import, struct error *error)
{
    write_files(t1, stream->out);
    if (!runs_kernel(t1))
        return true;
    explain(t1, stream->out);
    return write_block(t1, document, stream, fixed, import, error);
}

/* ---- the source ---- */

/* A value as a macro of the kernel: see GRAMMAR.md, "The kernel". */
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

static void write_kernel(const struct t1 *t1, FILE *out, const struct value *fixed, const struct t1_import *import)
{
    if (t1->reference.name) {
        fprintf(out, "// %s, which computes the expected values.\n%s", t1->reference.name, t1->reference.defines);
    } else {
        fputs("// The kernel in its default configuration, with which all others are compared.\n", out);
        for (size_t i = 0; i < t1->parameter_count; i++)
            write_define(out, t1->parameters[i].name, fixed[i]);
    }
    fprintf(out, "#include \"%s\"\n", import->source_file);
}

static void write_kernels(FILE *out, enum element element, enum widening widening)
{
    const struct element_type *type = &element_types[element];
    const char *cast = element == ELEMENT_HALF ? "(double)(float)" : "(double)";
    fputs(element == ELEMENT_HALF ? "\n#include <cuda_fp16.h>\n" : "", out);
    fprintf(out, "\n__global__ void tune_%s_%s(const %s *values, double *expected, %slong long count)\n",
            widening_names[widening], type->name, type->c_name, widening == AROUND ? "double *magnitude, " : "");
    fputs("{\n    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < count)", out);
    fprintf(out, "%s\n        expected[i] = %svalues[i];\n", widening == WIDEN ? "" : " {", cast);
    if (widening == AROUND)
        fprintf(out,
                "        double sum = 0;\n"
                "        for (long long k = i < 32 ? 0 : i - 32; k <= i + 32 && k < count; k++) {\n"
                "            double size = fabs(%svalues[k]);\n"
                "            sum += size < 1e300 ? size : 0;\n"
                "        }\n"
                "        magnitude[i] = fabs(expected[i]) + sum / 65;\n",
                cast);
    fputs(widening == WIDEN ? "}\n" : "    }\n}\n", out);
}

bool t1_write_reference(const struct t1 *t1, const struct value *fixed, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    bool written[ELEMENT_COUNT][WIDENINGS] = {{false}};
    if (!runs_kernel(t1))
        return true;
    if (!text_stream_open(&stream, error))
        return false;
    import->compares_itself = !t1->reference.name;
    write_kernel(t1, stream.out, fixed, import);
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        bool *done = &written[argument->element][widening_of(argument)];
        if (!is_computed(argument) || *done)
            continue;
        *done = true;
        write_kernels(stream.out, argument->element, widening_of(argument));
    }
    return t1_keep_text(&stream, &import->reference, error);
}
