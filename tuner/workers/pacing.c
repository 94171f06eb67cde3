/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/pacing.h"

#include <math.h>

enum { BATCH = 32 }; /* candidates compiled in one turn */

static const double handling_seconds = 0.01; /* to store a row, and to ask and tell a strategy that thinks */
static const double slow = 3;                /* medians that a slow one takes, or longer */
static const double turn_seconds = 2.0;      /* of compiling before the batch compiled so far is measured */

size_t pacing_inside(const struct pacing_load *load)
{
    return load->waiting + load->compiling + load->compiled + load->measuring;
}

void pacing_learn(struct pacing_times *times, double seconds)
{
    const double least = 1e-6;
    double sorted[PACING_LAST];
    size_t count = 0;
    times->last[times->count++ % PACING_LAST] = seconds > least ? seconds : least;
    for (size_t i = 0; i < times->count && i < PACING_LAST; i++) {
        size_t at = count++;
        for (; at > 0 && sorted[at - 1] > times->last[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = times->last[i];
    }
    times->median = sorted[(count - 1) / 2];
}

static size_t at_most(double number, size_t most)
{
    return number < (double)most ? (size_t)number : most;
}

/*
 * Where measuring is what takes time, as many are compiled as get ready during a measurement, twice over, since some
 * take longer; else all workers compile, and have the next one at hand.
 */
static size_t most_inside(const struct pacing *pacing)
{
    const struct pacing_times *compile = &pacing->compile, *measure = &pacing->measure;
    size_t compilers = pacing->compilers, measurers = pacing->measurers;
    if (compile->count == 0 || measure->count == 0)
        return compilers + 2 * measurers;
    double used = 1 + 2 * (double)measurers * compile->median / measure->median;
    double waiting = used < (double)compilers ? 0 : 1 + (double)compilers * handling_seconds / compile->median;
    double compiled = (double)measurers * (1 + handling_seconds / measure->median);
    return measurers + at_most(used, compilers) + at_most(waiting, compilers) + at_most(compiled, 2 * measurers);
}

double pacing_patience(const struct pacing *pacing)
{
    bool knows = !pacing->takes_turns && pacing->compile.count > 0;
    return knows ? slow * pacing->compile.median + handling_seconds : HUGE_VAL;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t pacing_most(const struct pacing *pacing)
{
    return pacing->takes_turns ? BATCH : 2 * pacing->compilers + 3 * pacing->measurers;
}

size_t pacing_room(const struct pacing *pacing, const struct pacing_load *load)
{
    size_t under_way = pacing_inside(load), inside = under_way + load->finished;
    size_t most = pacing->takes_turns ? BATCH : least_of(most_inside(pacing) + load->slow, pacing_most(pacing));
    if (pacing->takes_turns && pacing->measuring_turn && under_way > 0)
        return 0;
    return inside < most ? most - inside : 0;
}

/* A turn of compiling ends after a batch, after a while, or when nothing is left to compile. */
static bool batch_closed(const struct pacing *pacing, const struct pacing_load *load, double now)
{
    if (load->compiled == 0)
        return false;
    return load->waiting == 0 || load->compiled + load->compiling >= BATCH || load->is_full ||
           now - pacing->turn_start > turn_seconds;
}

void pacing_change_turns(struct pacing *pacing, const struct pacing_load *load, double now)
{
    if (!pacing->takes_turns)
        return;
    if (pacing->measuring_turn && load->compiled == 0 && load->measuring == 0) {
        pacing->measuring_turn = false;
        pacing->turn_start = now;
    } else if (!pacing->measuring_turn && batch_closed(pacing, load, now) && load->compiling == 0) {
        pacing->measuring_turn = true;
    }
}

bool pacing_may_compile(const struct pacing *pacing, const struct pacing_load *load, double now)
{
    if (load->waiting == 0)
        return false;
    return pacing->takes_turns ? !pacing->measuring_turn && !batch_closed(pacing, load, now) : !load->is_full;
}

bool pacing_may_measure(const struct pacing *pacing)
{
    return !pacing->takes_turns || pacing->measuring_turn;
}
