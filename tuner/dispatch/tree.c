/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS_MOST = 20 };

static const double least_gain = 1e-9;   /* of the sum of losses */
static const double indifference = 2e-3; /* of the mean loss: fewer leaves are worth that */
static const double held_out_share = 0.632;

struct split {
    struct feature feature;
    double below, gain, gap;
    size_t left; /* how many cases go there */
};

/* A leaf while the tree grows: cases order[first] .. order[first + count - 1]. */
struct leaf {
    size_t node, first, count, depth;
    struct split split; /* its best; a gain of 0: none */
};

struct growth {
    const struct tree_cases *cases;
    struct tree *tree;
    size_t *order;
    double *values;       /* by case, of the feature at hand */
    double *left, *total; /* by configuration: sums of loss */
    struct leaf leaves[TREE_LEAVES_MOST];
    size_t leaf_count;
};

double tree_threshold(double low, double high)
{
    double middle = low > 0 ? sqrt(low) * sqrt(high) : high / 2;
    double power = exp2(round(log2(middle)));
    for (int i = 0; i < 3; i++) {
        double near = i == 0 ? power : i == 1 ? power / 2 : power * 2;
        if (near > low && near <= high)
            return near;
    }
    for (int digits = 1; digits <= 17; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, middle);
        double number = strtod(text, NULL);
        if (number > low && number <= high)
            return number;
    }
    return high;
}

size_t tree_leaf(const struct tree *tree, const int64_t *sizes)
{
    size_t at = 0;
    while (!tree->nodes[at].is_leaf) {
        const struct tree_node *node = &tree->nodes[at];
        at = feature_value(&node->feature, sizes) < node->below ? node->then : node->otherwise;
    }
    return at;
}

void tree_clear(struct tree *tree)
{
    free(tree->nodes);
    *tree = (struct tree){0};
}

/* ---- splits */

static double loss_of(const struct tree_cases *cases, size_t configuration, size_t which)
{
    return cases->weights[which] * cases->loss[configuration * cases->count + which];
}

static double least(const double *sums, size_t count, size_t *which)
{
    *which = 0;
    for (size_t c = 1; c < count; c++) {
        if (sums[c] < sums[*which])
            *which = c;
    }
    return sums[*which];
}

static double least_of_rest(const double *total, const double *part, size_t count)
{
    double best = INFINITY;
    for (size_t c = 0; c < count; c++)
        best = fmin(best, total[c] - part[c]);
    return best;
}

static int by_value(const void *a, const void *b, void *values)
{
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    double first = ((const double *)values)[one], second = ((const double *)values)[other];
    if (first != second)
        return first < second ? -1 : 1;
    return one < other ? -1 : 1;
}

static void sort_by(struct growth *growth, const struct leaf *leaf, const struct feature *feature)
{
    const struct tree_cases *cases = growth->cases;
    for (size_t i = 0; i < leaf->count; i++) {
        size_t which = growth->order[leaf->first + i];
        growth->values[which] = feature_value(feature, cases->sizes + which * cases->dimensions);
    }
    qsort_r(growth->order + leaf->first, leaf->count, sizeof *growth->order, by_value, growth->values);
}

static bool is_better(const struct split *split, const struct split *best)
{
    if (split->gain > best->gain + least_gain)
        return true;
    return split->gain > best->gain - least_gain && best->gain > 0 && split->gap > best->gap + least_gain;
}

