/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_held_out.h"

#include <stdlib.h>

enum { PARTS_MOST = 5 };

struct holding {
    const struct set_known *known;
    const struct set_between *between;
    const size_t *rows;
    size_t count, leaves;
    size_t *places; /* of the rows, in the table */
    bool *left_out; /* by size of the set */
    double *held_out;
};

static double loss_of(const struct holding *holding, size_t configuration, size_t which)
{
    const struct tree_cases *cases = &holding->between->cases;
    return cases->loss[holding->rows[configuration] * cases->count + which];
}

static double loss_of_answer(const struct holding *holding, size_t answer, size_t which)
{
    double sum = 0;
    size_t others = 0;
    if (loss_of(holding, answer, which) < cost_table_loss_most)
        return loss_of(holding, answer, which);
    for (size_t i = 0; i < holding->count; i++) {
        double loss = loss_of(holding, i, which);
        if (loss < cost_table_loss_most) {
            sum += loss;
            others++;
        }
    }
    return others > 0 ? sum / (double)others : cost_table_loss_most;
}

/* What the tree of the others answers for a part. The rows of `rest` are in the order of ours. */
static bool judge_by(struct holding *holding, const struct set_between *rest, size_t parts, size_t part,
                     struct error *error)
{
    const struct tree_cases *cases = &holding->between->cases;
    struct tree tree = {0};
    if (!tree_grow_to(&rest->cases, holding->leaves, &tree, error))
        return false;
    for (size_t i = part; i < cases->measured; i += parts) {
        size_t leaf = tree_leaf(&tree, cases->sizes + i * cases->dimensions);
        holding->held_out[i] = loss_of_answer(holding, tree.nodes[leaf].configuration, i);
    }
    tree_clear(&tree);
    return true;
}

static bool judge(struct holding *holding, size_t parts, size_t part, struct error *error)
{
    const struct set_between *between = holding->between;
    struct set_between rest;
    for (size_t i = 0; i < between->cases.measured; i++)
        holding->left_out[between->swept[i]] = parts > 1 && i % parts == part;
    const struct set_between_request request = {.known = holding->known,
                                                .chosen = holding->places,
                                                .chosen_count = holding->count,
                                                .left_out = holding->left_out,
                                                .like = between->forecast};
    bool done = set_between_make(&request, &rest, error) && judge_by(holding, &rest, parts, part, error);
    set_between_clear(&rest);
    return done;
}

bool set_held_out(const struct set_known *known, const struct set_between *between, const size_t *rows, size_t count,
                  size_t leaves, double *held_out, struct error *error)
{
    size_t measured = between->cases.measured, parts = measured < PARTS_MOST ? measured : PARTS_MOST;
    struct holding holding = {known, between, rows, count, leaves, .held_out = held_out};
    holding.places = calloc(count + 1, sizeof *holding.places);
    holding.left_out = calloc(known->set->count + 1, sizeof *holding.left_out);
    bool done = (holding.places && holding.left_out) || error_out_of_memory(error);
    for (size_t i = 0; done && i < count; i++)
        holding.places[i] = between->places[rows[i]];
    for (size_t part = 0; done && part < parts; part++)
        done = judge(&holding, parts, part, error);
    free(holding.places);
    free(holding.left_out);
    return done;
}
