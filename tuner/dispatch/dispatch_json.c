/* SPDX-License-Identifier: Apache-2.0 */
/* A dispatch as a document, and read back with nothing taken for granted. */
#include "tuner/dispatch/dispatch.h"
#include "tuner/json/json_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* ---- writing: memory that is missing turns the array or object into NULL */

static void append(json_t **array, json_t *value)
{
    if (*array && json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    } else if (!*array) {
        json_decref(value);
    }
}

static json_t *node_json(const struct tree_node *node)
{
    if (node->is_leaf)
        return json_pack("{s:I}", "configuration", (json_int_t)node->configuration);
    bool two = feature_has_two(node->feature.kind);
    return json_pack("{s:s, s:I, s:o*, s:f, s:I, s:I}", "feature", feature_kind_name(node->feature.kind), "a",
                     (json_int_t)node->feature.a, "b", two ? json_integer((json_int_t)node->feature.b) : NULL,
                     "below", node->below, "then", (json_int_t)node->then, "otherwise", (json_int_t)node->otherwise);
}

static json_t *case_json(const struct dispatch *dispatch, const struct dispatch_case *own)
{
    json_t *sizes = json_array(), *costs = json_array();
    for (size_t i = 0; i < dispatch->dimensions; i++)
        append(&sizes, json_integer(own->sizes[i]));
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        append(&costs, json_finite(own->costs[i]));
    return json_pack("{s:o, s:f, s:f, s:o, s:f}", "size", sizes, "weight", own->weight, "best", own->best, "costs",
                     costs, "held_out", own->held_out);
}

char *dispatch_text(const struct dispatch *dispatch)
{
    json_t *names = json_array(), *configurations = json_array(), *tree = json_array(), *cases = json_array();
    for (size_t i = 0; i < dispatch->dimensions; i++)
        append(&names, json_string(dispatch->names[i]));
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        append(&configurations, json_loads(dispatch->configurations[i], 0, NULL));
    for (size_t i = 0; i < dispatch->tree.count; i++)
        append(&tree, node_json(&dispatch->tree.nodes[i]));
    for (size_t i = 0; i < dispatch->case_count; i++)
        append(&cases, case_json(dispatch, &dispatch->cases[i]));
    json_t *document = json_pack("{s:i, s:o, s:o, s:o, s:o}", "format", FORMAT, "sizes", names, "configurations",
                                 configurations, "tree", tree, "cases", cases);
    char *text = document ? json_text(document, JSON_COMPACT) : NULL;
    json_decref(document);
    return text;
}

/* ---- reading */

static bool damaged(struct error *error, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool damaged(struct error *error, const char *what, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_INPUT, "%s is damaged: %s", what, text);
}

/* A whole number 0 .. most - 1. */
static bool read_index(const json_t *object, const char *member, size_t most, size_t *index)
{
    const json_t *json = json_object_get(object, member);
    if (!json_is_integer(json) || json_integer_value(json) < 0 || (uint64_t)json_integer_value(json) >= most)
        return false;
    *index = (size_t)json_integer_value(json);
    return true;
}

static bool read_positive(const json_t *object, const char *member, double *number)
{
    *number = json_number_value(json_object_get(object, member));
    return isfinite(*number) && *number > 0;
}

static bool read_names(const json_t *names, struct dispatch *dispatch, const char *what, struct error *error)
{
    for (size_t i = 0; i < dispatch->dimensions; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!name || !*name || strpbrk(name, "=,"))
            return damaged(error, what, "size %zu has no name", i + 1);
        dispatch->names[i] = strdup(name);
        if (!dispatch->names[i])
            return error_out_of_memory(error);
    }
    return true;
}

static bool read_configurations(const json_t *configurations, struct dispatch *dispatch, const char *what,
                                struct error *error)
{
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        const json_t *configuration = json_array_get(configurations, i);
        if (!json_is_object(configuration))
            return damaged(error, what, "configuration %zu is no object", i + 1);
        dispatch->configurations[i] = json_text(configuration, JSON_COMPACT);
        if (!dispatch->configurations[i])
            return error_out_of_memory(error);
    }
    return true;
}

/* Children stand behind their node, so that every way ends. */
static bool read_node(const json_t *json, size_t number, const struct dispatch *dispatch, struct tree_node *node)
{
    const char *kind = json_string_value(json_object_get(json, "feature"));
    size_t count = dispatch->tree.count;
    if (!kind) {
        node->is_leaf = true;
        return read_index(json, "configuration", dispatch->configuration_count, &node->configuration);
    }
    node->below = json_number_value(json_object_get(json, "below"));
    if (!feature_kind_of(kind, &node->feature.kind) || !read_index(json, "a", dispatch->dimensions, &node->feature.a))
        return false;
    node->feature.b = node->feature.a;
    if (feature_has_two(node->feature.kind) && !read_index(json, "b", dispatch->dimensions, &node->feature.b))
        return false;
    return isfinite(node->below) && node->below > 0 && read_index(json, "then", count, &node->then) &&
           read_index(json, "otherwise", count, &node->otherwise) && node->then > number && node->otherwise > number;
}

