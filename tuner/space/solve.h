/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solve.h - a domain's valid configurations, found and numbered.
 */
#ifndef TUNE_SPACE_SOLVE_H
#define TUNE_SPACE_SOLVE_H

#include "tuner/space/domain.h"

/*
 * Find the valid configurations that are in none of `formers`, earlier members of a union with the same parameters,
 * and choose the default. `effort` is the number of values that may be tried. Errors: a configuration that no
 * constraint removes and for which some constraint cannot be evaluated; more effort than allowed; more configurations
 * than can be numbered.
 */
bool solve(struct domain *domain, const struct domain *const *formers, size_t former_count, size_t effort,
           struct error *error);

#endif
