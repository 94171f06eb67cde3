#include "tuner/search/generator.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

/*
 * Fisher and Yates's shuffle, one step a question. Memory that was never written holds 0, which stands for "still in
 * its own place", so that a large space costs only the pages that the questions touch.
 */
struct shuffle {
    struct generator generator;
    size_t next, count;
    uint32_t *moved; /* 0: the configuration of this place; else one more than the configuration that is here */
};

static bool random_create(const struct problem *problem, uint64_t seed, void **state, struct error *error)
{
    struct shuffle *shuffle = calloc(1, sizeof *shuffle);
    size_t count = problem_configuration_count(problem);
    if (shuffle && count < UINT32_MAX)
        shuffle->moved = calloc(count + 1, sizeof *shuffle->moved);
    if (!shuffle || !shuffle->moved) {
        free(shuffle);
        return error_set(error, ERROR_SYSTEM, "out of memory for a random order of %zu configurations", count);
    }
    shuffle->generator.state = seed;
    shuffle->count = count;
    *state = shuffle;
    return true;
}

static uint32_t at(const struct shuffle *shuffle, size_t place)
{
    return shuffle->moved[place] ? shuffle->moved[place] - 1 : (uint32_t)place;
}

static bool random_ask(void *state, size_t *index)
{
    struct shuffle *shuffle = state;
    if (shuffle->next == shuffle->count)
        return false;
    size_t place = shuffle->next + generator_below(&shuffle->generator, shuffle->count - shuffle->next);
    *index = at(shuffle, place);
    shuffle->moved[place] = at(shuffle, shuffle->next) + 1;
    shuffle->next++;
    return true;
}

static void random_tell(void *state, size_t index, bool valid, double objective)
{
    (void)state, (void)index, (void)valid, (void)objective; /* no answer changes the order */
}

static void random_destroy(void *state)
{
    struct shuffle *shuffle = state;
    if (shuffle)
        free(shuffle->moved);
    free(shuffle);
}

const struct strategy_driver strategy_random = {
    .name = "random",
    .meaning = "valid configurations in random order, none twice",
    .create = random_create,
    .ask = random_ask,
    .tell = random_tell,
    .destroy = random_destroy,
};
