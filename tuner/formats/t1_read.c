/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_read.h"

#include "tuner/formats/t1_answers.h"
#include "tuner/formats/t1_arguments.h"
#include "tuner/formats/t1_beside.h"
#include "tuner/formats/t1_expressions.h"
#include "tuner/formats/t1_launch.h"
#include "tuner/formats/t1_macros.h"
#include "tuner/formats/t1_space.h"

#include <ctype.h>
#include <string.h>

static bool read_sizes(struct t1 *t1, const json_t *size, struct error *error)
{
    static const char *const wanted[T1_DIMENSIONS] = {"problem_size_x", "problem_size_y", "problem_size_z"};
    size_t count = json_is_array(size) ? json_array_size(size) : size && !json_is_null(size) ? 1 : 0;
    if (count > T1_DIMENSIONS)
        return error_set(error, ERROR_INPUT, "%s: ProblemSize has %zu extents; at most %d are supported", t1->path,
                         count, T1_DIMENSIONS);
    struct python_names none = {0};
    for (size_t i = 0; i < count; i++) {
        const char *text;
        const json_t *extent = json_is_array(size) ? json_array_get(size, i) : size;
        if (!t1_expression_text(t1, extent, json_is_array(size) ? "an extent of ProblemSize" : "ProblemSize", &text,
                                error))
            return false;
        const char *name = t1_free_name(t1, wanted[i], error);
        if (!name || !t1_expression(t1, text, &none, "ProblemSize", &t1->size_values[i], error))
            return false;
        t1->sizes[i] = name;
    }
    t1->size_count = count;
    return true;
}

/* Options that say for which device, or how its compiler works inside: tune gives its own. */
static bool is_of_nvcc(const char *option)
{
    static const char *const begin[] = {
        "-arch",   "--gpu-architecture", "-gencode", "--generate-code",  "-code", "--gpu-code", "-Xcompiler",
        "-Xptxas", "-Xlinker",           "-ccbin",   "--compiler-bindir"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        if (strncmp(option, begin[i], strlen(begin[i])) == 0)
            return true;
    }
    return option[0] == '-' && option[1] == 'O' && isdigit((unsigned char)option[2]);
}

static bool read_options(struct t1 *t1, const json_t *kernel, struct error *error)
{
    const json_t *options;
    if (!t1_optional_array(t1, kernel, "CompilerOptions", &options, error))
        return false;
    t1->options = arena_allocate(&t1->arena, (json_array_size(options) + 1) * sizeof *t1->options);
    if (!t1->options)
        return error_out_of_memory(error);
    for (size_t i = 0; i < json_array_size(options); i++) {
        const char *text = json_string_value(json_array_get(options, i));
        if (!text)
            return error_set(error, ERROR_INPUT, "%s: CompilerOptions[%zu] is not a string", t1->path, i);
        if (is_of_nvcc(text))
            fprintf(t1->notes.out, "option %s is left to tune\n", text);
        else if (*text && !(t1->options[t1->option_count++] = t1_format(t1, error, "%s", text)))
            return false;
    }
    return true;
}

static bool read_shared(struct t1 *t1, const json_t *kernel, struct error *error)
{
    struct python_names names;
    const json_t *shared = json_object_get(kernel, "SharedMemory");
    const char *bytes = "0";
    return (!shared || json_is_null(shared) || t1_expression_text(t1, shared, "SharedMemory", &bytes, error)) &&
           t1_names(t1, NULL, &names, error) && t1_expression(t1, bytes, &names, "SharedMemory", &t1->shared, error);
}

/* Without the macros that Kernel Tuner defines, a source may be another one. Only those that it mentions count. */
static bool add_macros(struct t1 *t1, struct error *error)
{
    static const char *const macros[][2] = {
        {"kernel_tuner", "1"},        {"grid_size_x", "gridDim.x"}, {"grid_size_y", "gridDim.y"},
        {"grid_size_z", "gridDim.z"}, {"block_size_x", "256"},      {"block_size_y", "1"},
        {"block_size_z", "1"},
    };
    enum { COUNT = sizeof macros / sizeof *macros };
    const char **options = arena_allocate(&t1->arena, (t1->option_count + COUNT) * sizeof *options);
    if (!options)
        return error_out_of_memory(error);
    if (t1->option_count)
        memcpy(options, t1->options, t1->option_count * sizeof *options);
    t1->options = options;
    for (size_t i = 0; i < COUNT; i++) {
        if (t1_has_parameter(t1, macros[i][0]) || !t1_source_mentions(&t1->source, macros[i][0]))
            continue;
        char *option = t1_format(t1, error, "-D%s=%s", macros[i][0], macros[i][1]);
        if (!option)
            return false;
        options[t1->option_count++] = option;
    }
    return true;
}

