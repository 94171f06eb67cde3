/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_arguments.h"

#include "tuner/formats/t1_answers.h"
#include "tuner/formats/t1_expressions.h"
#include "tuner/formats/t1_types.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MOST = 1000, CUSTOM_BYTES_MOST = 1 << 20 };

/* An argument being read, and what its readers need. */
struct reading {
    struct t1 *t1;
    const json_t *json;
    const struct python_names *names;
    size_t position; /* among the kernel's own parameters */
    char where[T1_WHERE];
    struct error *error;
};

static bool refuse(const struct reading *reading, const char *what)
{
    return error_set(reading->error, ERROR_INPUT, "%s: %s: %s", reading->t1->path, reading->where, what);
}

static bool read_type(const struct reading *reading, struct t1_argument *argument, unsigned *count)
{
    const char *type;
    bool found;
    if (!t1_member_text(reading->t1, reading->json, "Type", reading->where, &type, reading->error))
        return false;
    json_int_t bytes = json_integer_value(json_object_get(reading->json, "TypeSize"));
    if (strcmp(type, "custom") == 0 && bytes > 0 && bytes <= CUSTOM_BYTES_MOST) {
        *count = (unsigned)bytes;
        fprintf(reading->t1->notes.out, "%s has a custom type: imported as a buffer of bytes\n", reading->where);
        return t1_type_find(reading->t1, "uint8", argument, &(unsigned){0}, &found, reading->error);
    }
    if (!t1_type_find(reading->t1, type, argument, count, &found, reading->error))
        return false;
    if (found)
        return true;
    error_set(reading->error, ERROR_INPUT, "%s: %s: unknown Type \"%s\"", reading->t1->path, reading->where, type);
    return error_hint(reading->error, "known types are bool, int8 to int64, uint8 to uint64, half, float, double, "
                                      "and vectors such as float4");
}

/* ---- where it is, and what it holds ---- */

/* The address space. Kernel Tuner also passes the data of constant memory as a pointer; some sources take it alone.
 */
static bool read_memory(const struct reading *reading, struct t1_argument *argument)
{
    static const char *const memories[] = {
        [T1_VECTOR] = "Vector", [T1_SCALAR] = "Scalar", [T1_LOCAL] = "Local", [T1_SYMBOL] = "Symbol"};
    const char *memory, *name = json_string_value(json_object_get(reading->json, "Name"));
    const char *kind = json_string_value(json_object_get(reading->json, "MemType"));
    if (!t1_member_text(reading->t1, reading->json, "MemoryType", reading->where, &memory, reading->error))
        return false;
    unsigned i = 0;
    while (i <= T1_SYMBOL && strcmp(memories[i], memory) != 0)
        i++;
    if (i > T1_SYMBOL) {
        error_set(reading->error, ERROR_INPUT, "%s: %s: unknown MemoryType \"%s\"", reading->t1->path, reading->where,
                  memory);
        return error_hint(reading->error, "known ones are Vector, Scalar, Local and Symbol");
    }
    argument->memory = (enum t1_memory)i;
    bool upload = !reading->t1->source.file.bytes || t1_source_mentions(&reading->t1->source, "__constant__");
    bool constant = i == T1_VECTOR && kind && strcmp(kind, "Constant") == 0 && upload;
    if (!constant && i != T1_SYMBOL)
        return true;
    if (!name || !*name)
        return refuse(reading, "a constant or symbol needs a \"Name\"");
    argument->symbol = t1_identifier(reading->t1, name, reading->error);
    return argument->symbol;
}

/* What the file says, or else the source. */
static void read_access(const struct reading *reading, struct t1_argument *argument)
{
    const char *access = json_string_value(json_object_get(reading->json, "AccessType"));
    const struct kernel_parameter *parameter = t1_source_parameter(&reading->t1->source, reading->position);
    bool reads = parameter && (parameter->access == KERNEL_READS || parameter->access == KERNEL_UNUSED);
    argument->access = !access                            ? (reads ? T1_READ : T1_READ_WRITE)
                       : strcmp(access, "ReadOnly") == 0  ? T1_READ
                       : strcmp(access, "WriteOnly") == 0 ? T1_WRITE
                                                          : T1_READ_WRITE;
    argument->overwritten = argument->access == T1_WRITE || (parameter && parameter->access == KERNEL_WRITES);
}