/* The cases are sorted by the feature: try every place between two values. */
static void try_feature(struct growth *growth, struct leaf *leaf, const struct feature *feature, double unsplit)
{
    const struct tree_cases *cases = growth->cases;
    const size_t *order = growth->order + leaf->first;
    memset(growth->left, 0, cases->configurations * sizeof *growth->left);
    for (size_t i = 0; i + 1 < leaf->count; i++) {
        for (size_t c = 0; c < cases->configurations; c++)
            growth->left[c] += loss_of(cases, c, order[i]);
        double low = growth->values[order[i]], high = growth->values[order[i + 1]];
        if (!(low < high))
            continue;
        size_t which;
        double loss = least(growth->left, cases->configurations, &which) +
                      least_of_rest(growth->total, growth->left, cases->configurations);
        const struct split split = {.feature = *feature,
                                    .below = tree_threshold(low, high),
                                    .gain = unsplit - loss,
                                    .gap = (log2(high) - log2(low)) * (feature->kind == FEATURE_UNIT ? 0.5 : 1),
                                    .left = i + 1};
        if (split.gain > least_gain && is_better(&split, &leaf->split))
            leaf->split = split;
    }
}

/* What the node answers as a leaf, and the leaf's best split. */
static void examine(struct growth *growth, struct leaf *leaf)
{
    const struct tree_cases *cases = growth->cases;
    struct tree_node *node = &growth->tree->nodes[leaf->node];
    memset(growth->total, 0, cases->configurations * sizeof *growth->total);
    for (size_t i = 0; i < leaf->count; i++) {
        for (size_t c = 0; c < cases->configurations; c++)
            growth->total[c] += loss_of(cases, c, growth->order[leaf->first + i]);
    }
    *node = (struct tree_node){.is_leaf = true};
    double unsplit = least(growth->total, cases->configurations, &node->configuration);
    leaf->split = (struct split){0};
    for (size_t i = 0; leaf->depth < TREE_DEPTH_MOST && i < feature_count(cases->dimensions); i++) {
        const struct feature feature = feature_number(cases->dimensions, i);
        sort_by(growth, leaf, &feature);
        try_feature(growth, leaf, &feature, unsplit);
    }
}

/* Make the split that saves most; false: none saves anything. */
static bool split_one(struct growth *growth)
{
    struct leaf *leaf = &growth->leaves[0];
    for (size_t i = 1; i < growth->leaf_count; i++) {
        if (growth->leaves[i].split.gain > leaf->split.gain)
            leaf = &growth->leaves[i];
    }
    const struct split split = leaf->split;
    if (split.gain <= 0)
        return false;
    sort_by(growth, leaf, &split.feature);
    size_t then = growth->tree->count;
    growth->tree->nodes[leaf->node] =
        (struct tree_node){.feature = split.feature, .below = split.below, .then = then, .otherwise = then + 1};
    growth->tree->count += 2;
    struct leaf *other = &growth->leaves[growth->leaf_count++];
    *other = (struct leaf){.node = then + 1,
                           .first = leaf->first + split.left,
                           .count = leaf->count - split.left,
                           .depth = leaf->depth + 1};
    *leaf = (struct leaf){.node = then, .first = leaf->first, .count = split.left, .depth = leaf->depth + 1};
    examine(growth, leaf);
    examine(growth, other);
    return true;
}

/* ---- growth */

static size_t measured_of(const struct tree_cases *cases)
{
    return cases->around ? cases->measured : cases->count;
}

static bool is_in_fold(const struct tree_cases *cases, size_t which, size_t folds, size_t fold)
{
    return folds > 0 && (cases->around ? cases->around[which] : which) % folds == fold;
}

/* Grow by all cases but every `folds`-th from `fold` on (folds 0: by all), to at most `leaves` leaves. After each
 * step with L leaves, losses[(L - 1) * count + case] becomes what is lost at the cases that were left out; may be
 * NULL. */
