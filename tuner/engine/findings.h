/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings.h - what is known about configurations of a problem, from the database or from this sweep.
 *
 * Memory grows with the number of configurations that something is known about, never with the size of the space.
 */
#ifndef TUNE_ENGINE_FINDINGS_H
#define TUNE_ENGINE_FINDINGS_H

#include "tuner/engine/answer.h"
#include "tuner/space/index_map.h"
#include "tuner/space/problem.h"

enum finding_state {
    FINDING_NONE,
    FINDING_STORED, /* a row of the database that this sweep has not used yet */
    FINDING_OPEN,   /* submitted to the crew */
    FINDING_MADE,   /* a row of this run */
};

struct finding {
    size_t index; /* of the configuration */
    enum finding_state state;
    enum outcome outcome;
    bool is_new;          /* measured by this run */
    bool has_won, beaten; /* in finals by this objective (see store_verdict) */
    bool transient;       /* a failure that may not recur: nothing is known about the configuration */
    int64_t evaluation_id;
    double time_ns, value;           /* value: the cost by the objective; 0 unless ok, HUGE_VAL: none */
    double costs[FRONT_OBJECTIVES];  /* by each of several objectives; only if it has a value, and so all of these */
    double energy_j, energy_error_j; /* not above 0: not metered */
    struct work work;
    float low, high; /* the interval of the value: to see what it can be told apart from */
    float seconds;   /* that the evaluation took, including compilation */
};

struct findings {
    const struct problem *problem;
    struct answer_demand demand; /* of stored rows */
    size_t count;                /* configurations of the problem */
    size_t known, stored;        /* findings; stored rows not used yet */
    struct index_map places;     /* from configuration to finding */
    struct finding **chunks;     /* of findings, which never move */
    size_t chunk_count;
};

/* Start with nothing known or, with a store, with what it has about the problem as FINDING_STORED. */
bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     const struct answer_demand *demand, struct findings *findings, struct error *error);
void findings_clear(struct findings *findings);

/* The finding of a configuration, created if need be; NULL: out of memory. */
struct finding *findings_ensure(struct findings *findings, size_t index, struct error *error);

/* The finding of a configuration, which must have one. */
struct finding *findings_of(const struct findings *findings, size_t index);

/* Finding number 0 .. known - 1, in the order in which they were made. */
struct finding *findings_number(const struct findings *findings, size_t number);

/* Fill in the finding of configuration `index` from a stored row, if that answers for it. */
bool findings_load(struct findings *findings, size_t index, const struct store_row *row, struct error *error);

/* Fill in outcome and figures from an evaluation of a configuration (its text); the rest of the finding stays. */
void findings_make(const struct findings *findings, struct finding *finding, const struct evaluation *evaluation,
                   const char *configuration);

/* Is it valid, and something that the objectives can compare? */
bool finding_has_value(const struct finding *finding);

/* Is configuration `a` better than `b`? Both must be ok. */
bool findings_better(const struct findings *findings, size_t a, size_t b);

#endif
