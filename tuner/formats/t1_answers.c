/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_answers.h"

#include "tuner/formats/t1_beside.h"
#include "tuner/formats/t1_expressions.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static bool is_copied(const struct t1 *t1, const char *name)
{
    for (size_t i = 0; i < t1->copy_count; i++) {
        if (strcmp(t1->copies[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Its last part, in letters that every file system takes. */
static char *plain_name(struct t1 *t1, const char *source, struct error *error)
{
    const char *slash = strrchr(source, '/');
    char *name = t1_format(t1, error, "%.100s", slash ? slash + 1 : source);
    for (char *c = name; c && *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            *c = '_';
    }
    while (name && is_copied(t1, name))
        name = t1_format(t1, error, "_%s", name);
    return name;
}

bool t1_take_file(struct t1 *t1, const char *source, const char **name, struct error *error)
{
    char *path = NULL;
    *name = NULL;
    if (!t1->beside || t1->copy_count == T1_COPIES_MOST)
        return true;
    if (!t1_beside_data(t1->beside, source, &path, error))
        return false;
    if (!path)
        return true;
    struct t1_copy copy = {t1_format(t1, error, "%s", path), plain_name(t1, source, error)};
    free(path);
    if (!copy.from || !copy.name)
        return false;
    *name = copy.name;
    t1->copies[t1->copy_count++] = copy;
    return true;
}

/* ---- expected values ---- */

static struct t1_argument *find_target(struct t1 *t1, const json_t *reference, const json_t *arguments)
{
    const char *target = json_string_value(json_object_get(reference, "TargetName"));
    const json_t *index = json_object_get(reference, "TargetArgument");
    for (size_t k = 0; k < t1->argument_count; k++) {
        const char *name = json_string_value(json_object_get(json_array_get(arguments, k), "Name"));
        if (json_is_integer(index) ? json_integer_value(index) == (json_int_t)k
                                   : target && name && strcmp(name, target) == 0)
            return &t1->arguments[k];
    }
    return NULL;
}

static void read_tolerance(const json_t *reference, struct t1_answer *answer)
{
    static const struct {
        const char *method;
        double relative, absolute; /* times the threshold */
        double always;             /* the relative one, whatever the threshold */
    } methods[] = {
        {"SideBySideRelativeComparison", 1, 0, 0},
        {"SideBySideComparison", 0, 1, 0},
        {"AllClose", 0, 1, 1e-5}, /* numpy.allclose's rtol, unless one gives another */
    };
    const char *method = json_string_value(json_object_get(reference, "ValidationMethod"));
    double threshold = json_number_value(json_object_get(reference, "ValidationThreshold"));
    for (size_t i = 0; method && threshold > 0 && isfinite(threshold) && i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].method, method) != 0)
            continue;
        answer->relative = methods[i].relative * threshold + methods[i].always;
        answer->absolute = methods[i].absolute * threshold;
    }
}

/* A buffer with random values, which no file of expected values can know; NULL: there is none. */
static const char *random_buffer(const struct t1 *t1)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        const struct t1_argument *argument = &t1->arguments[i];
        if (argument->name && argument->fill == T1_RANDOM && argument->access != T1_WRITE)
            return argument->name;
    }
    return NULL;
}

static bool read_answer(struct t1 *t1, const json_t *reference, struct t1_argument *target, struct error *error)
{
    struct t1_answer *answer = &target->answer;
    const char *fill = json_string_value(json_object_get(reference, "FillType"));
    const char *source = json_string_value(json_object_get(reference, "DataSource"));
    read_tolerance(reference, answer);
    answer->computed = t1->reference.name && json_is_true(json_object_get(reference, "Computed"));
    if (answer->computed || json_is_true(json_object_get(reference, "Lost")))
        return true;
    const char *unknown = random_buffer(t1);
    if (unknown && source) {
        fprintf(t1->notes.out, "the expected values of %s are not imported: %s has random values\n", target->name,
                unknown);
        return true;
    }
    if (fill && source && strcmp(fill, "BinaryRaw") == 0 && !t1_take_file(t1, source, &answer->file, error))
        return false;
    if (!answer->file)
        fprintf(t1->notes.out, "the expected values of %s are not imported%s%s\n", target->name,
                source ? ": there is no file " : "", source ? source : "");
    return true;
}

/* Outputs that the file's answers leave out are not compared. */
static void ignore_others(struct t1 *t1, const bool *answered)
{
    bool any = false;
    for (size_t i = 0; i < t1->argument_count; i++)
        any = any || answered[i];
    for (size_t i = 0; any && i < t1->argument_count; i++) {
        struct t1_argument *argument = &t1->arguments[i];
        argument->ignored = t1_is_output(argument) && !answered[i];
    }
}

bool t1_read_answers(struct t1 *t1, const json_t *arguments, const json_t *references, struct error *error)
{
    bool *answered = arena_allocate(&t1->arena, t1->argument_count + 1);
    if (!answered)
        return error_out_of_memory(error);
    memset(answered, 0, t1->argument_count + 1);
    for (size_t i = 0; i < json_array_size(references); i++) {
        const json_t *reference = json_array_get(references, i);
        struct t1_argument *target = find_target(t1, reference, arguments);
        if (!target || !target->name || target->memory != T1_VECTOR || target->answer.file)
            fprintf(t1->notes.out, "ReferenceArguments[%zu] is for no argument, and is not imported\n", i);
        else if (!read_answer(t1, reference, target, error))
            return false;
        else {
            answered[target - t1->arguments] = true;
            if (target->access == T1_READ)
                target->access = T1_READ_WRITE;
        }
    }
    ignore_others(t1, answered);
    return true;
}

/* ---- another kernel ---- */

/* Numbers, or expressions of the sizes. */
static bool read_shape(struct t1 *t1, const json_t *list, const char *shape[T1_DIMENSIONS], struct error *error)
{
    static const char where[] = "ReferenceKernel";
    struct python_names names;
    if (!t1_names(t1, NULL, &names, error))
        return false;
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const json_t *extent = json_array_get(list, i);
        const char *text = "1";
        if (json_is_string(extent) || json_integer_value(extent) > 0) {
            if (!t1_expression_text(t1, extent, where, &text, error))
                return false;
        }
        if (!t1_expression(t1, text, &names, where, &shape[i], error))
            return false;
    }
    return true;
}

bool t1_read_reference_kernel(struct t1 *t1, const json_t *kernel, struct error *error)
{
    struct text_stream defines;
    const json_t *reference = json_object_get(kernel, "ReferenceKernel"), *value;
    const char *name = json_string_value(json_object_get(reference, "KernelName")), *key;
    if (!name || !t1_is_plain_name(name))
        return true;
    if (!text_stream_open(&defines, error))
        return false;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(reference, "Defines"), key, value)
    {
        const char *text;
        if (!t1_scalar_text(t1, value, &text, error)) {
            text_stream_discard(&defines);
            return false;
        }
        if (t1_is_plain_name(key) && text && !strpbrk(text, "\r\n\\"))
            fprintf(defines.out, "#define %s %s\n", key, text);
    }
    char *written = text_stream_close(&defines, error);
    t1->reference.defines = written ? t1_format(t1, error, "%s", written) : NULL;
    free(written);
    t1->reference.name = t1_format(t1, error, "%s", name);
    return t1->reference.defines && t1->reference.name &&
           read_shape(t1, json_object_get(reference, "Grid"), t1->reference.grid, error) &&
           read_shape(t1, json_object_get(reference, "Block"), t1->reference.block, error);
}
