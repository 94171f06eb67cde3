/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_plan.h"

#include <math.h>
#include <stdlib.h>

static const double anchors_a_root = 1.6;

enum { A_SIZE = 24, AN_ANCHOR = 40 }; /* evaluations by default */
enum { PASSES_MOST = 6 };

static size_t most_central(const double *nearness, size_t count)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t a = 0; a < count; a++) {
        double sum = 0;
        for (size_t b = 0; b < count; b++)
            sum += nearness[a * count + b];
        if (sum > most) {
            most = sum;
            best = a;
        }
    }
    return best;
}

bool set_plan_order(const double *nearness, size_t count, size_t *order)
{
    double *nearest = calloc(count + 1, sizeof *nearest); /* of those visited; INFINITY: is one of them */
    if (!nearest)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t next = i == 0 ? most_central(nearness, count) : 0;
        for (size_t s = 0; i > 0 && s < count; s++) {
            if (nearest[s] < nearest[next])
                next = s;
        }
        order[i] = next;
        nearest[next] = INFINITY;
        for (size_t s = 0; s < count; s++)
            nearest[s] = fmax(nearest[s], nearness[next * count + s]);
    }
    free(nearest);
    return true;
}

size_t set_plan_anchors(size_t count)
{
    size_t anchors = (size_t)ceil(anchors_a_root * sqrt((double)count));
    anchors = anchors < count ? anchors : count;
    return anchors < SET_ANCHORS_MOST ? anchors : SET_ANCHORS_MOST;
}

int set_plan_passes(uint64_t evaluations)
{
    uint64_t passes = evaluations / SET_VISIT_LEAST;
    return evaluations == 0 || passes > PASSES_MOST ? PASSES_MOST : passes > 1 ? (int)passes : 1;
}

uint64_t set_plan_default_budget(size_t count)
{
    return (uint64_t)A_SIZE * count + (uint64_t)AN_ANCHOR * set_plan_anchors(count);
}

struct set_shares set_plan_shares(size_t count)
{
    bool all = set_plan_anchors(count) == count;
    return (struct set_shares){.anchors = all ? 0.88 : 0.5, .others = 0.88};
}
