/*
 * findings.h - what is known of each configuration of a problem: from the database, or from this sweep.
 *
 * A strategy may ask for a configuration again, or while an earlier question about it is still open; findings answer
 * without another evaluation.
 */
#ifndef TUNE_ENGINE_FINDINGS_H
#define TUNE_ENGINE_FINDINGS_H

#include "db/store.h"
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
    uint32_t questions; /* open: to be told once it is made */
    int64_t evaluation_id;
    double time_ns;
};

struct findings {
    struct finding *of;   /* by configuration */
    size_t count, stored; /* stored: rows of the database not used yet */
};

/* All unknown; with a store, what it has of the problem is known as FINDING_STORED. */
bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     struct findings *findings, struct error *error);
void findings_clear(struct findings *findings);

#endif
