/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stopping.h - when a search may stop by itself: the expected gain of the next evaluations is below a given share of
 * the best objective, x.
 *
 * It looks at the results alone, whatever strategy asks. After every STOPPING_EVERY results it says stop if
 *
 *   - the model expects little: a Gaussian process fitted to the results (the one of `surrogate`, see
 *     gaussian_process.h) predicts all untried configurations, or 1,024 drawn at random from them. The sum of
 *     the ten largest expected improvements of the logarithm of the objective is at most x, and was when it
 *     last looked. It is an upper bound of what the next ten evaluations together are expected to gain (D.
 *     Ginsbourger, R. Le Riche, L. Carraro, "Kriging is well-suited to parallelize optimization", 2010). To
 *     stop where the expected improvement is small is due to D. R. Jones, M. Schonlau, W. J. Welch,
 *     "Efficient global optimization of expensive black-box functions", 1998. A model of few results is too
 *     sure of itself, so there must be 50 of them at least, and no improvement by x among the last 30, nor
 *     the last third; or
 *
 *   - history expects little, which serves where the model stays unsure: no improvement by x among the last
 *     300 results, nor their last half. Of n exchangeable results, k more improve on the best with
 *     probability k / (n + k) (A. Rényi, "Théorie des éléments saillants d'une suite d'observations", 1962):
 *     a best that has stood for half the search will stand for as long again with probability 1/2 if these
 *     were drawn blindly, and with a larger one where a strategy looked around it.
 *
 * "By x": since it was last worse by more than the share x. tests/bench/RESULTS.md says how often it was right.
 */
#ifndef TUNE_SEARCH_STOPPING_H
#define TUNE_SEARCH_STOPPING_H

#include "tuner/search/strategy.h"

enum { STOPPING_EVERY = 10 };

struct stopping;

/* The space must outlive it; `gain` is x, such as 0.01. The same seed and results give the same answers. */
bool stopping_create(const struct search_space *space, uint64_t seed, double gain, struct stopping **result,
                     struct error *error);
void stopping_free(struct stopping *stopping);

/* A configuration's result, told once, as strategies are: less is better. False: out of memory. */
bool stopping_tell(struct stopping *stopping, const struct observation *observation);

/* Once it has said so it stays so. Takes some milliseconds where it looks, which it does only then. */
bool stopping_says(struct stopping *stopping);

#endif
