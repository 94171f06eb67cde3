/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - a decision tree over sizes, which picks one of a few configurations.
 *
 * CART (L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984) with what the
 * answers lose as its impurity: a leaf answers with the configuration that loses least over its cases, weighted, and
 * the split that saves most is made first, wherever in the tree it is. Of splits that save the same the one with the
 * widest gap between its two sides is made, in octaves (of units in half as many), then the first of feature.h. A
 * threshold is a power of two or a number of few digits within its gap.
 *
 * How many leaves a tree gets is decided by cross-validation: trees grown without a part of the cases answer for that
 * part. What they lose there counts for 0.632, and what a tree of as many leaves loses at its own cases, which are
 * asked about as well, for the rest (B. Efron, "Estimating the error rate of a prediction rule", Journal of the
 * American Statistical Association 78, 1983). The fewest leaves are taken that lose hardly more than the best number.
 * Nothing is random.
 */
#ifndef TUNE_DISPATCH_TREE_H
#define TUNE_DISPATCH_TREE_H

#include "tuner/dispatch/feature.h"
#include "tuner/error/error.h"

enum { TREE_DEPTH_MOST = 8, TREE_LEAVES_MOST = 32 };

struct tree_node {
    bool is_leaf;
    size_t configuration;   /* of a leaf */
    struct feature feature; /* otherwise */
    double below;
    size_t then, otherwise; /* nodes behind this one, by whether the feature is below that */
};

struct tree {
    struct tree_node *nodes; /* the root first */
    size_t count;            /* 0: no tree */
};

/* Sizes for which it is known what each configuration loses: finite. */
struct tree_cases {
    size_t dimensions, configurations, count;
    const int64_t *sizes;  /* sizes[case * dimensions + dimension], above 0 */
    const double *loss;    /* loss[configuration * count + case] */
    const double *weights; /* of the cases */
    /* Where cases were made up around others that were measured: the first `measured` are, and around[case] is the
     * one that it stands or falls with in cross-validation, itself among these. NULL: all are measured. */
    size_t measured;
    const size_t *around;
};

/*
 * Grow a tree of at most `leaves` leaves; at least one case and one configuration are needed. `held_out` (as many as
 * measured cases; may be NULL) becomes what the answers lose that cross-validation gave for each case. An error only
 * when out of memory. Clear the tree in any case.
 */
bool tree_grow(const struct tree_cases *cases, size_t leaves, struct tree *tree, double *held_out,
               struct error *error);
void tree_clear(struct tree *tree);

/* The same of as many leaves as are asked for, if so many save anything. */
bool tree_grow_to(const struct tree_cases *cases, size_t leaves, struct tree *tree, struct error *error);

/* The leaf that answers for these sizes. */
size_t tree_leaf(const struct tree *tree, const int64_t *sizes);

/* A number x, low < x <= high, that is short to write; 0 <= low < high. */
double tree_threshold(double low, double high);

#endif
