/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/by_tree.h"

#include "tuner/select/known_tree.h"

#include <stdlib.h>
#include <string.h>

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
    const struct size_point *asked;
    struct selection *selection;
    struct error *error;
    bool failed;
};

/* A damaged document has no answer. False: there is one, or a failure. */
static bool ask(const struct store_dispatch_row *row, enum selection_layer layer, const char *place, void *context)
{
    struct asking *asking = context;
    struct known_tree *tree;
    selection_clear(asking->selection);
    asking->failed = !known_tree_read(row, layer, place, &tree, asking->error);
    if (!asking->failed && tree)
        asking->failed = !known_tree_answer(tree, asking->request, asking->asked, asking->selection, asking->error);
    known_tree_free(tree);
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
    struct size_point *asked = size_point_parse(request->size);
    struct asking asking = {.request = request, .asked = asked, .selection = selection, .error = error};
    *selection = (struct selection){.rule = SELECTION_NONE};
    bool done = (asked || error_out_of_memory(error)) &&
                selection_trees(store, request->site, &filter, ask, &asking, error) && !asking.failed;
    free(asked);
    return done;
}