/* Each node but the root stands behind just one other, or the ways through few nodes could be very many. */
static bool is_tree(const struct tree *tree)
{
    size_t parents[DISPATCH_NODES_MOST] = {1};
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (!node->is_leaf && (parents[node->then]++ > 0 || parents[node->otherwise]++ > 0))
            return false;
    }
    return true;
}

static bool read_tree(const json_t *nodes, struct dispatch *dispatch, const char *what, struct error *error)
{
    size_t count = json_array_size(nodes);
    if (count == 0 || count > DISPATCH_NODES_MOST)
        return damaged(error, what, "its tree has %zu nodes", count);
    dispatch->tree.nodes = calloc(count, sizeof *dispatch->tree.nodes);
    if (!dispatch->tree.nodes)
        return error_out_of_memory(error);
    dispatch->tree.count = count;
    for (size_t i = 0; i < count; i++) {
        if (!read_node(json_array_get(nodes, i), i, dispatch, &dispatch->tree.nodes[i]))
            return damaged(error, what, "node %zu of its tree", i + 1);
    }
    return is_tree(&dispatch->tree) || damaged(error, what, "its tree is none");
}

static bool read_case(const json_t *json, const struct dispatch *dispatch, struct dispatch_case *own)
{
    const json_t *sizes = json_object_get(json, "size"), *costs = json_object_get(json, "costs");
    own->held_out = json_number_value(json_object_get(json, "held_out"));
    if (!read_positive(json, "weight", &own->weight) || !read_positive(json, "best", &own->best) ||
        !(own->held_out >= 0 && own->held_out <= 1) || json_array_size(sizes) != dispatch->dimensions ||
        json_array_size(costs) != dispatch->configuration_count)
        return false;
    for (size_t i = 0; i < dispatch->dimensions; i++) {
        own->sizes[i] = json_integer_value(json_array_get(sizes, i));
        if (own->sizes[i] < 1)
            return false;
    }
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        double cost = json_number_value(json_array_get(costs, i));
        own->costs[i] = isfinite(cost) && cost > 0 ? cost : NAN;
    }
    return true;
}

static bool read_cases(const json_t *cases, struct dispatch *dispatch, const char *what, struct error *error)
{
    for (size_t i = 0; i < dispatch->case_count; i++) {
        if (!read_case(json_array_get(cases, i), dispatch, &dispatch->cases[i]))
            return damaged(error, what, "case %zu", i + 1);
    }
    return true;
}

static bool read_document(const json_t *document, const char *what, struct dispatch **result, struct error *error)
{
    const json_t *names = json_object_get(document, "sizes"), *cases = json_object_get(document, "cases");
    const json_t *configurations = json_object_get(document, "configurations");
    size_t dimensions = json_array_size(names), case_count = json_array_size(cases);
    size_t configuration_count = json_array_size(configurations);
    if (json_integer_value(json_object_get(document, "format")) != FORMAT)
        return damaged(error, what, "its format is not %d", FORMAT);
    if (dimensions == 0 || dimensions > DISPATCH_DIMENSIONS_MOST || configuration_count == 0 ||
        configuration_count > DISPATCH_CONFIGURATIONS_MOST || case_count == 0 || case_count > DISPATCH_CASES_MOST)
        return damaged(error, what, "it has %zu sizes, %zu configurations, %zu cases", dimensions,
                       configuration_count, case_count);
    *result = dispatch_create(dimensions, configuration_count, case_count);
    if (!*result)
        return error_out_of_memory(error);
    return read_names(names, *result, what, error) && read_configurations(configurations, *result, what, error) &&
           read_tree(json_object_get(document, "tree"), *result, what, error) &&
           read_cases(cases, *result, what, error);
}

bool dispatch_parse(const char *text, const char *what, struct dispatch **result, struct error *error)
{
    json_t *document;
    *result = NULL;
    if (!json_parse(text, strlen(text), JSON_REJECT_DUPLICATES, NULL, what, &document, error))
        return false;
    bool done = read_document(document, what, result, error);
    json_decref(document);
    if (!done) {
        dispatch_free(*result);
        *result = NULL;
    }
    return done;
}
