/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random search without replacement: one step of the Fisher-Yates shuffle per question (D. E. Knuth, "The Art of
 * Computer Programming" 2, 3.4.2, algorithm P). Only swapped elements are stored, so memory grows with the number of
 * questions, not with the space. No parameters.
 */
#include "tuner/search/generator.h"
#include "tuner/search/strategies.h"
#include "tuner/space/index_map.h"

#include <stdlib.h>

struct shuffle {
    struct generator generator;
    size_t next, count;
    struct index_map moved; /* place -> the configuration there, unless its own */
};

static bool random_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct shuffle *shuffle = calloc(1, sizeof *shuffle);
    if (!shuffle)
        return error_out_of_memory(error);
    shuffle->generator.state = setup->seed;
    shuffle->count = search_space_count(setup->space);
    *state = shuffle;
    return true;
}

static size_t at(const struct shuffle *shuffle, size_t place)
{
    size_t moved;
    return index_map_get(&shuffle->moved, place, &moved) ? moved : place;
}

static enum answer random_ask(void *state, size_t *index)
{
    struct shuffle *shuffle = state;
    if (shuffle->next == shuffle->count)
        return ASK_END;
    size_t place = shuffle->next + generator_below(&shuffle->generator, shuffle->count - shuffle->next);
    *index = at(shuffle, place);
    if (!index_map_put(&shuffle->moved, place, at(shuffle, shuffle->next)))
        return ASK_FAILED;
    shuffle->next++;
    return ASK_READY;
}

static void random_tell(void *state, const struct observation *observation)
{
    (void)state, (void)observation; /* results don't change the order */
}

static void random_destroy(void *state)
{
    struct shuffle *shuffle = state;
    if (shuffle)
        index_map_clear(&shuffle->moved);
    free(shuffle);
}

const struct strategy_driver strategy_random = {
    .name = "random",
    .meaning = "valid configurations in random order, without repetition",
    .create = random_create,
    .ask = random_ask,
    .tell = random_tell,
    .destroy = random_destroy,
};
