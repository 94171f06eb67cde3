/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/descent.h"

#include <math.h>

static const struct site nowhere = {.objective = INFINITY};

bool descent_create(struct descent *descent, const struct strategy_setup *setup, size_t starts, double locality)
{
    *descent = (struct descent){.locality = locality, .now = nowhere, .next = nowhere};
    return explorer_create(&descent->explorer, setup, DESIGN_LATIN, starts);
}

void descent_clear(struct descent *descent)
{
    vicinity_clear(&descent->vicinity);
    explorer_clear(&descent->explorer);
}

static ptrdiff_t origin_of(const struct descent *descent, const struct site *site)
{
    return descent->number + (site == &descent->next);
}

static enum answer count_asked(struct site *site, enum answer answer)
{
    site->asked += answer == ASK_READY;
    site->open += answer == ASK_READY;
    return answer;
}

enum answer descent_begin(struct descent *descent, struct site *site, size_t *index)
{
    return count_asked(site, explorer_begin(&descent->explorer, origin_of(descent, site), index));
}

enum answer descent_begin_at(struct descent *descent, struct site *site, size_t start, size_t *index)
{
    return count_asked(site, explorer_ask(&descent->explorer, start, origin_of(descent, site), index));
}

enum answer descent_ask(struct descent *descent, size_t *index)
{
    if (descent->moved) {
        if (!vicinity_around(&descent->vicinity, &descent->explorer, descent->now.index, descent->locality))
            return ASK_END;
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
    struct site *site = trial->origin == descent->number + 1 ? &descent->next : &descent->now;
    if (trial->origin >= descent->number)
        site->open--;
    if (trial->objective < site->objective) {
        site->index = trial->index;
        site->objective = trial->objective;
        descent->moved = descent->moved || site == &descent->now;
    }
}

void descent_turn(struct descent *descent)
{
    descent->number++;
    descent->now = descent->next;
    descent->next = nowhere;
    descent->moved = isfinite(descent->now.objective);
}
