/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/known_tree.h"

#include "tuner/dispatch/dispatch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct known_case {
    char *size;
    struct size_point *point;
};

struct known_tree {
    enum selection_layer layer;
    char *place, *inputs, *origin, *made_at, *compiler;
    struct dispatch *dispatch;
    struct known_case *cases; /* as many as the dispatch has */
};

static char *case_text(const struct dispatch *dispatch, const struct dispatch_case *own)
{
    char text[2048];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < dispatch->dimensions && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s=%" PRId64, i ? "," : "",
                                   dispatch->names[i], own->sizes[i]);
    return strdup(text);
}

static bool read_cases(struct known_tree *tree)
{
    const struct dispatch *dispatch = tree->dispatch;
    tree->cases = calloc(dispatch->case_count + 1, sizeof *tree->cases);
    for (size_t i = 0; tree->cases && i < dispatch->case_count; i++) {
        struct known_case *one = &tree->cases[i];
        one->size = case_text(dispatch, &dispatch->cases[i]);
        one->point = one->size ? size_point_parse(one->size) : NULL;
        if (!one->point)
            return false;
    }
    return tree->cases;
}

static bool copy_texts(struct known_tree *tree, const struct store_dispatch_row *row, const char *place)
{
    tree->place = strdup(place);
    tree->inputs = strdup(row->inputs);
    tree->origin = strdup(row->origin);
    tree->made_at = strdup(row->made_at);
    tree->compiler = strdup(row->compiler);
    return tree->place && tree->inputs && tree->origin && tree->made_at && tree->compiler;
}

bool known_tree_read(const struct store_dispatch_row *row, enum selection_layer layer, const char *place,
                     struct known_tree **result, struct error *error)
{
    struct dispatch *dispatch;
    struct error damage = {0};
    *result = NULL;
    if (!dispatch_parse(row->document, "the dispatch", &dispatch, &damage))
        return damage.code == ERROR_INPUT || error_out_of_memory(error);
    struct known_tree *tree = calloc(1, sizeof *tree);
    if (!tree) {
        dispatch_free(dispatch);
        return error_out_of_memory(error);
    }
    tree->layer = layer;
    tree->dispatch = dispatch;
    if (!copy_texts(tree, row, place) || !read_cases(tree)) {
        known_tree_free(tree);
        return error_out_of_memory(error);
    }
    *result = tree;
    return true;
}

void known_tree_free(struct known_tree *tree)
{
    if (!tree)
        return;
    for (size_t i = 0; tree->cases && i < tree->dispatch->case_count; i++) {
        free(tree->cases[i].point);
        free(tree->cases[i].size);
    }
    free(tree->cases);
    dispatch_free(tree->dispatch);
    free(tree->place);
    free(tree->inputs);
    free(tree->origin);
    free(tree->made_at);
    free(tree->compiler);
    free(tree);
}

enum selection_layer known_tree_layer(const struct known_tree *tree)
{
    return tree->layer;
}

const char *known_tree_inputs(const struct known_tree *tree)
{
    return tree->inputs;
}

/* The size of the sweep that is nearest to the problem's. */
static size_t find_nearest(const struct known_tree *tree, const struct size_point *asked, double *octaves)
{
    size_t nearest = 0;
    *octaves = INFINITY;
    for (size_t i = 0; i < tree->dispatch->case_count; i++) {
        double own = nearness_of_points(tree->cases[i].point, asked);
        if (own < *octaves) {
            *octaves = own;
            nearest = i;
        }
    }
    return nearest;
}

static bool fill(const struct known_tree *tree, size_t answer, const struct selection_request *request,
                 const struct size_point *asked, struct selection *selection)
{
    double octaves;
    size_t nearest = find_nearest(tree, asked, &octaves);
    double cost = tree->dispatch->cases[nearest].costs[answer];
    *selection = (struct selection){
        .layer = tree->layer,
        .octaves = octaves,
        .time_ns = strcmp(request->objective, "time") == 0 && cost > 0 ? cost : 0,
        .tree_sizes = tree->dispatch->case_count,
        .size = strdup(tree->cases[nearest].size),
        .configuration = strdup(tree->dispatch->configurations[answer]),
        .device = strdup(request->device->name),
        .origin = strdup(tree->origin),
        .measured_at = strdup(tree->made_at),
        .compiler = strdup(tree->compiler),
        .place = strdup(tree->place),
    };
    return selection_is_whole(selection);
}

/* Ask whether one of the answers is valid for the problem; the selection becomes it if so. */
static bool try_answer(const struct known_tree *tree, size_t answer, const struct selection_request *request,
                       const struct size_point *asked, struct selection *selection, struct error *error)
{
    bool fits = false;
    if (!fill(tree, answer, request, asked, selection))
        return error_out_of_memory(error);
    if (!request->fits(selection->configuration, &fits, request->context, error))
        return false;
    if (request->observe)
        request->observe(selection, fits, request->observer);
    if (fits)
        selection->rule = SELECTION_TREE;
    else
        selection_clear(selection);
    return true;
}

bool known_tree_answer(const struct known_tree *tree, const struct selection_request *request,
                       const struct size_point *asked, struct selection *selection, struct error *error)
{
    size_t answers[DISPATCH_CONFIGURATIONS_MOST];
    size_t count = tree->dispatch->case_count > 0 ? dispatch_answers(tree->dispatch, request->size, answers) : 0;
    *selection = (struct selection){.rule = SELECTION_NONE};
    for (size_t i = 0; i < count && selection->rule == SELECTION_NONE; i++) {
        if (!try_answer(tree, answers[i], request, asked, selection, error))
            return false;
    }
    return true;
}
