/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trials.h - which call of a program tries what: the decisions of online tuning, without a device or a clock.
 *
 * One candidate at a time contends with the incumbent, which is what calls launch. First it is rehearsed: run beside
 * the incumbent, on copies, until its results were right so often. Then the two race: pairs of calls, one launched
 * with each, in random order, so that what disturbs a machine that is at work disturbs both. They are compared by the
 * ratios of their times, pair by pair, as in the finals of a sweep (tuner/engine/finals.h), but only after 8, 14 and
 * 20 pairs, since looking often finds differences that are none. The candidate becomes the incumbent if it was faster
 * by TRIALS_GAIN in so many pairs (8 of 8, 13 of 14, 17 of 20) that chance is no explanation. It has lost if the
 * 95 % interval of the median ratio is above 1 - TRIALS_GAIN, if even its best pair is hopeless (as in
 * tuner/measure/sampling.h), or if all this has not decided.
 *
 * Whatever is spent beyond what the incumbent would have taken - rehearsals, copies, the time that a slower candidate
 * takes longer - is a debt. Nothing is tried unless the debt and what the try is expected to add to it are within the
 * share of all time of calls so far. What a try took longer than expected is made up for before the next one.
 *
 * It ends when every candidate was tried, or after TRIALS_PATIENCE in a row that were no better.
 */
#ifndef TUNE_LIBRARY_TRIALS_H
#define TUNE_LIBRARY_TRIALS_H

#include "tuner/search/generator.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIALS_MOST = 32, TRIALS_PATIENCE = 8, TRIALS_REHEARSALS = 2, TRIALS_PAIRS = 20, TRIALS_SAMPLES = 15 };
#define TRIALS_GAIN 0.01

enum trial_kind {
    TRIAL_NONE,      /* launch the incumbent */
    TRIAL_INCUMBENT, /* launch it and take its time */
    TRIAL_REHEARSAL, /* that, and then the candidate on copies */
    TRIAL_CANDIDATE  /* launch the candidate in its stead and take its time */
};

enum trials_verdict {
    TRIALS_OPEN,
    TRIALS_UNFIT, /* it cannot be tried here */
    TRIALS_WRONG, /* its results are not the incumbent's */
    TRIALS_LOST,
    TRIALS_WON
};

enum trials_end { TRIALS_GO_ON, TRIALS_ALL_TRIED, TRIALS_NOTHING_BETTER };

struct trials {
    double share;
    struct generator generator;
    enum trials_verdict verdicts[TRIALS_MOST]; /* of the candidates, in the order in which they are tried */
    size_t count, at;                          /* at: the one that contends */
    size_t misses;                             /* since the last one that won */
    bool ready;                                /* the one that contends can be launched */
    size_t rehearsals;                         /* of it, that were right */
    bool candidate_first;                      /* of the pair */
    double pair[2];                            /* times of incumbent and candidate; 0: still to come */
    double ratios[TRIALS_PAIRS];
    size_t pairs;
    double candidate_ns;            /* what it takes, as far as is known */
    double samples[TRIALS_SAMPLES]; /* of the incumbent, the latest */
    size_t sample_count, next_sample;
    double incumbent_ns;       /* their median; 0: not known */
    double rehearsal_ns;       /* what one is expected to cost beside the launches; 0: not known */
    double timing_ns;          /* what taking a time costs */
    double time_ns, excess_ns; /* of all calls; and of this, the debt */
    uint64_t calls, tries;
    double ratio; /* of the incumbent's time to that of the first one */
};

void trials_begin(struct trials *trials, double share, size_t count, uint64_t seed);

/* Calls that were launched with the incumbent. */
void trials_passed(struct trials *trials, uint64_t calls);
/* What the next call is to be. It changes nothing: a call may do less. */
enum trial_kind trials_next(const struct trials *trials);

/* The candidate that contends can be launched, or has a verdict: TRIALS_UNFIT or TRIALS_WRONG. */
void trials_ready(struct trials *trials);
void trials_reject(struct trials *trials, enum trials_verdict verdict);

/* A call, and what it took; those that were not launched take 0. `cost_ns`: beyond these. */
void trials_tell(struct trials *trials, enum trial_kind kind, double incumbent_ns, double candidate_ns,
                 double cost_ns);
/* The results of a rehearsal that was told are right. */
void trials_confirm(struct trials *trials);

enum trials_end trials_ended(const struct trials *trials);

#endif
