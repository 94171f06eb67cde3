/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finals.h - which of several configurations is the best, when a single measurement of each could not tell them
 * apart.
 *
 * Differences of a percent between measurements taken minutes apart are mostly drift: clocks, temperature, other
 * users. So the candidates for the best are measured again in rounds. Each round measures every remaining finalist
 * once, in a new random order, so that drift affects all alike (A. Georges, D. Buytaert, L. Eeckhout: "Statistically
 * Rigorous Java Performance Evaluation", OOPSLA 2007; T. Kalibera, R. Jones: "Rigorous Benchmarking in Reasonable
 * Time", ISMM 2013: repeat at the level where the variation arises, here the whole evaluation). Two finalists are
 * compared by the ratios of their values round by round: whatever a round has in common cancels.
 *
 * The median of the ratios has the distribution-free interval of the sign test (W. J. Conover, "Practical
 * Nonparametric Statistics", 3.2; see sampling.h); six rounds are the fewest that give 95 %. Compared with the
 * leader, which has the lowest median, a finalist
 *   - has lost once its interval lies above 1, and takes no part in further rounds;
 *   - is equal for practical purposes once its interval lies within 1 +- `equal`;
 *   - is undecided otherwise.
 * The rounds end when none is undecided, or after `most_rounds`. Finalists that have not lost by then have tied.
 *
 * Each single comparison errs in 5 % of cases. There is no correction for comparing several finalists after several
 * rounds, so the chance that some finalist is dropped although it is not slower is larger than that. It is hardly
 * faster, though: had it been faster by more than its noise, its ratios would not all have been above 1.
 *
 * Of those that tied with a median within `equal` of the leader's, the one that uses the fewest resources wins, in
 * this order: bytes spilled to local memory; bytes of local memory per thread; registers per thread; bytes of shared
 * memory per block (unknown counts as 0); then the canonical text, so that the winner is the same every time.
 */
#ifndef TUNE_ENGINE_FINALS_H
#define TUNE_ENGINE_FINALS_H

#include "tuner/evaluation/evaluation.h"
#include "tuner/measure/sampling.h"
#include "tuner/search/generator.h"

enum { FINALISTS_MOST = 16, FINAL_ROUNDS_LEAST = 6, FINAL_ROUNDS_MOST = 20 };

struct finals_rule {
    size_t least_rounds, most_rounds; /* most_rounds: at most FINAL_ROUNDS_MOST */
    double equal;                     /* a relative difference that does not matter */
};
extern const struct finals_rule finals_default;

/* The fewest rounds, in which nobody loses: of several objectives no single one decides. */
extern const struct finals_rule finals_of_front;

enum finalist_state {
    FINALIST_IN,           /* undecided, or the leader */
    FINALIST_EQUAL,        /* continues while others are undecided: more rounds may separate it */
    FINALIST_LOST,         /* slower than the leader */
    FINALIST_DISQUALIFIED, /* failed in a round */
};

struct finalist {
    enum finalist_state state;
    double values[FINAL_ROUNDS_MOST]; /* one per round; lower is better */
    size_t round_count;
};

struct finals {
    const struct finals_rule *rule;
    struct finalist of[FINALISTS_MOST];
    size_t count;
    size_t rounds; /* completed */
    size_t leader;
    struct generator generator;
};

/* `count` finalists, 2 to FINALISTS_MOST. */
void finals_begin(struct finals *finals, const struct finals_rule *rule, size_t count, uint64_t seed);

/* The finalists still in, in this round's order; returns how many. */
size_t finals_order(struct finals *finals, size_t order[FINALISTS_MOST]);

/* Each of them then gets a value or is disqualified. */
void finals_record(struct finals *finals, size_t finalist, double value);
void finals_disqualify(struct finals *finals, size_t finalist);

/* The round is over: compare. True: another round may decide more. */
bool finals_go_on(struct finals *finals);

size_t finals_left(const struct finals *finals); /* those in or equal */

/* Median and interval of the ratios of `finalist` to `other` over the rounds that both took part in, at least one. */
struct median finals_ratio(const struct finals *finals, size_t finalist, size_t other);

/* What breaks ties. */
struct finalist_needs {
    const struct evaluation *evaluation; /* its spill_bytes and resources */
    const char *configuration;           /* canonical text */
};

/* Negative: `a` needs fewer resources; positive: more; 0: they are the same configuration. `*resource` (may be NULL)
 * becomes the name of the resource that decided, NULL if only the text did. */
int finals_compare_needs(const struct finalist_needs *a, const struct finalist_needs *b, const char **resource);

/* The winner, given the needs of each finalist. False: all were disqualified. */
bool finals_winner(const struct finals *finals, const struct finalist_needs *needs, size_t *winner);

#endif
