/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_tree.h - what the dispatch trees of sweeps over many sizes (dispatch/dispatch.h) answer for a problem.
 */
#ifndef TUNE_SELECT_BY_TREE_H
#define TUNE_SELECT_BY_TREE_H

#include "tuner/select/selection.h"

/* Visit the dispatches that store_dispatches finds, layer by layer in their order: the database's own and those it
 * imported, the site's (`place` is the file or folder, else ""), what came with tune. What of the site cannot be read
 * is noted there. */
typedef bool selection_tree_visitor(const struct store_dispatch_row *row, enum selection_layer layer,
                                    const char *place, void *context); /* false: stop */
bool selection_trees(struct store *store, struct site *site, const struct store_filter *filter,
                     selection_tree_visitor *visit, void *context, struct error *error);

/* The answer of the first dispatch for this kernel, model of device, data and objective that has a valid one; none if
 * there is no such dispatch, damaged ones aside. To be cleared in any case. */
bool selection_by_tree(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error);

#endif