static bool grow(const struct tree_cases *cases, size_t leaves, size_t folds, size_t fold, struct tree *tree,
                 double *losses, struct error *error)
{
    size_t most = leaves < TREE_LEAVES_MOST ? leaves : TREE_LEAVES_MOST;
    struct growth growth = {.cases = cases, .tree = tree};
    *tree = (struct tree){.nodes = calloc(2 * most, sizeof *tree->nodes), .count = 1};
    growth.order = calloc(cases->count + 1, sizeof *growth.order);
    growth.values = calloc(cases->count + 1, sizeof *growth.values);
    growth.left = calloc(cases->configurations + 1, sizeof *growth.left);
    growth.total = calloc(cases->configurations + 1, sizeof *growth.total);
    bool done = tree->nodes && growth.order && growth.values && growth.left && growth.total;
    if (done) {
        struct leaf *root = &growth.leaves[growth.leaf_count++];
        *root = (struct leaf){0};
        for (size_t i = 0; i < cases->count; i++) {
            if (!is_in_fold(cases, i, folds, fold))
                growth.order[root->count++] = i;
        }
        examine(&growth, root);
    }
    for (size_t reached = 1; done && reached <= most; reached++) {
        if (reached > growth.leaf_count)
            split_one(&growth); /* or stay as it is */
        for (size_t i = fold; losses && i < measured_of(cases); i += folds ? folds : 1) {
            const struct tree_node *node = &tree->nodes[tree_leaf(tree, cases->sizes + i * cases->dimensions)];
            losses[(reached - 1) * cases->count + i] = cases->loss[node->configuration * cases->count + i];
        }
    }
    free(growth.order);
    free(growth.values);
    free(growth.left);
    free(growth.total);
    if (!done)
        tree_clear(tree);
    return done || error_out_of_memory(error);
}

static double mean_loss(const struct tree_cases *cases, const double *losses)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < measured_of(cases); i++) {
        sum += cases->weights[i] * losses[i];
        weight += cases->weights[i];
    }
    return sum / weight;
}

/* What a tree of so many leaves is estimated to lose. */
static double estimate(const struct tree_cases *cases, const double *held_out, const double *own, size_t leaves)
{
    size_t row = (leaves - 1) * cases->count;
    return held_out_share * mean_loss(cases, held_out + row) + (1 - held_out_share) * mean_loss(cases, own + row);
}

/* The fewest leaves that lose hardly more than the best number. */
static size_t choose_leaves(const struct tree_cases *cases, const double *held_out, const double *own, size_t most)
{
    double best = INFINITY;
    for (size_t leaves = 1; leaves <= most; leaves++)
        best = fmin(best, estimate(cases, held_out, own, leaves));
    size_t chosen = 1;
    while (estimate(cases, held_out, own, chosen) > best + indifference)
        chosen++;
    return chosen;
}

bool tree_grow(const struct tree_cases *cases, size_t leaves, struct tree *tree, double *held_out,
               struct error *error)
{
    size_t most = leaves < TREE_LEAVES_MOST ? leaves : TREE_LEAVES_MOST;
    size_t measured = measured_of(cases), folds = measured < FOLDS_MOST ? measured : FOLDS_MOST, chosen = 1;
    double *losses = calloc(most * cases->count + 1, sizeof *losses);
    double *own = calloc(most * cases->count + 1, sizeof *own);
    *tree = (struct tree){0};
    bool done = (losses && own) || error_out_of_memory(error);
    for (size_t fold = 0; done && folds > 1 && fold < folds; fold++) {
        struct tree part;
        done = grow(cases, most, folds, fold, &part, losses, error);
        tree_clear(&part);
    }
    if (done && folds > 1) {
        done = grow(cases, most, 0, 0, tree, own, error);
        tree_clear(tree);
        chosen = done ? choose_leaves(cases, losses, own, most) : 1;
    }
    if (done && held_out)
        memcpy(held_out, losses + (chosen - 1) * cases->count, measured * sizeof *held_out);
    free(losses);
    free(own);
    return done && grow(cases, chosen, 0, 0, tree, NULL, error);
}

bool tree_grow_to(const struct tree_cases *cases, size_t leaves, struct tree *tree, struct error *error)
{
    *tree = (struct tree){0};
    return grow(cases, leaves, 0, 0, tree, NULL, error);
}
