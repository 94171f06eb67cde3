/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/layouts.h"

#include "tuner/job/value_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const struct layout *layouts_add(struct job *job, const struct layout *layout)
{
    if (layout_is_scalar(layout))
        return &scalar_layouts[layout->leaves[0].element];
    for (size_t i = 0; i < job->layout_count; i++) {
        if (layout_equal(job->layouts[i], layout))
            return job->layouts[i];
    }
    struct layout **longer = realloc(job->layouts, (job->layout_count + 1) * sizeof *longer);
    if (!longer)
        return NULL;
    job->layouts = longer;
    struct layout *copy = layout_copy(layout);
    if (copy)
        longer[job->layout_count++] = copy;
    return copy;
}

/* ---- writing ---- */

static json_t *write_leaf(const struct leaf *leaf)
{
    json_t *array = json_array();
    return write_finish(array, write_add(array, json_string(leaf->path)) &&
                                   write_add(array, json_string(element_types[leaf->element].name)) &&
                                   write_add(array, json_integer(leaf->offset)));
}

static json_t *write_leaves(const struct layout *layout)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < layout->leaf_count && complete; i++)
        complete = write_add(array, write_leaf(&layout->leaves[i]));
    return write_finish(array, complete);
}

static json_t *write_layout(const struct layout *layout)
{
    json_t *array = json_array();
    return write_finish(array, write_add(array, json_string(layout->name)) &&
                                   write_add(array, json_string(layout->c_name)) &&
                                   write_add(array, json_integer((json_int_t)layout->bytes)) &&
                                   write_add(array, json_integer((json_int_t)layout->alignment)) &&
                                   write_add(array, write_leaves(layout)));
}

struct json_t *layouts_write(const struct job *job)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < job->layout_count && complete; i++)
        complete = write_add(array, write_layout(job->layouts[i]));
    return write_finish(array, complete);
}

/* ---- reading ---- */

static bool refuse(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "damaged job: a type is missing or wrong");
}

static bool read_number(const json_t *json, size_t most, size_t *number)
{
    json_int_t value = json_integer_value(json);
    *number = (size_t)value;
    return json_is_integer(json) && value >= 0 && (uint64_t)value <= most;
}

/* Strings stay those of the JSON until the layout is copied. */
static bool read_leaf(const json_t *json, struct leaf *leaf)
{
    const char *type = json_string_value(json_array_get(json, 1));
    size_t offset;
    leaf->path = json_string_value(json_array_get(json, 0));
    if (!leaf->path || !type || !element_find(type, strlen(type), &leaf->element) ||
        !read_number(json_array_get(json, 2), LAYOUT_BYTES_LIMIT, &offset))
        return false;
    leaf->offset = (uint32_t)offset;
    return true;
}

static bool read_layout(const json_t *json, struct job *job, struct error *error)
{
    const json_t *items = json_array_get(json, 4);
    struct layout layout = {.name = json_string_value(json_array_get(json, 0)),
                            .c_name = json_string_value(json_array_get(json, 1)),
                            .leaf_count = json_array_size(items)};
    if (!layout.name || !layout.c_name || layout.leaf_count == 0 || layout.leaf_count > LEAVES_LIMIT)
        return refuse(error);
    struct leaf *leaves = calloc(layout.leaf_count, sizeof *leaves);
    if (!leaves)
        return error_out_of_memory(error);
    bool sound = read_number(json_array_get(json, 2), LAYOUT_BYTES_LIMIT, &layout.bytes) &&
                 read_number(json_array_get(json, 3), ALIGNMENT_LIMIT, &layout.alignment);
    for (size_t i = 0; i < layout.leaf_count && sound; i++)
        sound = read_leaf(json_array_get(items, i), &leaves[i]);
    layout.leaves = leaves;
    bool done = sound && layout_is_sound(&layout) && !layout_is_scalar(&layout)
                    ? layouts_add(job, &layout) || error_out_of_memory(error)
                    : refuse(error);
    free(leaves);
    return done;
}

bool layouts_read(const struct json_t *json, struct job *job, struct error *error)
{
    if (!json_is_array(json))
        return refuse(error);
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_layout(json_array_get(json, i), job, error))
            return false;
    }
    return true;
}

bool layouts_find(const struct json_t *json, const struct job *job, const struct layout **layout, struct error *error)
{
    const char *name = json_string_value(json);
    enum element element;
    for (size_t i = 0; name && i < job->layout_count; i++) {
        *layout = job->layouts[i];
        if (strcmp(name, (*layout)->name) == 0)
            return true;
    }
    if (!name || !element_find(name, strlen(name), &element))
        return refuse(error);
    *layout = &scalar_layouts[element];
    return true;
}
