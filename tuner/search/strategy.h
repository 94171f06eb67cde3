/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy.h - search strategies: ask for a configuration, tell how it did. They know nothing of devices.
 *
 * Each strategy is one file of the same shape and one line in the table in strategy.c. Many configurations may be
 * asked for before the first result is told, and results arrive in any order. A configuration that fails is told like
 * any other. The same seed, with the same results at the same points, gives the same questions.
 *
 * search.h sits between a strategy and whoever evaluates. A strategy may ask for a configuration again: it is
 * answered from memory, once per question. It may be told of configurations it never asked for, and should learn from
 * them.
 */
#ifndef TUNE_SEARCH_STRATEGY_H
#define TUNE_SEARCH_STRATEGY_H

#include "tuner/space/search_space.h"

/* A number that adjusts a strategy: --strategy genetic:population=20. */
struct strategy_parameter {
    const char *name;
    double preset, low, high;
    const char *meaning;
};

/* What a strategy starts from. All of it outlives the strategy. */
struct strategy_setup {
    const struct search_space *space;
    uint64_t seed;
    size_t evaluations;       /* the budget, including results told unasked; 0 if unknown */
    const double *parameters; /* one value per parameter of the driver, in its order */
    const size_t *priors;     /* configurations that did well elsewhere, most promising first */
    size_t prior_count;
    const char *program; /* of exec: what to run; NULL for the others */
};

/* The result of an evaluation. */
struct observation {
    size_t index;
    bool valid;
    double objective; /* to be minimised; 0 unless valid */
    double seconds;   /* that the evaluation took, compilation included; 0 if unknown */
};

enum answer {
    ASK_READY,  /* evaluate *index next */
    ASK_WAIT,   /* nothing to ask until another result is told */
    ASK_END,    /* nothing left to ask */
    ASK_FAILED, /* the strategy cannot go on: out of memory, or see `explain` */
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
    /* After ASK_FAILED: why. Always returns false. NULL: memory ran out. */
    bool (*explain)(const void *state, struct error *error);
    bool fits_all; /* a model to all results, whoever asked for them, rather than following its own */
};

extern const struct strategy_driver *const strategy_drivers[];
extern const size_t strategy_driver_count;
const struct strategy_driver *strategy_find(const char *name); /* NULL if there is none */

/* A program of the user's, which needs the setup to name it, and so is not in the table. */
extern const struct strategy_driver strategy_exec;

#endif
