/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_held_out.h"

#include "tuner/engine/set_between.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 20 };

/* Cases without a part; room for all. */
struct rest {
    int64_t *sizes;
    double *loss, *weights;
};

static struct tree_cases leave_out(const struct tree_cases *all, size_t parts, size_t part, const struct rest *rest)
{
    struct tree_cases left = {.dimensions = all->dimensions,
                              .configurations = all->configurations,
                              .sizes = rest->sizes,
                              .loss = rest->loss,
                              .weights = rest->weights};
    for (size_t i = 0; i < all->count; i++)
        left.count += parts < 2 || i % parts != part;
    for (size_t i = 0, to = 0; i < all->count; i++) {
        if (parts > 1 && i % parts == part)
            continue;
        memcpy(rest->sizes + to * all->dimensions, all->sizes + i * all->dimensions,
               all->dimensions * sizeof *rest->sizes);
        rest->weights[to] = all->weights[i];
        for (size_t c = 0; c < all->configurations; c++)
            rest->loss[c * left.count + to] = all->loss[c * all->count + i];
        to++;
    }
    return left;
}

/* What the tree of the others answers for a part. */
static bool judge(const struct tree_cases *all, const struct tree_cases *left, size_t leaves, size_t parts,
                  size_t part, double *held_out, struct error *error)
{
    struct set_between between = {0};
    struct tree tree = {0};
    bool done = set_between_make(left, &between, error) && tree_grow_to(&between.cases, leaves, &tree, error);
    for (size_t i = part; done && i < all->count; i += parts) {
        size_t leaf = tree_leaf(&tree, all->sizes + i * all->dimensions);
        held_out[i] = all->loss[tree.nodes[leaf].configuration * all->count + i];
    }
    tree_clear(&tree);
    set_between_clear(&between);
    return done;
}

bool set_held_out(const struct tree_cases *measured, size_t leaves, double *held_out, struct error *error)
{
    size_t parts = measured->count < PARTS_MOST ? measured->count : PARTS_MOST;
    const struct rest rest = {.sizes = calloc(measured->count * measured->dimensions + 1, sizeof *rest.sizes),
                              .loss = calloc(measured->count * measured->configurations + 1, sizeof *rest.loss),
                              .weights = calloc(measured->count + 1, sizeof *rest.weights)};
    bool done = (rest.sizes && rest.loss && rest.weights) || error_out_of_memory(error);
    for (size_t part = 0; done && part < parts; part++) {
        const struct tree_cases left = leave_out(measured, parts, part, &rest);
        done = judge(measured, &left, leaves, parts, part, held_out, error);
    }
    free(rest.sizes);
    free(rest.loss);
    free(rest.weights);
    return done;
}
