/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_tree.h - a dispatch tree (dispatch/dispatch.h) of a database, read once, and what it answers for a problem.
 *
 * Internal to select/.
 */
#ifndef TUNE_SELECT_KNOWN_TREE_H
#define TUNE_SELECT_KNOWN_TREE_H

#include "tuner/select/nearness.h"
#include "tuner/select/selection.h"

struct known_tree;

/* `*tree` is NULL if the document is damaged, which is no error. An error only when out of memory. */
bool known_tree_read(const struct store_dispatch_row *row, enum selection_layer layer, const char *place,
                     struct known_tree **tree, struct error *error);
void known_tree_free(struct known_tree *tree);

enum selection_layer known_tree_layer(const struct known_tree *tree);
/* What data files held, as in struct store_problem. */
const char *known_tree_inputs(const struct known_tree *tree);

/* The selection becomes the first of the dispatch's answers (dispatch_answers) that is valid, or none. `asked` is the
 * request's size. To be cleared in any case. */
bool known_tree_answer(const struct known_tree *tree, const struct selection_request *request,
                       const struct size_point *asked, struct selection *selection, struct error *error);

#endif
