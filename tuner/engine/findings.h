/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings.h - what is known of configurations of a problem: from the database, or from this sweep.
 *
 * Memory grows with the configurations that something is known of, never with the space.
 */
#ifndef TUNE_ENGINE_FINDINGS_H
#define TUNE_ENGINE_FINDINGS_H

#include "db/store.h"
#include "tuner/evaluation/objective.h"
#include "tuner/space/index_map.h"
#include "tuner/space/problem.h"

enum finding_state {
    FINDING_NONE,
    FINDING_STORED, /* a row of the database that this sweep has not used yet */
    FINDING_OPEN,   /* handed to the crew */
    FINDING_MADE,   /* a row of this run */
};

struct finding {
    size_t index; /* of the configuration */
    enum finding_state state;
    enum outcome outcome;
    bool is_new;            /* measured by this run */
    bool was_final, beaten; /* as in store_row; beaten: by this objective */
    int64_t evaluation_id;
    double time_ns, value; /* value: the objective's; 0 unless ok */
    float low, high;       /* its interval: to see whom it may be told from */
    float seconds;         /* that the evaluation took, compilation and all */
};

/* What this sweep asks of an evaluation: rows that fall short of it are as good as none. */
struct findings_demand {
    const struct objective *objective;         /* known: energy where that is needed */
    double compile_deadline, measure_deadline; /* seconds: what did not end in a shorter time may do so now */
};

struct findings {
    struct findings_demand demand;
    size_t count;            /* configurations of the problem */
    size_t known, stored;    /* findings; and rows of the database not used yet */
    struct index_map places; /* of configurations among the findings */
    struct finding **chunks; /* of findings, which stay where they are */
    size_t chunk_count;
};

/* All unknown; with a store, what it has of the problem is known as FINDING_STORED. */
bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     const struct findings_demand *demand, struct findings *findings, struct error *error);
void findings_clear(struct findings *findings);

/* The finding of a configuration, a new one if nothing was known of it; NULL when out of memory. */
struct finding *findings_ensure(struct findings *findings, size_t index, struct error *error);

/* The finding of a configuration that has one. */
struct finding *findings_of(const struct findings *findings, size_t index);

/* Finding `number`, 0 .. known - 1, in the order in which they came to be known. */
struct finding *findings_number(const struct findings *findings, size_t number);

/* Know more from a row; false if the row falls short of what is asked. */
bool findings_load(struct findings *findings, struct finding *finding, const struct store_row *row);

/* Know outcome and figures from an evaluation; the rest of the finding stays. */
void findings_make(const struct findings *findings, struct finding *finding, const struct evaluation *evaluation);

/* Is configuration `a` better than `b`? Both are ok. */
bool findings_better(const struct findings *findings, size_t a, size_t b);

#endif