/* Are the first `length` bytes names between ::, as of a kernel in a namespace? */
static bool is_qualified(const char *name, size_t length)
{
    bool starts = true; /* a name is to begin */
    for (size_t i = 0; i < length; i++) {
        bool letter = isalpha((unsigned char)name[i]) || name[i] == '_';
        bool colons = !starts && name[i] == ':' && name[i + 1] == ':';
        if (!letter && !colons && (starts || !isdigit((unsigned char)name[i])))
            return false;
        starts = colons;
        i += colons;
    }
    return !starts;
}

/* The name of a launch, with its template arguments. */
static bool name_kernel(struct t1 *t1, const char *name, struct error *error)
{
    size_t base = strcspn(name, "<");
    bool whole = !name[base] || (name[strlen(name) - 1] == '>' && !strpbrk(name + base, "\r\n#\"'{};"));
    if (is_qualified(name, base) && whole)
        return (t1->kernel = t1_format(t1, error, "%s", name));
    t1->kernel = t1_identifier(t1, name, error);
    fprintf(t1->notes.out, "kernel %s is launched as %s: rename it in the source\n", name,
            t1->kernel ? t1->kernel : "");
    return t1->kernel;
}

/* The kernel's name and file; the language is known. */
static bool read_source(struct t1 *t1, const json_t *kernel, struct error *error)
{
    static const char where[] = "KernelSpecification";
    const char *name, *file;
    if (!t1_member_text(t1, kernel, "KernelName", where, &name, error) ||
        !t1_member_text(t1, kernel, "KernelFile", where, &file, error))
        return false;
    t1->kernel_file = t1_format(t1, error, "%s", file);
    if (!t1->kernel_file || !name_kernel(t1, name, error))
        return false;
    if (t1->foreign)
        fprintf(t1->notes.out, "the kernel is written in %s, which tune cannot compile: only the space is usable\n",
                t1->language);
    if (!t1->beside || t1->foreign)
        return true;
    return t1_beside_source(t1->beside, t1->kernel_file, &t1->source.path, &t1->source.file, error) &&
           t1_source_scan(&t1->source, name, error);
}

static bool read_kernel(struct t1 *t1, const json_t *kernel, struct error *error)
{
    if (!read_source(t1, kernel, error) || !read_options(t1, kernel, error) ||
        !read_sizes(t1, json_object_get(kernel, "ProblemSize"), error) || !t1_read_local(t1, kernel, error) ||
        !read_shared(t1, kernel, error))
        return false;
    if (!t1_read_macros(t1, error) || !add_macros(t1, error) || !t1_read_reference_kernel(t1, kernel, error))
        return false;
    bool done = t1_read_arguments(t1, kernel, error);
    if (done || !t1_may_ignore(t1, error))
        return done;
    t1->argument_count = 0;
    return true;
}

/* CUDA under the names that Kernel Tuner has for it, and HIP, whose kernels mostly compile as CUDA. */
static bool read_language(struct t1 *t1, const json_t *kernel, struct error *error)
{
    static const char *const known[] = {"CUDA", "CuPy", "NVCUDA", "HIP"};
    const char *language = json_string_value(json_object_get(kernel, "Language"));
    t1->language = t1_format(t1, error, "%s", language ? language : known[0]);
    t1->foreign = true;
    for (size_t i = 0; t1->language && i < sizeof known / sizeof *known; i++)
        t1->foreign = t1->foreign && strcasecmp(t1->language, known[i]) != 0;
    return t1->language;
}

static bool read_name(struct t1 *t1, const json_t *document, const json_t *kernel, struct error *error)
{
    const char *name = json_string_value(json_object_get(json_object_get(document, "General"), "BenchmarkName"));
    if (!name || !*name)
        name = json_string_value(json_object_get(kernel, "BenchmarkName"));
    if (!name || !*name)
        name = json_string_value(json_object_get(kernel, "KernelName"));
    t1->name = t1_identifier(t1, name && *name ? name : "imported", error);
    return t1->name;
}

bool t1_read(const json_t *document, const char *path, const char *beside, struct t1 *t1, struct error *error)
{
    *t1 = (struct t1){.path = path, .beside = beside, .metrics = json_object_get(document, "Metrics")};
    const json_t *space, *kernel;
    t1->copies = arena_allocate(&t1->arena, T1_COPIES_MOST * sizeof *t1->copies);
    if (!t1->copies)
        return error_out_of_memory(error);
    return text_stream_open(&t1->notes, error) &&
           t1_member_object(t1, document, "ConfigurationSpace", &space, error) &&
           t1_member_object(t1, document, "KernelSpecification", &kernel, error) &&
           read_name(t1, document, kernel, error) && read_language(t1, kernel, error) &&
           t1_read_space(t1, space, error) && read_kernel(t1, kernel, error);
}
