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

/* The names of the members. */
static const char format_member[] = "format", names_member[] = "sizes", configurations_member[] = "configurations",
                  tree_member[] = "tree", cases_member[] = "cases";

struct reading {
    struct dispatch *dispatch;
    const char *what;
    struct dispatch_place *place;
    struct error *error;
};

static bool damaged(const struct reading *reading, struct dispatch_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool damaged(const struct reading *reading, struct dispatch_place place, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reading->place)
        *reading->place = place;
    return error_set(reading->error, ERROR_INPUT, "%s is damaged: %s", reading->what, text);
}

static struct dispatch_place element(const char *member, size_t index)
{
    return (struct dispatch_place){.member = member, .index = index};
}

static struct dispatch_place whole(const char *member)
{
    return (struct dispatch_place){.member = member, .is_whole = true};
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

static bool read_names(const json_t *names, const struct reading *reading)
{
    struct dispatch *dispatch = reading->dispatch;
    for (size_t i = 0; i < dispatch->dimensions; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!name || !*name || strpbrk(name, "=,"))
            return damaged(reading, element(names_member, i), "size %zu has no name", i + 1);
        dispatch->names[i] = strdup(name);
        if (!dispatch->names[i])
            return error_out_of_memory(reading->error);
    }
    return true;
}

/* Parameters with plain values. */
static bool is_configuration(json_t *json)
{
    const char *name;
    json_t *value;
    json_object_foreach(json, name, value)
    {
        if (!json_is_number(value) && !json_is_boolean(value) && !json_is_string(value))
            return false;
    }
    return json_is_object(json);
}

static bool read_configurations(const json_t *configurations, const struct reading *reading)
{
    struct dispatch *dispatch = reading->dispatch;
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        json_t *configuration = json_array_get(configurations, i);
        if (!is_configuration(configuration))
            return damaged(reading, element(configurations_member, i),
                           "configuration %zu is no object of numbers, texts, true and false", i + 1);
        dispatch->configurations[i] = json_text(configuration, JSON_COMPACT);
        if (!dispatch->configurations[i])
            return error_out_of_memory(reading->error);
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

static bool read_tree(const json_t *nodes, const struct reading *reading)
{
    struct dispatch *dispatch = reading->dispatch;
    size_t count = json_array_size(nodes);
    if (count == 0 || count > DISPATCH_NODES_MOST)
        return damaged(reading, whole(tree_member), "its tree has %zu nodes", count);
    dispatch->tree.nodes = calloc(count, sizeof *dispatch->tree.nodes);
    if (!dispatch->tree.nodes)
        return error_out_of_memory(reading->error);
    dispatch->tree.count = count;
    for (size_t i = 0; i < count; i++) {
        if (!read_node(json_array_get(nodes, i), i, dispatch, &dispatch->tree.nodes[i]))
            return damaged(reading, element(tree_member, i), "node %zu of its tree", i + 1);
    }
    return is_tree(&dispatch->tree) || damaged(reading, whole(tree_member), "its tree is none");
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

static bool read_cases(const json_t *cases, const struct reading *reading)
{
    struct dispatch *dispatch = reading->dispatch;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        if (!read_case(json_array_get(cases, i), dispatch, &dispatch->cases[i]))
            return damaged(reading, element(cases_member, i), "case %zu", i + 1);
    }
    return true;
}

/* How many there are of something. */
static bool check_count(const struct reading *reading, const char *member, size_t count, size_t most)
{
    return (count > 0 && count <= most) || damaged(reading, whole(member), "it has %zu %s", count, member);
}

static bool read_document(const json_t *document, struct reading *reading)
{
    const json_t *names = json_object_get(document, names_member), *cases = json_object_get(document, cases_member);
    const json_t *configurations = json_object_get(document, configurations_member);
    size_t dimensions = json_array_size(names), case_count = json_array_size(cases);
    size_t configuration_count = json_array_size(configurations);
    if (json_integer_value(json_object_get(document, format_member)) != FORMAT)
        return damaged(reading, whole(format_member), "its format is not %d", FORMAT);
    if (!check_count(reading, names_member, dimensions, DISPATCH_DIMENSIONS_MOST) ||
        !check_count(reading, configurations_member, configuration_count, DISPATCH_CONFIGURATIONS_MOST) ||
        !check_count(reading, cases_member, case_count, DISPATCH_CASES_MOST))
        return false;
    reading->dispatch = dispatch_create(dimensions, configuration_count, case_count);
    if (!reading->dispatch)
        return error_out_of_memory(reading->error);
    return read_names(names, reading) && read_configurations(configurations, reading) &&
           read_tree(json_object_get(document, tree_member), reading) && read_cases(cases, reading);
}

bool dispatch_read(const json_t *document, const char *what, struct dispatch **result, struct dispatch_place *place,
                   struct error *error)
{
    struct reading reading = {.what = what, .place = place, .error = error};
    bool done = read_document(document, &reading);
    if (!done) {
        dispatch_free(reading.dispatch);
        reading.dispatch = NULL;
    }
    *result = reading.dispatch;
    return done;
}

bool dispatch_parse(const char *text, const char *what, struct dispatch **result, struct error *error)
{
    json_t *document;
    *result = NULL;
    if (!json_parse(text, strlen(text), JSON_REJECT_DUPLICATES, NULL, what, &document, error))
        return false;
    bool done = dispatch_read(document, what, result, NULL, error);
    json_decref(document);
    return done;
}
