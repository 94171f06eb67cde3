/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_files.h"

#include "tuner/formats/t1_template.h"

#include <ctype.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

bool t1_write_space(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fprintf(out, "space %s of %s \"as declared in T1\"\n\n", t1->name, t1->name);
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
    return t1_keep_text(&stream, &import->space, error);
}

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

bool t1_write_reference(const struct t1 *t1, const struct value *fixed, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    bool written[ELEMENT_COUNT] = {false};
    if (!t1_has_outputs(t1))
        return true;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fputs("// The kernel in its default configuration, with which all others are compared.\n", out);
    for (size_t i = 0; i < t1->parameter_count; i++)
        write_define(out, t1->parameters[i].name, fixed[i]);
    fprintf(out, "#include \"%s\"\n", import->source_file);
    for (size_t i = 0; i < t1->argument_count; i++) {
        enum element element = t1->arguments[i].element;
        if (!t1_is_output(&t1->arguments[i]) || written[element])
            continue;
        written[element] = true;
        fprintf(out,
                "\n__global__ void tune_widen_%s(const %s *values, double *expected, long long count)\n{\n"
                "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    if (i < count)\n"
                "        expected[i] = (double)values[i];\n}\n",
                element_types[element].name, element_types[element].c_name);
    }
    return t1_keep_text(&stream, &import->reference, error);
}

/* An ending behind .cu, such as .hip, is dropped. */
bool t1_name_files(const struct t1 *t1, struct t1_import *import, struct error *error)
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

/* ---- the kernel's source */

enum { SOURCE_BYTES_MOST = 16 << 20 };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_source_name(const char *name)
{
    static const char *const endings[] = {".cu",  ".cuh", ".hip", ".cpp", ".cc", ".cxx",
                                          ".hpp", ".h",   ".c",   ".inl", ".cl", ".opencl"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length >= ending && strcmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

static bool stays_inside(const char *name)
{
    for (const char *part = name; *part; part += strspn(part, "/")) {
        size_t length = strcspn(part, "/");
        if (length == 0 || (length == 2 && memcmp(part, "..", 2) == 0))
            return false;
        part += length;
    }
    return true;
}

/* Does the path, with links followed, lead to a source below the folder? */
static bool check_place(const char *folder, const char *path, const char *kernel_file, struct error *error)
{
    char *real_folder = realpath(folder, NULL), *real = realpath(path, NULL);
    size_t length = real_folder ? strlen(real_folder) : 0;
    bool root = length == 1;
    bool inside = real_folder && real && strncmp(real, real_folder, length) == 0 && (root || real[length] == '/');
    bool is_source = real && is_source_name(last_part(real));
    if (real && (!inside || !is_source)) {
        error_set(error, ERROR_INPUT, "KernelFile: %.200s leads to %.500s, which is no source beside the T1 file",
                  kernel_file, real);
        error_hint(error, "copy the kernel into the T1 file's folder");
    }
    free(real_folder);
    free(real);
    return inside && is_source;
}

static bool read_at(const char *folder, const char *name, struct input_file *source, struct error *error)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(error);
    struct stat status;
    bool done = true;
    if (stat(path, &status) == 0)
        done = check_place(folder, path, name, error);
    if (done) {
        input_file_read(path, SOURCE_BYTES_MOST, source);
        done = source->state == INPUT_READ || source->state == INPUT_ABSENT || input_file_error(source, path, error);
    }
    free(path);
    return done;
}

bool t1_read_kernel(const char *t1_path, const char *kernel_file, struct input_file *source, struct error *error)
{
    const char *const names[] = {kernel_file, last_part(kernel_file)};
    *source = (struct input_file){.state = INPUT_ABSENT};
    if (!is_source_name(names[1])) {
        error_set(error, ERROR_INPUT, "KernelFile: %.200s has not the name of a source", kernel_file);
        return error_hint(error, "sources end in .cu, .cuh, .hip, .cpp, .h and the like");
    }
    char *copy = strdup(t1_path);
    if (!copy)
        return error_out_of_memory(error);
    bool done = true;
    for (size_t i = 0; done && source->state == INPUT_ABSENT && i < 2; i++)
        done = !stays_inside(names[i]) || read_at(dirname(strcpy(copy, t1_path)), names[i], source, error);
    free(copy);
    return done;
}

bool t1_write_placeholder(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    fprintf(stream.out, "#error \"put the kernel here%s: ", t1->foreign ? ", in CUDA" : "");
    for (const char *c = t1->kernel_file; *c; c++)
        fputc(iscntrl((unsigned char)*c) || strchr("\"\\", *c) ? '_' : *c, stream.out);
    fprintf(stream.out, " has %s\"\n", t1->kernel);
    return t1_keep_text(&stream, &import->source, error);
}
