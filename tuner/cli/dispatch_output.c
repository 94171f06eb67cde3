/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/dispatch_output.h"

#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"

#include <jansson.h>
#include <stdlib.h>

/* For how many sizes of the sweep a configuration is the answer. */
static size_t count_answers(const struct dispatch *dispatch, size_t configuration)
{
    size_t count = 0;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        size_t leaf = tree_leaf(&dispatch->tree, dispatch->cases[i].sizes);
        count += dispatch->tree.nodes[leaf].configuration == configuration;
    }
    return count;
}

static bool print_configurations(const struct dispatch *dispatch, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {">#", ">sizes", "_configuration"};
    json_t *objects[DISPATCH_CONFIGURATIONS_MOST] = {0};
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        objects[i] = json_loads(dispatch->configurations[i], 0, NULL);
    json_t *shared = parameters_shared(objects, dispatch->configuration_count);
    bool done = (shared || error_out_of_memory(error)) && parameters_print_shared(shared, out, error);
    struct table *table = done ? table_create(headings, sizeof headings / sizeof *headings) : NULL;
    for (size_t i = 0; done && i < dispatch->configuration_count; i++) {
        char *text = parameters_text(objects[i], shared);
        table_cell(table, "%zu", i);
        table_cell(table, "%zu", count_answers(dispatch, i));
        table_cell(table, "%s", text ? text : "");
        free(text);
    }
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        json_decref(objects[i]);
    json_decref(shared);
    return done && table_print(table, out, error);
}

static void print_node(const struct dispatch *dispatch, size_t number, int depth)
{
    const struct tree_node *node = &dispatch->tree.nodes[number];
    char feature[160];
    if (node->is_leaf) {
        visible_printf(stdout, " %zu\n", node->configuration);
        return;
    }
    feature_text(&node->feature, (const char *const *)dispatch->names, feature, sizeof feature);
    if (depth > 0)
        visible_printf(stdout, "\n");
    visible_printf(stdout, "%*s%s < %.15g:", 4 * depth, "", feature, node->below);
    print_node(dispatch, node->then, depth + 1);
    visible_printf(stdout, "%*selse:", 4 * depth, "");
    print_node(dispatch, node->otherwise, depth + 1);
}

static void print_quality(const struct dispatch *dispatch)
{
    const struct dispatch_quality quality = dispatch_quality(dispatch);
    const struct dispatch_case *worst = &dispatch->cases[quality.worst_case];
    visible_printf(stdout, "\n%.1f %% of the best found at each size (geometric mean); least: %.1f %% at ",
                   100 * quality.mean, 100 * quality.worst);
    for (size_t i = 0; i < dispatch->dimensions; i++)
        visible_printf(stdout, "%s%s=%lld", i ? "," : "", dispatch->names[i], (long long)worst->sizes[i]);
    if (dispatch->case_count > 1)
        visible_printf(stdout, "\n%.1f %%, at least %.1f %%, by trees that were grown without the size\n",
                       100 * quality.held_out_mean, 100 * quality.held_out_worst);
    else
        visible_printf(stdout, "\n");
}

bool dispatch_output(const struct dispatch *dispatch, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    if (!print_configurations(dispatch, &out, error))
        return false;
    visible_printf(stdout, "\n%s", dispatch->tree.count == 1 ? "always:" : "");
    print_node(dispatch, 0, 0);
    print_quality(dispatch);
    return true;
}
