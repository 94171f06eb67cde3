/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/by_tree.h"

#include "tuner/dispatch/dispatch.h"
#include "tuner/select/nearness.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *case_text(const struct dispatch *dispatch, const struct dispatch_case *own)
{
    char text[2048];
    size_t length = 0;
    for (size_t i = 0; i < dispatch->dimensions && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s=%" PRId64, i ? "," : "",
                                   dispatch->names[i], own->sizes[i]);
    return strdup(text);
}

/* The size of the sweep that is nearest to the problem's, and how far it is. */
static bool find_nearest(const struct dispatch *dispatch, const char *asked, size_t *nearest, double *octaves,
                         char **size)
{
    *octaves = INFINITY;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        char *text = case_text(dispatch, &dispatch->cases[i]);
        if (!text)
            return false;
        double own = nearness_of_sizes(text, asked);
        if (own < *octaves) {
            free(*size);
            *size = text;
            *octaves = own;
            *nearest = i;
        } else {
            free(text);
        }
    }
    return true;
}

/* ---- the layers */

struct walk {
    selection_tree_visitor *visit;
    void *context;
    enum selection_layer layer;
    const char *place;
    bool stopped;
};

/* A database has what came with tune as well, which is another layer. */
static bool pass_on(const struct store_dispatch_row *row, void *context)
{
    struct walk *walk = context;
    bool is_shipped = strcmp(row->origin, "shipped") == 0;
    if (walk->layer == LAYER_SITE || is_shipped == (walk->layer == LAYER_SHIPPED))
        walk->stopped = !walk->visit(row, walk->layer, walk->place, walk->context);
    return !walk->stopped;
}

static bool walk_site(struct walk *walk, struct site *site, const struct store_filter *filter, struct error *error)
{
    walk->layer = LAYER_SITE;
    for (size_t i = 0; site && i < site->count && !walk->stopped; i++) {
        struct error trouble = {0};
        walk->place = store_path(site->stores[i]);
        if (!store_dispatches(site->stores[i], filter, pass_on, walk, &trouble) && !site_note(site, &trouble, error))
            return false;
    }
    walk->place = "";
    return true;
}

bool selection_trees(struct store *store, struct site *site, const struct store_filter *filter,
                     selection_tree_visitor *visit, void *context, struct error *error)
{
    struct walk walk = {.visit = visit, .context = context, .layer = LAYER_DATABASE, .place = ""};
    if (!store_dispatches(store, filter, pass_on, &walk, error))
        return false;
    if (!walk.stopped && !walk_site(&walk, site, filter, error))
        return false;
    walk.layer = LAYER_SHIPPED;
    return walk.stopped || store_dispatches(store, filter, pass_on, &walk, error);
}

/* ---- the answer */

struct asking {
    const struct selection_request *request;
    struct selection *selection;
    struct error *error;
    bool failed;
};

static bool fill(const struct dispatch *dispatch, size_t answer, const struct selection_request *request,
                 const struct store_dispatch_row *row, struct selection *selection)
{
    size_t nearest = 0;
    if (!find_nearest(dispatch, request->size, &nearest, &selection->octaves, &selection->size))
        return false;
    double cost = dispatch->cases[nearest].costs[answer];
    selection->time_ns = strcmp(request->objective, "time") == 0 && cost > 0 ? cost : 0;
    selection->tree_sizes = dispatch->case_count;
    selection->configuration = strdup(dispatch->configurations[answer]);
    selection->device = strdup(request->device->name);
    selection->origin = strdup(row->origin);
    selection->measured_at = strdup(row->made_at);
    selection->compiler = strdup(row->compiler);
    return selection->place && selection->configuration && selection->device && selection->origin &&
           selection->measured_at && selection->compiler;
}

/* The rule stays as it is if it does not know, or its answer does not fit. */
static bool answer_by(const struct dispatch *dispatch, const struct store_dispatch_row *row,
                      const struct asking *asking)
{
    const struct selection_request *request = asking->request;
    struct selection *selection = asking->selection;
    size_t answer;
    bool fits = false;
    if (!dispatch_answer(dispatch, request->size, &answer))
        return true;
    if (!fill(dispatch, answer, request, row, selection))
        return error_out_of_memory(asking->error);
    if (!request->fits(selection->configuration, &fits, request->context, asking->error))
        return false;
    if (request->observe)
        request->observe(selection, fits, request->observer);
    if (fits)
        selection->rule = SELECTION_TREE;
    return true;
}

/* A damaged document has no answer. False: there is one, or a failure. */
static bool ask(const struct store_dispatch_row *row, enum selection_layer layer, const char *place, void *context)
{
    struct asking *asking = context;
    struct dispatch *dispatch;
    struct error damage = {0};
    if (!dispatch_parse(row->document, "the dispatch", &dispatch, &damage)) {
        asking->failed = damage.code != ERROR_INPUT && !error_out_of_memory(asking->error);
        return !asking->failed;
    }
    *asking->selection = (struct selection){.layer = layer, .place = strdup(place)};
    asking->failed = !answer_by(dispatch, row, asking);
    dispatch_free(dispatch);
    if (asking->selection->rule == SELECTION_NONE)
        selection_clear(asking->selection);
    return !asking->failed && asking->selection->rule == SELECTION_NONE;
}

bool selection_by_tree(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error)
{
    const struct store_filter filter = {
        .template_name = request->template_name,
        .template_hash = request->template_hash,
        .device_kind = request->device->kind,
        .device_name = request->device->name,
        .inputs = request->inputs,
        .objective = request->objective,
    };
    struct asking asking = {.request = request, .selection = selection, .error = error};
    *selection = (struct selection){.rule = SELECTION_NONE};
    return selection_trees(store, request->site, &filter, ask, &asking, error) && !asking.failed;
}
