/*
 * strategy.h - search strategies: ask for a configuration, tell how it did. They know nothing of devices.
 *
 * Every strategy is one file with the same shape and one line in the table. Several configurations may be asked for
 * before the first is told. The same seed and the same answers give the same questions.
 */
#ifndef TUNE_SEARCH_STRATEGY_H
#define TUNE_SEARCH_STRATEGY_H

#include "tuner/space/problem.h"

struct strategy_driver {
    const char *name;
    const char *meaning; /* one line for `tune list strategies` */
    bool (*create)(const struct problem *problem, uint64_t seed, void **state, struct error *error);
    bool (*ask)(void *state, size_t *index); /* false: nothing (more) to ask for now */
    void (*tell)(void *state, size_t index, bool valid, double objective);
    void (*destroy)(void *state);
};

extern const struct strategy_driver *const strategy_drivers[];
extern const size_t strategy_driver_count;
const struct strategy_driver *strategy_find(const char *name); /* NULL if there is none */

#endif
