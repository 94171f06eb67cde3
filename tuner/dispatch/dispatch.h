/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch.h - what a sweep over many sizes leaves: a few configurations, a tree that picks one of them for any
 * sizes, and how they did at the sizes of the sweep. As a document, it is stored, and read from databases that anyone
 * may have written.
 *
 *     {"format": 1,
 *      "sizes": ["M", "N"],
 *      "configurations": [{"TILE": 64}, {"TILE": 8}],
 *      "tree": [{"feature": "ratio", "a": 0, "b": 1, "below": 0.5, "then": 1, "otherwise": 2},
 *               {"configuration": 1}, {"configuration": 0}],
 *      "cases": [{"size": [64, 4096], "weight": 1, "best": 1.5e6, "costs": [1.9e6, 1.5e6], "held_out": 1.0}]}
 *
 * "kind" and names of features are feature.h's; a node's children stand behind it. "best" is the least cost that was
 * found at that size, "costs" are those of the configurations: null where one failed or was not measured. "held_out"
 * is best / cost of what the tree would have answered there had it been grown without that size, and some others.
 */
#ifndef TUNE_DISPATCH_DISPATCH_H
#define TUNE_DISPATCH_DISPATCH_H

#include "tuner/dispatch/tree.h"

#include <stdio.h>

enum {
    DISPATCH_DIMENSIONS_MOST = 64,
    DISPATCH_CONFIGURATIONS_MOST = 64,
    DISPATCH_NODES_MOST = 2 * TREE_LEAVES_MOST,
    DISPATCH_CASES_MOST = 4096,
};

struct dispatch_case {
    int64_t *sizes; /* `dimensions` */
    double weight;
    double best;     /* the least cost found */
    double *costs;   /* by configuration; NAN: failed or not measured */
    double held_out; /* a share of the best, 0 .. 1 */
};

struct dispatch {
    size_t dimensions;
    char **names; /* of the sizes */
    size_t configuration_count;
    char **configurations; /* canonical JSON */
    struct tree tree;
    size_t case_count;
    struct dispatch_case *cases;
};

/* Room for so many of each, all zero. NULL: out of memory. */
struct dispatch *dispatch_create(size_t dimensions, size_t configurations, size_t cases);
void dispatch_free(struct dispatch *dispatch);

/* The document as a text. Allocated; NULL: out of memory. */
char *dispatch_text(const struct dispatch *dispatch);

/* Read such a text. ERROR_INPUT: it is damaged, and where; `what` names it in messages. */
bool dispatch_parse(const char *text, const char *what, struct dispatch **result, struct error *error);

/* The same of the document itself. `place`, unless NULL, says which member of it is damaged. */
struct json_t;
struct dispatch_place {
    const char *member;
    size_t index;  /* of the element */
    bool is_whole; /* the member itself, no element of it */
};
bool dispatch_read(const struct json_t *document, const char *what, struct dispatch **result,
                   struct dispatch_place *place, struct error *error);

/*
 * The configurations that may answer for a text of sizes ("M=4096,N=64"); the first of them that is valid for the
 * problem does: the tree's, then the others by what they are expected to lose there (expected_loss.h). Those that are
 * expected to lose much are left out, the tree's too: what was best at the nearest size is a better answer then.
 * `answers` has room for all; returns how many they are, 0 if the text lacks a size that the tree knows, or one is
 * not above 0.
 */
size_t dispatch_answers(const struct dispatch *dispatch, const char *size, size_t *answers);

/* How good the tree's answers are: best / cost by size. */
struct dispatch_quality {
    double mean, worst; /* weighted geometric mean, and least, where the answer has a cost; 0: it has nowhere */
    size_t worst_case;
    double held_out_mean, held_out_worst;
};
struct dispatch_quality dispatch_quality(const struct dispatch *dispatch);

#endif
