/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/explorer.h"

#include <math.h>
#include <stdlib.h>

enum { BEGIN_TRIES = 32 }; /* known design points skipped before any unknown configuration is taken */

bool explorer_create(struct explorer *explorer, const struct strategy_setup *setup, enum design_kind kind,
                     size_t design_size)
{
    *explorer = (struct explorer){
        .space = setup->space, .count = search_space_count(setup->space), .generator.state = setup->seed};
    if (!moves_create(&explorer->moves, setup->space, &explorer->generator))
        return false;
    explorer->design = design_create(kind, design_size, setup, &explorer->moves);
    return explorer->design != NULL;
}

void explorer_clear(struct explorer *explorer)
{
    moves_clear(&explorer->moves);
    design_free(explorer->design);
    index_map_clear(&explorer->places);
    free(explorer->trials);
}

bool explorer_knows(const struct explorer *explorer, size_t index)
{
    size_t at;
    return index_map_get(&explorer->places, index, &at);
}

static bool grow(struct explorer *explorer)
{
    size_t capacity = explorer->capacity ? 2 * explorer->capacity : 64;
    struct trial *trials = realloc(explorer->trials, capacity * sizeof *trials);
    if (!trials) {
        explorer->out_of_memory = true;
        return false;
    }
    explorer->trials = trials;
    explorer->capacity = capacity;
    return true;
}

/* NULL when out of memory, which the explorer remembers. */
static struct trial *add_trial(struct explorer *explorer, size_t index, ptrdiff_t origin)
{
    if (explorer->trial_count == explorer->capacity && !grow(explorer))
        return NULL;
    if (!index_map_put(&explorer->places, index, explorer->trial_count)) {
        explorer->out_of_memory = true;
        return NULL;
    }
    struct trial *trial = &explorer->trials[explorer->trial_count++];
    *trial = (struct trial){.index = index, .origin = origin};
    return trial;
}

enum answer explorer_ask(struct explorer *explorer, size_t wanted, ptrdiff_t origin, size_t *index)
{
    *index = wanted;
    return !explorer->out_of_memory && add_trial(explorer, wanted, origin) ? ASK_READY : ASK_FAILED;
}

enum answer explorer_begin(struct explorer *explorer, ptrdiff_t origin, size_t *index)
{
    if (explorer->trial_count >= explorer->count)
        return ASK_END;
    for (int i = 0; i < BEGIN_TRIES; i++) {
        size_t start = design_next(explorer->design);
        if (!explorer_knows(explorer, start))
            return explorer_ask(explorer, start, origin, index);
    }
    size_t start = generator_below(&explorer->generator, explorer->count);
    while (explorer_knows(explorer, start))
        start = start + 1 < explorer->count ? start + 1 : 0;
    return explorer_ask(explorer, start, origin, index);
}

const struct trial *explorer_tell(struct explorer *explorer, const struct observation *observation)
{
    size_t at;
    struct trial *trial;
    if (index_map_get(&explorer->places, observation->index, &at))
        trial = &explorer->trials[at];
    else
        trial = add_trial(explorer, observation->index, NO_ORIGIN);
    if (!trial || trial->told)
        return NULL;
    trial->told = true;
    trial->objective = observation->valid ? observation->objective : INFINITY;
    return trial;
}
