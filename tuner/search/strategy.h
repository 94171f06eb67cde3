/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy.h - search strategies: ask for a configuration, tell how it did. They know nothing of devices.
 *
 * Every strategy is one file with the same shape and one line in the table. Many configurations may be asked for
 * before the first is told, and answers may come in any order. A configuration that fails is told like any other. The
 * same seed and the same answers at the same points give the same questions.
 *
 * search.h stands between a strategy and whoever evaluates. A strategy may ask for what it asked for before: that is
 * answered from memory, one answer for each question. It may be told of configurations that it did not ask for, and
 * should learn from them.
 */
#ifndef TUNE_SEARCH_STRATEGY_H
#define TUNE_SEARCH_STRATEGY_H

#include "tuner/space/search_space.h"

/* A number that a strategy can be adjusted by: --strategy genetic:population=20. */
struct strategy_parameter {
    const char *name;
    double preset, low, high;
    const char *meaning;
};

/* What a strategy starts from. It all outlives the strategy. */
struct strategy_setup {
    const struct search_space *space;
    uint64_t seed;
    size_t evaluations;       /* the budget, with those that are told unasked; 0: not known */
    const double *parameters; /* a value for each of the driver's parameters, in their order */
    const size_t *priors;     /* configurations that did well elsewhere, the most promising first */
    size_t prior_count;
};

/* How an evaluation went. */
struct observation {
    size_t index;
    bool valid;
    double objective; /* to be minimised; 0 unless valid */
    double seconds;   /* what it took, compilation and all */
};

enum answer {
    ASK_READY, /* *index is what to evaluate next */
    ASK_WAIT,  /* nothing before another answer was told */
    ASK_END,   /* nothing any more */
};

struct strategy_driver {
    const char *name;
    const char *meaning; /* one line for `tune list strategies` */
    const struct strategy_parameter *parameters;
    size_t parameter_count;
    bool (*create)(const struct strategy_setup *setup, void **state, struct error *error);
    enum answer (*ask)(void *state, size_t *index);
    void (*tell)(void *state, const struct observation *observation);
    void (*destroy)(void *state);
};

extern const struct strategy_driver *const strategy_drivers[];
extern const size_t strategy_driver_count;
const struct strategy_driver *strategy_find(const char *name); /* NULL if there is none */

#endif
