/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_launch.h"

#include "tuner/formats/t1_expressions.h"

#include <string.h>

enum { FACTORS_MOST = 100 }; /* of GridDivX */

static const struct {
    const char *name;
    const char *block, *fallback; /* Kernel Tuner's parameter for the block, and its value where there is none */
} axes[T1_DIMENSIONS] = {{"X", "block_size_x", "256"}, {"Y", "block_size_y", "1"}, {"Z", "block_size_z", "1"}};

/* ---- extents ---- */

/* One extent of LocalSize or GlobalSize; `fallback` where it is missing or null. */
static bool axis_text(struct t1 *t1, const json_t *size, size_t axis, const char *what, const char *fallback,
                      const char **text, struct error *error)
{
    char where[T1_WHERE];
    const json_t *extent = json_object_get(size, axes[axis].name);
    *text = fallback;
    snprintf(where, sizeof where, "%s.%s", what, axes[axis].name);
    return !extent || json_is_null(extent) || t1_expression_text(t1, extent, where, text, error);
}

static bool axis_expression(struct t1 *t1, const char *text, size_t axis, const char *what,
                            const struct python_names *names, const char **result, struct error *error)
{
    char where[T1_WHERE];
    snprintf(where, sizeof where, "%s.%s", what, axes[axis].name);
    return t1_expression(t1, text, names, where, result, error);
}

/* ---- the block ---- */

bool t1_read_local(struct t1 *t1, const json_t *kernel, struct error *error)
{
    const json_t *local = json_object_get(kernel, "LocalSize");
    bool assumed = false;
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *fallback = json_is_object(local) ? "1" : axes[i].block;
        if (!axis_text(t1, local, i, "LocalSize", fallback, &t1->local[i], error))
            return false;
        if (strcmp(t1->local[i], axes[i].block) != 0 || t1_has_parameter(t1, axes[i].block))
            continue;
        t1->local[i] = axes[i].fallback;
        assumed = assumed || json_is_object(local) || i == 0;
    }
    if (assumed)
        fprintf(t1->notes.out,
                "no parameter gives the block size: assumed %s x %s x %s threads, as in Kernel Tuner\n", t1->local[0],
                t1->local[1], t1->local[2]);
    return true;
}

/* ---- the grid ---- */

/* The product of the texts of GridDivX; Kernel Tuner divides by block_size_x where there are none. */
static bool read_divisor(struct t1 *t1, const json_t *kernel, size_t axis, const struct python_names *names,
                         const char **result, struct error *error)
{
    char name[16], where[T1_WHERE];
    snprintf(name, sizeof name, "GridDiv%s", axes[axis].name);
    const json_t *list = json_object_get(kernel, name);
    size_t count = json_array_size(list);
    if (count == 0)
        return t1_expression(t1, t1_has_parameter(t1, axes[axis].block) ? axes[axis].block : "1", names, name, result,
                             error);
    if (count > FACTORS_MOST)
        return error_set(error, ERROR_INPUT, "%s: %s has %zu factors; at most %d are supported", t1->path, name,
                         count, FACTORS_MOST);
    *result = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *text, *factor;
        snprintf(where, sizeof where, "%s[%zu]", name, i);
        if (!t1_expression_text(t1, json_array_get(list, i), where, &text, error) ||
            !t1_expression(t1, text, names, name, &factor, error))
            return false;
        bool atom =
            strspn(factor, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(factor);
        if (!atom)
            factor = t1_format(t1, error, "(%s)", factor);
        *result = !factor ? NULL : *result ? t1_format(t1, error, "%s * %s", *result, factor) : factor;
        if (!*result)
            return false;
    }
    return true;
}

/* Does it divide, so that it need not be whole? // is whole again. */
static bool divides(const char *text)
{
    for (const char *slash = strchr(text, '/'); slash; slash = strchr(slash + 2, '/')) {
        if (slash[1] != '/')
            return true;
    }
    return false;
}

/* The grid by Kernel Tuner's rule. */
static bool divide_problem(struct t1 *t1, const json_t *kernel, const struct python_names *names,
                           struct t1_launch *launch, struct error *error)
{
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *divisor = NULL;
        launch->grid[i] = "1";
        if (i >= t1->size_count)
            continue;
        bool is_one = strcmp(t1->size_values[i], "1") == 0;
        if (!is_one && !read_divisor(t1, kernel, i, names, &divisor, error))
            return false;
        if (divisor)
            launch->grid[i] = t1_format(t1, error, divides(divisor) ? "ceil(%s / (%s))" : "ceil_div(%s, %s)",
                                        t1->sizes[i], divisor);
        if (!launch->grid[i])
            return false;
    }
    return true;
}

static bool read_global(struct t1 *t1, const json_t *kernel, const struct python_names *names,
                        struct t1_launch *launch, struct error *error)
{
    const char *type = json_string_value(json_object_get(kernel, "GlobalSizeType"));
    const json_t *global = json_object_get(kernel, "GlobalSize");
    if (!json_is_object(global)) {
        error_set(error, ERROR_INPUT, "%s: the grid size is missing", t1->path);
        return error_hint(error, "KernelSpecification needs a GlobalSize or a ProblemSize");
    }
    bool threads = strcmp(type ? type : t1->language, "OpenCL") == 0;
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *text;
        if (!axis_text(t1, global, i, "GlobalSize", "1", &text, error) ||
            !axis_expression(t1, text, i, "GlobalSize", names, &launch->grid[i], error))
            return false;
        if (threads && strcmp(launch->grid[i], "1") != 0)
            launch->grid[i] = t1_format(t1, error, "ceil_div(%s, %s)", launch->grid[i], launch->block[i]);
        if (!launch->grid[i])
            return false;
    }
    return true;
}

static bool read_grid(struct t1 *t1, const json_t *kernel, const struct python_names *names, struct t1_launch *launch,
                      struct error *error)
{
    bool divides = json_array_size(json_object_get(kernel, "GridDivX")) > 0 ||
                   json_array_size(json_object_get(kernel, "GridDivY")) > 0 ||
                   json_array_size(json_object_get(kernel, "GridDivZ")) > 0;
    if (t1->size_count > 0 && (divides || !json_is_object(json_object_get(kernel, "GlobalSize"))))
        return divide_problem(t1, kernel, names, launch, error);
    return read_global(t1, kernel, names, launch, error);
}

bool t1_read_launch(const json_t *document, struct t1 *t1, const struct value *fixed, struct t1_launch *launch,
                    struct error *error)
{
    struct python_names names;
    bool done = t1_names(t1, fixed, &names, error);
    for (size_t i = 0; done && i < T1_DIMENSIONS; i++)
        done = axis_expression(t1, t1->local[i], i, "LocalSize", &names, &launch->block[i], error);
    done = done && read_grid(t1, json_object_get(document, "KernelSpecification"), &names, launch, error);
    if (done || !t1_may_ignore(t1, error))
        return done;
    for (size_t i = 0; i < T1_DIMENSIONS; i++)
        launch->block[i] = launch->grid[i] = "1";
    return true;
}
