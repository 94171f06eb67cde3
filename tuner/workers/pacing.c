/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/pacing.h"

enum { BATCH = 32 }; /* candidates compiled in one turn */

static const double turn_seconds = 2.0; /* of compiling before the batch compiled so far is measured */

size_t pacing_inside(const struct pacing_load *load)
{
    return load->waiting + load->compiling + load->compiled + load->measuring;
}

size_t pacing_room(const struct pacing *pacing, const struct pacing_load *load)
{
    /* Every worker has one candidate and another to continue with. */
    size_t most = pacing->takes_turns ? BATCH : 2 * (pacing->compilers + pacing->measurers);
    size_t inside = pacing_inside(load) + load->finished;
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
