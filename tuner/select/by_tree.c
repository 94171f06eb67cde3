/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/by_tree.h"

#include "tuner/dispatch/dispatch.h"
#include "tuner/select/nearness.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The latest dispatch. */
struct found {
    char *document, *made_at, *compiler;
    bool any;
};

static bool take(const struct store_dispatch_row *row, void *context)
{
    struct found *found = context;
    *found = (struct found){strdup(row->document), strdup(row->made_at), strdup(row->compiler), true};
    return false;
}

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

static bool fill(const struct dispatch *dispatch, size_t answer, const struct selection_request *request,
                 const struct found *found, struct selection *selection)
{
    size_t nearest = 0;
    if (!find_nearest(dispatch, request->size, &nearest, &selection->octaves, &selection->size))
        return false;
    double cost = dispatch->cases[nearest].costs[answer];
    selection->time_ns = strcmp(request->objective, "time") == 0 && cost > 0 ? cost : 0;
    selection->tree_sizes = dispatch->case_count;
    selection->configuration = strdup(dispatch->configurations[answer]);
    selection->device = strdup(request->device->name);
    selection->origin = strdup("measured");
    selection->measured_at = strdup(found->made_at);
    selection->compiler = strdup(found->compiler);
    return selection->configuration && selection->device && selection->origin && selection->measured_at &&
           selection->compiler;
}

/* A damaged document is no answer. */
static bool answer_by(const struct found *found, const struct selection_request *request, struct selection *selection,
                      struct error *error)
{
    struct dispatch *dispatch;
    struct error damage = {0};
    size_t answer;
    bool fits = false;
    if (!dispatch_parse(found->document, "the dispatch", &dispatch, &damage)) {
        if (damage.code == ERROR_INPUT)
            return true;
        *error = damage;
        return false;
    }
    if (!dispatch_answer(dispatch, request->size, &answer)) {
        dispatch_free(dispatch);
        return true;
    }
    bool done = fill(dispatch, answer, request, found, selection) || error_out_of_memory(error);
    dispatch_free(dispatch);
    done = done && request->fits(selection->configuration, &fits, request->context, error);
    if (done && request->observe)
        request->observe(selection, fits, request->observer);
    if (done && fits)
        selection->rule = SELECTION_TREE;
    else
        selection_clear(selection);
    return done;
}

static bool ask(struct store *store, const struct selection_request *request, struct selection *selection,
                struct error *error)
{
    struct found found = {0};
    const struct store_filter filter = {
        .template_name = request->template_name,
        .template_hash = request->template_hash,
        .device_kind = request->device->kind,
        .device_name = request->device->name,
        .inputs = request->inputs,
        .objective = request->objective,
    };
    bool done = store_dispatches(store, &filter, take, &found, error);
    if (done && found.any)
        done = found.document && found.made_at && found.compiler ? answer_by(&found, request, selection, error)
                                                                 : error_out_of_memory(error);
    free(found.document);
    free(found.made_at);
    free(found.compiler);
    return done;
}

static bool ask_site(const struct selection_request *request, struct selection *selection, struct error *error)
{
    struct site *site = request->site;
    for (size_t i = 0; site && i < site->count && selection->rule == SELECTION_NONE; i++) {
        struct error trouble = {0};
        *selection = (struct selection){.layer = LAYER_SITE, .place = strdup(store_path(site->stores[i]))};
        if (!selection->place)
            return error_out_of_memory(error);
        if (!ask(site->stores[i], request, selection, &trouble) && !site_note(site, &trouble, error))
            return false;
        if (selection->rule == SELECTION_NONE)
            selection_clear(selection);
    }
    return true;
}

bool selection_by_tree(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error)
{
    *selection = (struct selection){.layer = LAYER_DATABASE, .place = strdup("")};
    if (!selection->place)
        return error_out_of_memory(error);
    if (!ask(store, request, selection, error))
        return false;
    if (selection->rule == SELECTION_TREE)
        return true;
    selection_clear(selection);
    return ask_site(request, selection, error);
}
