#include "tuner/space/domain.h"

#include <stdlib.h>
#include <string.h>

/*
 * The same search as enumerate.c, with another question: which constraint, in declared order, is the first to remove
 * a configuration? A constraint that fails early may have one before it that is decided later, so the search goes on
 * until none of those is left, and then credits the whole subtree at once.
 */

enum { VISITS_LIMIT = 20 * 1000 * 1000 };

struct census {
    const struct domain *domain;
    struct value *slots;
    double *removed;
    double *below;       /* configurations below a node of each level */
    size_t *first_later; /* the first constraint that is decided at a level beyond */
    size_t visits;
};

/* The first constraint of the level that fails, if that is before `failed`. */
static size_t judge_level(struct census *census, size_t level, size_t failed)
{
    const struct schedule *constraints = &census->domain->constraints;
    domain_set_lets(census->domain, level, census->slots);
    for (size_t i = constraints->first[level]; i < constraints->first[level + 1]; i++) {
        size_t constraint = constraints->items[i];
        if (constraint >= failed)
            break;
        if (domain_judge(census->domain, constraint, census->slots) == VERDICT_REMOVED)
            return constraint;
    }
    return failed;
}

static bool count_below(struct census *census, size_t level, size_t failed)
{
    const struct domain *domain = census->domain;
    if (++census->visits > VISITS_LIMIT)
        return false;
    failed = judge_level(census, level, failed);
    if (census->first_later[level] >= failed) {
        if (failed < domain->space->constraint_count)
            census->removed[failed] += census->below[level];
        return true;
    }
    const struct domain_parameter *parameter = &domain->parameters[domain->order[level]];
    for (size_t i = 0; i < parameter->count; i++) {
        census->slots[parameter->declaration->slot] = parameter->values[i];
        if (!count_below(census, level + 1, failed))
            return false;
    }
    return true;
}

static void look_ahead(struct census *census)
{
    const struct domain *domain = census->domain;
    const struct schedule *constraints = &domain->constraints;
    census->below[domain->depth] = 1;
    census->first_later[domain->depth] = domain->space->constraint_count;
    for (size_t level = domain->depth; level-- > 0;) {
        const struct domain_parameter *parameter = &domain->parameters[domain->order[level]];
        census->below[level] = census->below[level + 1] * (double)parameter->count;
        size_t first = census->first_later[level + 1];
        size_t at = constraints->first[level + 1];
        if (at < constraints->first[level + 2] && constraints->items[at] < first)
            first = constraints->items[at];
        census->first_later[level] = first;
    }
}

bool domain_count_removed(struct domain *domain)
{
    bool done = false;
    size_t count = domain->space->constraint_count;
    struct census census = {.domain = domain};
    census.slots = malloc((domain->slot_count + 1) * sizeof *census.slots);
    census.below = calloc(domain->depth + 1, sizeof *census.below);
    census.first_later = calloc(domain->depth + 1, sizeof *census.first_later);
    census.removed = calloc(count + 1, sizeof *census.removed);
    if (!census.slots || !census.below || !census.first_later || !census.removed)
        goto end;
    memcpy(census.slots, domain->base[SIZES_TUNED], domain->slot_count * sizeof *census.slots);
    look_ahead(&census);
    if (!count_below(&census, 0, count)) {
        for (size_t i = 0; i < count; i++)
            census.removed[i] = -1;
    }
    domain->removed = census.removed;
    census.removed = NULL;
    done = true;
end:
    free(census.slots);
    free(census.below);
    free(census.first_later);
    free(census.removed);
    return done;
}
