/* SPDX-License-Identifier: Apache-2.0 */
/*
 * members.h - the domains of a problem as members of one search space.
 */
#ifndef TUNE_SPACE_MEMBERS_H
#define TUNE_SPACE_MEMBERS_H

#include "tuner/space/domain.h"
#include "tuner/space/search_space.h"

/* The dimensions are the parameters that any of the domains mentions, in the template's order. */
bool members_search_space(const struct template *template, const struct domain *domains, size_t domain_count,
                          struct search_space **result, struct error *error);

#endif
