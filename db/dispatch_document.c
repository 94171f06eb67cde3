/* SPDX-License-Identifier: Apache-2.0 */
#include "db/dispatch_document.h"
#include "db/dispatch.h"
#include "db/objects.h"

#include "tuner/dispatch/dispatch.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>

/* The numbers of all cases together: some megabytes of a page. */
enum { NUMBERS_MOST = 100000, NUMBERS_BESIDE_SIZES = 5 };

static const char dispatches_sql[] =
    "SELECT template.name AS template, template.hash AS template_hash, "
    "CASE WHEN dispatch.inputs <> '' THEN (SELECT max(input_files) FROM problem WHERE problem.template = template.id "
    "AND problem.device = dispatch.device AND problem.inputs = dispatch.inputs) END AS data, dispatch.objective, "
    "dispatch.origin, dispatch.made_at, toolchain.driver, toolchain.compiler, dispatch.document FROM dispatch "
    "CROSS JOIN template ON template.id = dispatch.template "
    "CROSS JOIN toolchain ON toolchain.id = dispatch.toolchain WHERE dispatch.device = ? "
    "ORDER BY template.name, template.used_at DESC, template.id DESC, dispatch.inputs, "
    "dispatch.objective, " DISPATCH_BY_ORIGIN;

/* Of the costs at a size a page shows that of the tree's answer. */
static bool answer_case(const struct dispatch *dispatch, size_t index, json_t *json)
{
    const struct dispatch_case *own = &dispatch->cases[index];
    size_t answer = dispatch->tree.nodes[tree_leaf(&dispatch->tree, own->sizes)].configuration;
    json_object_del(json, "costs");
    return json_object_set_new(json, "answer", json_integer((json_int_t)answer)) == 0 &&
           (!(own->costs[answer] > 0) || json_object_set_new(json, "cost", json_real(own->costs[answer])) == 0);
}

/* The members of the document, as this program writes it, become the row's. */
static bool complete(const struct dispatch *dispatch, json_t *row)
{
    char *text = dispatch_text(dispatch);
    json_t *document = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_object_del(row, "document");
    bool done = document && json_object_update_missing(row, document) == 0;
    json_decref(document);
    json_t *cases = json_object_get(row, "cases");
    for (size_t i = 0; i < dispatch->case_count && done; i++)
        done = answer_case(dispatch, i, json_array_get(cases, i));
    return done;
}

struct adding {
    json_t *dispatches;
    size_t numbers; /* so far */
    json_int_t left_out;
};

static bool add(struct adding *adding, json_t *row, struct error *error)
{
    struct dispatch *dispatch;
    struct error damage = {0};
    if (!dispatch_read(json_object_get(row, "document"), "the dispatch", &dispatch, NULL, &damage))
        return damage.code == ERROR_INPUT || error_out_of_memory(error);
    size_t numbers = dispatch->case_count * (dispatch->dimensions + NUMBERS_BESIDE_SIZES);
    bool fits = adding->numbers + numbers <= NUMBERS_MOST, done = true;
    if (fits) {
        adding->numbers += numbers;
        done = complete(dispatch, row) && json_array_append(adding->dispatches, row) == 0;
    } else {
        adding->left_out++;
    }
    dispatch_free(dispatch);
    return done || error_out_of_memory(error);
}

bool dispatch_document_add(struct store *store, int64_t device, json_t *document, struct error *error)
{
    struct adding adding = {.dispatches = json_array()};
    size_t i;
    json_t *rows = NULL, *row;
    bool done = adding.dispatches ? rows_json(store, dispatches_sql, device, SHAPE_OBJECTS, &rows, error)
                                  : error_out_of_memory(error);
    json_array_foreach(rows, i, row)
    {
        done = done && add(&adding, row, error);
    }
    json_decref(rows);
    if (done)
        done = (json_object_set(document, "dispatches", adding.dispatches) == 0 &&
                (adding.left_out == 0 ||
                 json_object_set_new(document, "dispatches_left_out", json_integer(adding.left_out)) == 0)) ||
               error_out_of_memory(error);
    json_decref(adding.dispatches);
    return done;
}
