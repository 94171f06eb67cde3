/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.h - how far an answer may come from, and what answers in its place.
 *
 * A result of another problem that is farther than REACH_OCTAVES (nearness.h) loses to the default of the template's
 * space, provided that this was ever valid, for any problem: sweeps try it first. Where it was not, the distant
 * result is still the one that was validated, and answers. Trees (by_tree.h) are not concerned.
 * tests/bench/RESULTS.md has the figures that the limit is chosen by.
 */
#ifndef TUNE_SELECT_REACH_H
#define TUNE_SELECT_REACH_H

#include "tuner/select/selection.h"

#define REACH_OCTAVES 12.0

bool reach_is_exceeded(const struct selection *selection);

/* Was the configuration (canonical JSON) valid for any problem of the request's template that the databases have? A
 * site's that cannot be read is noted there. */
bool reach_was_valid(struct store *store, const struct selection_request *request, const char *configuration,
                     bool *valid, struct error *error);

/* Why a result answers that is too far; `distant` is what selection_text says of it. Allocated; NULL: out of memory.
 */
char *reach_distant_text(const char *distant);

/* Why the default of the space answers, or its first valid configuration if that is not `named`: in place of a
 * result that is too far, or of nothing (NULL). Likewise. */
char *reach_default_text(const char *distant, bool named, const char *space);

#endif
