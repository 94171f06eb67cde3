/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every configuration, in golden-ratio order. In the space's own order neighbours are similar, and a sweep would
 * spend its first hour in one corner. Steps of the golden section leave the configurations visited evenly spread at
 * any time (the Kronecker sequence of least discrepancy: H. Niederreiter, "Random Number Generation and Quasi-Monte
 * Carlo Methods", SIAM 1992, chapter 3), and a step coprime to the number of configurations visits each exactly once.
 * The order does not depend on the seed, so the next sweep resumes where a budget ended this one. No parameters.
 */
#include "tuner/search/strategies.h"

#include <stdlib.h>

struct exhaustive {
    size_t place, step, left, count;
};

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The largest step, up to the golden section of `count`, that is coprime to it. */
static size_t golden_step(size_t count)
{
    static const double golden_section = 0.6180339887498949;
    size_t step = (size_t)((double)count * golden_section + 0.5);
    while (step > 1 && common_divisor(step, count) != 1)
        step--;
    return step > 0 ? step : 1;
}

static bool exhaustive_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct exhaustive *exhaustive = calloc(1, sizeof *exhaustive);
    if (!exhaustive)
        return error_out_of_memory(error);
    exhaustive->count = exhaustive->left = search_space_count(setup->space);
    exhaustive->step = golden_step(exhaustive->count);
    *state = exhaustive;
    return true;
}

static enum answer exhaustive_ask(void *state, size_t *index)
{
    struct exhaustive *exhaustive = state;
    if (exhaustive->left == 0)
        return ASK_END;
    *index = exhaustive->place;
    size_t to_end = exhaustive->count - exhaustive->place;
    exhaustive->place = exhaustive->step < to_end ? exhaustive->place + exhaustive->step : exhaustive->step - to_end;
    exhaustive->left--;
    return ASK_READY;
}

static void exhaustive_tell(void *state, const struct observation *observation)
{
    (void)state, (void)observation; /* results don't change the order */
}

const struct strategy_driver strategy_exhaustive = {
    .name = "exhaustive",
    .meaning = "every valid configuration, evenly spread over the space at any time",
    .create = exhaustive_create,
    .ask = exhaustive_ask,
    .tell = exhaustive_tell,
    .destroy = free,
};