/* A file that is at hand; without it, random values. */
static bool read_file(const struct reading *reading, const char *source, struct t1_argument *argument)
{
    struct t1 *t1 = reading->t1;
    if (!t1_take_file(t1, source, &argument->file, reading->error))
        return false;
    argument->fill = argument->file ? T1_FILE : T1_RANDOM;
    if (!argument->file)
        argument->hint = t1_format(t1, reading->error, "%s is not beside the T1 file: with it, write in file(\"%s\")",
                                   source, source);
    return argument->file || argument->hint;
}

static bool read_fill(const struct reading *reading, struct t1_argument *argument)
{
    struct t1 *t1 = reading->t1;
    const char *fill = json_string_value(json_object_get(reading->json, "FillType"));
    const char *source = json_string_value(json_object_get(reading->json, "DataSource"));
    double value = json_number_value(json_object_get(reading->json, "FillValue"));
    bool floating = element_types[argument->element].floating;
    double low = json_number_value(json_object_get(reading->json, "FillMinimum"));
    argument->low = isfinite(low) ? low : 0;
    argument->high = value > argument->low && isfinite(value) ? value : argument->low + 1;
    if (!floating && argument->high < argument->low + 2)
        argument->high = argument->low + 2;
    argument->value = floating ? t1_format(t1, reading->error, "%.17g", value)
                               : t1_format(t1, reading->error, "%.0f", trunc(value));
    if (!argument->value)
        return false;
    argument->fill = T1_RANDOM;
    if (!fill || strcmp(fill, "Constant") == 0)
        argument->fill = T1_CONSTANT;
    else if (strcmp(fill, "Generator") == 0 && source && strcmp(source, "i") == 0)
        argument->fill = T1_INDEX;
    else if (fill && strcmp(fill, "BinaryRaw") == 0 && source)
        return read_file(reading, source, argument);
    else if (strcmp(fill, "Random") != 0 && argument->access != T1_WRITE)
        fprintf(t1->notes.out, "%s: FillType %s%s%s is not supported: imported with random values\n", reading->where,
                fill, source ? " " : "", source ? source : "");
    return true;
}

/* ---- the kernel's own signature ---- */

/* The source knows better than a file that was written for another tool. */
static bool compare_type(const struct reading *reading, struct t1_argument *argument, unsigned *count)
{
    const struct kernel_parameter *parameter = t1_source_parameter(&reading->t1->source, reading->position);
    struct draft_type type;
    const char *said = element_types[argument->element].name;
    if (!parameter || !draft_type_find(parameter->type, &type) || strcmp(type.name, said) == 0 ||
        (parameter->pointers > 0) != (argument->memory == T1_VECTOR) || strcmp(parameter->type, "bool") == 0)
        return true;
    if (argument->memory == T1_VECTOR && argument->fill != T1_FILE) {
        t1_type_take(argument, &type, count);
        argument->hint = t1_format(reading->t1, reading->error, "the file says %s, the kernel %s *%s", said,
                                   parameter->type, parameter->name);
    } else {
        argument->hint = t1_format(reading->t1, reading->error, "the kernel's parameter is %s %s%s", parameter->type,
                                   parameter->pointers ? "*" : "", parameter->name);
    }
    return argument->hint;
}

/* ---- the kinds of arguments ---- */

static bool read_scalar(const struct reading *reading, struct t1_argument *argument)
{
    const char *text;
    if (!t1_scalar_text(reading->t1, json_object_get(reading->json, "FillValue"), &text, reading->error))
        return false;
    if (!text)
        text = json_string_value(json_object_get(reading->json, "DataSource"));
    if (!text)
        return refuse(reading, "a scalar needs a \"FillValue\"");
    return t1_expression(reading->t1, text, reading->names, reading->where, &argument->value, reading->error);
}

static bool read_extent(const struct reading *reading, unsigned count, struct t1_argument *argument)
{
    const char *text;
    struct python_names names = *reading->names;
    names.extremes = true;
    if (!t1_scalar_text(reading->t1, json_object_get(reading->json, "Size"), &text, reading->error))
        return false;
    if (!text)
        return refuse(reading, "\"Size\" must be a number or an expression");
    if (!t1_expression(reading->t1, text, &names, reading->where, &argument->size, reading->error))
        return false;
    if (count > 1)
        argument->size = t1_format(reading->t1, reading->error, "(%s) * %u", argument->size, count);
    return argument->size;
}

/* Its size is in bytes. */
static bool read_local(const struct reading *reading, unsigned count, struct t1_argument *argument)
{
    if (!read_extent(reading, count * argument->width, argument))
        return false;
    argument->size =
        t1_format(reading->t1, reading->error, "(%s) * %zu", argument->size, element_types[argument->element].bytes);
    return argument->size;
}

