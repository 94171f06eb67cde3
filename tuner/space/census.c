/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/census.h"

#include "tuner/space/solution.h"

#include <math.h>
#include <stdlib.h>

/* Making a term takes as long as trying some values: constraints by the thousand cannot each be counted. */
enum { TERM_EFFORT = 20 };

/* How many configurations the first constraints let pass; negative if counting takes too much. */
static double count_passing(const struct domain *domain, size_t constraint_count, size_t *effort)
{
    struct solution solution;
    double count = -1;
    if (!solution_start(&solution, domain, constraint_count, NULL, 0, true))
        return -1;
    const struct terms *terms = &solution.model.terms;
    size_t made = terms->count * TERM_EFFORT + terms->foreign_count * domain->slot_count;
    *effort -= made < *effort ? made : *effort;
    if (*effort > 0 && solution_find(&solution, effort) == CONSTRUCT_DONE)
        count = diagram_builder_count(solution.builder, solution.root);
    solution_end(&solution);
    return count;
}

bool census(struct domain *domain, size_t effort)
{
    size_t count = domain->space->constraint_count;
    double before = domain_cartesian(domain);
    double *removed = calloc(count + 1, sizeof *removed);
    if (!removed)
        return false;
    for (size_t i = 0; i < count; i++) {
        double passing = before == 0 ? 0 : effort == 0 ? -1 : count_passing(domain, i + 1, &effort);
        bool counted = passing >= 0 && before >= 0 && isfinite(before);
        removed[i] = counted ? before - passing : -1;
        before = passing;
    }
    domain->removed = removed;
    return true;
}
