/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/descent.h"

#include <math.h>

static const struct incumbent no_incumbent = {.objective = INFINITY};

bool descent_create(struct descent *descent, const struct strategy_setup *setup, size_t starts, double locality)
{
    *descent = (struct descent){.locality = locality, .now = no_incumbent, .next = no_incumbent};
    return explorer_create(&descent->explorer, setup, DESIGN_COVER, starts);
}

void descent_clear(struct descent *descent)
{
    vicinity_clear(&descent->vicinity);
    explorer_clear(&descent->explorer);
}

static ptrdiff_t origin_of(const struct descent *descent, const struct incumbent *incumbent)
{
    return descent->number + (incumbent == &descent->next);
}

static enum answer count_asked(struct incumbent *incumbent, enum answer answer)
{
    incumbent->asked += answer == ASK_READY;
    incumbent->open += answer == ASK_READY;
    return answer;
}

enum answer descent_begin(struct descent *descent, struct incumbent *incumbent, size_t *index)
{
    return count_asked(incumbent, explorer_begin(&descent->explorer, origin_of(descent, incumbent), index));
}

enum answer descent_begin_at(struct descent *descent, struct incumbent *incumbent, size_t start, size_t *index)
{
    return count_asked(incumbent, explorer_ask(&descent->explorer, start, origin_of(descent, incumbent), index));
}

enum answer descent_ask(struct descent *descent, size_t *index)
{
    if (descent->moved) {
        if (!vicinity_around(&descent->vicinity, &descent->explorer, descent->now.index, descent->locality))
            return ASK_FAILED;
        descent->moved = false;
    }
    if (isfinite(descent->now.objective) && vicinity_next(&descent->vicinity, &descent->explorer, index))
        return descent_begin_at(descent, &descent->now, *index, index);
    return descent->now.open > 0 ? ASK_WAIT : ASK_END;
}

void descent_tell(struct descent *descent, const struct observation *observation)
{
    const struct trial *trial = explorer_tell(&descent->explorer, observation);
    if (!trial)
        return;
    struct incumbent *incumbent = trial->origin == descent->number + 1 ? &descent->next : &descent->now;
    if (trial->origin >= descent->number)
        incumbent->open--;
    if (trial->objective < incumbent->objective) {
        incumbent->index = trial->index;
        incumbent->objective = trial->objective;
        descent->moved = descent->moved || incumbent == &descent->now;
    }
}

void descent_advance(struct descent *descent)
{
    descent->number++;
    descent->now = descent->next;
    descent->next = no_incumbent;
    descent->moved = isfinite(descent->now.objective);
}
