/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tabu search: F. Glover, "Tabu search", ORSA Journal on Computing 1 and 2, 1989 and 1990. From the best of a few
 * configurations (`starts`), a step goes to the first neighbour found to be better, else to the best of `sample`
 * neighbours (near ones first, `locality`) even if it is worse. Everything ever visited is tabu: next to the cost of
 * an evaluation no list is too long. After `patience` steps without a new best the search restarts.
 */
#include "tuner/search/strategies.h"
#include "tuner/search/vicinity.h"

#include <math.h>
#include <stdlib.h>

enum { STARTS, LOCALITY, SAMPLE, PATIENCE };
static const struct strategy_parameter tabu_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations; the search starts from the best"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [SAMPLE] = {"sample", 8, 1, 1000, "neighbours evaluated before a step to a worse one"},
    [PATIENCE] = {"patience", 10, 1, 10000, "steps without a new best before a restart"},
};

struct tabu {
    struct explorer explorer;
    struct vicinity vicinity;
    const double *settings;
    size_t center, neighbour;               /* the current configuration; its best neighbour so far */
    double objective, next_objective, best; /* of these two; since the restart */
    ptrdiff_t number;                       /* of the step: the origin of its trials */
    size_t asked, told;                     /* trials of the step */
    size_t stalled;                         /* steps since the last new best */
    bool moved, starting;
};

static void tabu_destroy(void *state)
{
    struct tabu *tabu = state;
    if (tabu) {
        vicinity_clear(&tabu->vicinity);
        explorer_clear(&tabu->explorer);
    }
    free(tabu);
}

static void restart(struct tabu *tabu)
{
    tabu->objective = tabu->next_objective = tabu->best = INFINITY;
    tabu->number++;
    tabu->asked = tabu->told = tabu->stalled = 0;
    tabu->starting = true;
}

static bool tabu_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct tabu *tabu = calloc(1, sizeof *tabu);
    if (!tabu || !explorer_create(&tabu->explorer, setup, DESIGN_COVER, (size_t)setup->parameters[STARTS])) {
        tabu_destroy(tabu);
        return error_out_of_memory(error);
    }
    tabu->settings = setup->parameters;
    restart(tabu);
    *state = tabu;
    return true;
}

/* Moves to the best neighbour so far. */
static void step(struct tabu *tabu)
{
    tabu->stalled = tabu->next_objective < tabu->best ? 0 : tabu->stalled + 1;
    if (tabu->next_objective < tabu->best)
        tabu->best = tabu->next_objective;
    tabu->center = tabu->neighbour;
    tabu->objective = tabu->next_objective;
    tabu->next_objective = INFINITY;
    tabu->number++;
    tabu->asked = tabu->told = 0;
    tabu->starting = false;
    tabu->moved = true;
}

static enum answer tabu_ask(void *state, size_t *index)
{
    struct tabu *tabu = state;
    struct explorer *explorer = &tabu->explorer;
    for (;;) {
        bool waiting = tabu->told < tabu->asked;
        if (tabu->starting) {
            if (tabu->asked >= (size_t)tabu->settings[STARTS] && isfinite(tabu->next_objective)) {
                step(tabu);
                continue;
            }
            tabu->asked++;
            return explorer_begin(explorer, tabu->number, index);
        }
        if (tabu->moved && !vicinity_around(&tabu->vicinity, explorer, tabu->center, tabu->settings[LOCALITY]))
            return ASK_FAILED;
        tabu->moved = false;
        if (vicinity_next(&tabu->vicinity, explorer, index)) {
            tabu->asked++;
            return explorer_ask(explorer, *index, tabu->number, index);
        }
        if (isfinite(tabu->next_objective)) {
            step(tabu);
            continue;
        }
        if (waiting)
            return explorer_begin(explorer, NO_ORIGIN, index);
        restart(tabu);
    }
}

static void tabu_tell(void *state, const struct observation *observation)
{
    struct tabu *tabu = state;
    const struct trial *trial = explorer_tell(&tabu->explorer, observation);
    if (!trial)
        return;
    bool own = trial->origin == tabu->number;
    tabu->told += own;
    if ((own || trial->objective < tabu->objective) && trial->objective < tabu->next_objective) {
        tabu->neighbour = trial->index;
        tabu->next_objective = trial->objective;
    }
    bool sampled = tabu->told >= (size_t)tabu->settings[SAMPLE] && isfinite(tabu->next_objective);
    if (!tabu->starting && (tabu->next_objective < tabu->objective || sampled))
        step(tabu);
    if (tabu->stalled >= (size_t)tabu->settings[PATIENCE])
        restart(tabu);
}

const struct strategy_driver strategy_tabu = {
    .name = "tabu",
    .meaning = "tabu search: to the best of a few neighbours, better or worse, never back",
    .parameters = tabu_parameters,
    .parameter_count = sizeof tabu_parameters / sizeof *tabu_parameters,
    .create = tabu_create,
    .ask = tabu_ask,
    .tell = tabu_tell,
    .destroy = tabu_destroy,
};
