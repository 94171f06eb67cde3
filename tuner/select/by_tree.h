/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_tree.h - what the dispatch tree of a sweep over many sizes (dispatch/dispatch.h) answers for a problem.
 */
#ifndef TUNE_SELECT_BY_TREE_H
#define TUNE_SELECT_BY_TREE_H

#include "tuner/select/selection.h"

/* The answer of the latest dispatch for this kernel, model of device, data and objective that the store has, or else
 * the site. The rule stays as it is if there is none, if it is damaged, or if its answer is not valid for the
 * problem. To be cleared in any case. */
bool selection_by_tree(struct store *store, const struct selection_request *request, struct selection *selection,
                       struct error *error);

#endif
