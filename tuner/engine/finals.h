/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finals.h - which of several configurations is the best, when one measurement each could not tell them apart.
 *
 * Differences of a percent between two measurements that lie minutes apart are mostly drift: clocks, temperature,
 * other users. So those that may be the best are measured again in rounds. Each round measures every finalist that is
 * still in once, in a new random order, so that drift meets all alike (A. Georges, D. Buytaert, L. Eeckhout:
 * "Statistically Rigorous Java Performance Evaluation", OOPSLA 2007; T. Kalibera, R. Jones: "Rigorous Benchmarking in
 * Reasonable Time", ISMM 2013: repeat at the level where the variation arises, here the whole evaluation). Two
 * finalists are compared by the ratios of their values round by round: what a round has in common cancels.
 *
 * The ratios' median has the distribution-free interval of the sign test (W. J. Conover, "Practical Nonparametric
 * Statistics", 3.2; see sampling.h): six rounds are the fewest that give 95 %. Compared with the leader, the one of
 * the lowest median, a finalist
 *   - has lost once its interval lies above 1; it is left out of further rounds;
 *   - is equal for practical purposes once its interval lies within 1 +- `equal`;
 *   - is undecided otherwise.
 * The rounds end when no one is undecided, or after `most_rounds`. Who has not lost then has tied.
 *
 * Each comparison errs in 5 % of cases for itself; nothing is corrected for comparing several finalists, and after
 * several rounds. So the chance that somewhere one is left out that is in truth not slower is larger. Such a one is
 * hardly faster either: had it been, by more than its noise, its ratios would not all have been above 1.
 *
 * Of those that tied and whose median is within `equal` of the leader's, the one that uses the fewest resources wins.
 * The order: bytes spilled to local memory; bytes of local memory a thread; registers a thread; bytes of shared
 * memory a block (what is not known counts as 0); then the canonical text, so that the winner is the same each time.
 */
#ifndef TUNE_ENGINE_FINALS_H
#define TUNE_ENGINE_FINALS_H

#include "tuner/evaluation/evaluation.h"
#include "tuner/measure/sampling.h"
#include "tuner/search/generator.h"

enum { FINALISTS_MOST = 16, FINAL_ROUNDS_LEAST = 6, FINAL_ROUNDS_MOST = 20 };

struct finals_rule {
    size_t least_rounds, most_rounds; /* most_rounds: at most FINAL_ROUNDS_MOST */
    double equal;                     /* a difference that does not matter, as a share */
};
extern const struct finals_rule finals_default;

enum finalist_state {
    FINALIST_IN,           /* undecided, or the leader */
    FINALIST_EQUAL,        /* goes on as long as others are undecided: it may be told apart yet */
    FINALIST_LOST,         /* slower than the leader */
    FINALIST_DISQUALIFIED, /* failed in a round */
};

struct finalist {
    enum finalist_state state;
    double values[FINAL_ROUNDS_MOST]; /* of each round; lower is better */
    size_t round_count;
};

struct finals {
    const struct finals_rule *rule;
    struct finalist of[FINALISTS_MOST];
    size_t count;
    size_t rounds; /* that are over */
    size_t leader;
    struct generator generator;
};

/* `count` finalists, 2 to FINALISTS_MOST. */
void finals_begin(struct finals *finals, const struct finals_rule *rule, size_t count, uint64_t seed);

/* Those still in, in this round's order; returns how many. */
size_t finals_order(struct finals *finals, size_t order[FINALISTS_MOST]);

/* Each of them then has a value or is disqualified. */
void finals_record(struct finals *finals, size_t who, double value);
void finals_disqualify(struct finals *finals, size_t who);

/* The round is over: compare. True: another round may decide more. */
bool finals_go_on(struct finals *finals);

size_t finals_left(const struct finals *finals); /* in or equal */

/* Ratios of `who` to `other` in the rounds that both took part in, at least one: their median and interval. */
struct median finals_ratio(const struct finals *finals, size_t who, size_t other);

/* What the tie-break looks at. */
struct finalist_needs {
    const struct evaluation *evaluation; /* spill_bytes and resources of it */
    const char *configuration;           /* canonical text */
};

/* Below, above 0: `a` needs fewer resources, more; 0 if the configuration is the same. `*resource`, which may be
 * NULL, becomes the name of what decided, NULL if only the text did. */
int finals_compare_needs(const struct finalist_needs *a, const struct finalist_needs *b, const char **resource);

/* The winner; `needs` of each finalist. False: all are disqualified. */
bool finals_winner(const struct finals *finals, const struct finalist_needs *needs, size_t *winner);

#endif