static bool read_buffer(const struct reading *reading, size_t index, unsigned count, struct t1_argument *argument)
{
    char fallback[32];
    const char *name = json_string_value(json_object_get(reading->json, "Name"));
    snprintf(fallback, sizeof fallback, "argument_%zu", index);
    const struct kernel_parameter *parameter = t1_source_parameter(&reading->t1->source, reading->position);
    const char *wanted = name && *name ? name : parameter && *parameter->name ? parameter->name : fallback;
    if (!read_extent(reading, count, argument))
        return false;
    if (argument->symbol) {
        argument->access = T1_READ;
        wanted = t1_format(reading->t1, reading->error, "%s_values", wanted);
    }
    argument->name = wanted ? t1_free_name(reading->t1, wanted, reading->error) : NULL;
    if (parameter && strcmp(argument->size, "1") == 0 && strcmp(reading->t1->path, reading->t1->beside) == 0 &&
        parameter->pointers > 0 && !argument->hint)
        argument->hint =
            t1_format(reading->t1, reading->error, "1 element, says the file: how many does the kernel use?");
    return argument->name;
}

static bool read_argument(struct reading *reading, size_t index)
{
    struct t1 *t1 = reading->t1;
    struct t1_argument argument = {0};
    unsigned count = 1;
    const char *name = json_string_value(json_object_get(reading->json, "Name"));
    snprintf(reading->where, sizeof reading->where, "argument %zu (%.100s)", index, name ? name : "unnamed");
    if (!read_memory(reading, &argument))
        return false;
    if (!t1_is_passed(&argument))
        reading->position = SIZE_MAX;
    read_access(reading, &argument);
    if (!read_type(reading, &argument, &count) || !read_fill(reading, &argument) ||
        !compare_type(reading, &argument, &count))
        return false;
    bool done = argument.memory == T1_SCALAR  ? read_scalar(reading, &argument)
                : argument.memory == T1_LOCAL ? read_local(reading, count, &argument)
                                              : read_buffer(reading, index, count, &argument);
    if (done)
        t1->arguments[t1->argument_count++] = argument;
    return done;
}

/* ---- */

static void note_missing(struct t1 *t1, size_t passed)
{
    const struct kernel_signature *kernel = t1->source.kernel;
    if (!t1->source.file.bytes || t1->foreign)
        return;
    if (!kernel)
        fprintf(t1->notes.out, "%s has no __global__ function %s: is it host code, or made by macros?\n",
                t1->kernel_file, t1->kernel);
    for (size_t i = passed; kernel && i < kernel->parameter_count; i++)
        fprintf(t1->notes.out,
                "the file does not tell of the kernel's parameter %zu, %s %s%s: declare it, and pass it in both "
                "launches\n",
                i + 1, kernel->parameters[i].type, kernel->parameters[i].pointers ? "*" : "",
                kernel->parameters[i].name);
    if (kernel && passed > kernel->parameter_count)
        fprintf(t1->notes.out, "the kernel has %zu parameters, the file %zu arguments\n", kernel->parameter_count,
                passed);
}

bool t1_read_arguments(struct t1 *t1, const json_t *kernel, struct error *error)
{
    const json_t *arguments, *references;
    struct python_names names;
    size_t position = 0;
    if (!t1_optional_array(t1, kernel, "Arguments", &arguments, error) ||
        !t1_optional_array(t1, kernel, "ReferenceArguments", &references, error))
        return false;
    if (json_array_size(arguments) > ARGUMENTS_MOST)
        return error_set(error, ERROR_INPUT, "%s: the kernel has %zu arguments; at most %d are supported", t1->path,
                         json_array_size(arguments), ARGUMENTS_MOST);
    t1->arguments = arena_allocate(&t1->arena, (json_array_size(arguments) + 1) * sizeof *t1->arguments);
    if (!t1->arguments || !t1_names(t1, NULL, &names, error))
        return error_out_of_memory(error);
    for (size_t i = 0; i < json_array_size(arguments); i++) {
        struct reading reading = {
            .t1 = t1, .json = json_array_get(arguments, i), .names = &names, .position = position, .error = error};
        if (!read_argument(&reading, i))
            return false;
        position += t1_is_passed(&t1->arguments[i]);
    }
    note_missing(t1, position);
    return t1_read_answers(t1, arguments, references, error);
}
