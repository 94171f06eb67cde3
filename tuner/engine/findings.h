/*
 * findings.h - what is known of each configuration of a problem: from the database, or from this sweep.
 *
 * A strategy may ask for a configuration again, or while an earlier question about it is still open; findings answer
 * without another evaluation.
 */
#ifndef TUNE_ENGINE_FINDINGS_H
#define TUNE_ENGINE_FINDINGS_H

#include "db/store.h"
#include "tuner/measure/objective.h"
#include "tuner/space/problem.h"

enum finding_state {
    FINDING_NONE,
    FINDING_STORED, /* a row of the database that this sweep has not used yet */
    FINDING_OPEN,   /* handed to the crew */
    FINDING_MADE,   /* a row of this run */
};

struct finding {
    enum finding_state state;
    enum outcome outcome;
    uint32_t questions;     /* open: to be told once it is made */
    bool is_new;            /* measured by this run */
    bool was_final, beaten; /* as in store_row; beaten: by this objective */
    int64_t evaluation_id;
    double time_ns, value; /* value: the objective's; 0 unless ok */
    float low, high;       /* its interval: to see whom it may be told from */
};

/* What this sweep asks of an evaluation: rows that fall short of it are as good as none. */
struct findings_demand {
    const struct objective *objective;         /* known: energy where that is needed */
    double compile_deadline, measure_deadline; /* seconds: what did not end in a shorter time may do so now */
};

struct findings {
    struct findings_demand demand;
    struct finding *of;   /* by configuration */
    size_t count, stored; /* stored: rows of the database not used yet */
};

/* All unknown; with a store, what it has of the problem is known as FINDING_STORED. */
bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     const struct findings_demand *demand, struct findings *findings, struct error *error);
void findings_clear(struct findings *findings);

/* Know configuration `index` from a row; false if the row falls short of what is asked. */
bool findings_load(struct findings *findings, size_t index, const struct store_row *row);

/* Know its outcome and figures from an evaluation; the rest of the finding stays. */
void findings_make(struct findings *findings, size_t index, const struct evaluation *evaluation);

/* Is configuration `a` better than `b`? Both are ok. */
bool findings_better(const struct findings *findings, size_t a, size_t b);

#endif
