/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_opening.h"

#include "tuner/engine/set_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PORTFOLIO_MOST = 8,  /* configurations that were good elsewhere */
    PROMISING_MOST = 16, /* that the model proposes */
    SEEN_MOST = 3,       /* of the former at a size that was visited before */
    SEVERAL = 2,         /* sizes at which a configuration must be bad not to be tried at others */
    PREDICTED_OF = 4096, /* of so many configurations of the table at most */
};

static const double first_share = 0.8;                    /* of a size's evaluations go to what is good elsewhere */
static const double loss_not_to_try = 0.4054651081081644; /* log(1.5) */

static bool is_first(const struct set_opening *opening, size_t index)
{
    for (size_t i = 0; i < opening->first_count; i++) {
        if (opening->first[i] == index)
            return true;
    }
    return false;
}

static void add_first(struct set_opening *opening, size_t index, double loss)
{
    if (is_first(opening, index))
        return;
    opening->predictions[opening->prediction_count++] = (struct sweep_prediction){index, exp(loss)};
    opening->first[opening->first_count++] = index;
}

/* The default, whatever is known of it: what is stored as best must not be slower than doing nothing. */
static bool add_default(const struct cost_table *table, size_t size, const struct problem *problem,
                        struct set_opening *opening, struct error *error)
{
    size_t index, place = 0;
    bool named;
    if (!problem_default(problem, &index, &named) || !named)
        return true;
    char *text = problem_configuration_text(problem, index);
    if (!text)
        return error_out_of_memory(error);
    while (place < table->count && strcmp(table->configurations[place], text) != 0)
        place++;
    add_first(opening, index, place < table->count ? cost_table_loss(table, place, size) : 0);
    free(text);
    return true;
}

/* Sizes near this one count for more. */
static bool add_portfolio(const struct cost_table *table, size_t size, const struct problem *problem, size_t most,
                          struct set_opening *opening, struct error *error)
{
    size_t chosen[PORTFOLIO_MOST], count = 0, index;
    if (!set_result_choose(table, table->nearness + size * table->sizes, most, chosen, &count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (problem_configuration_find(problem, table->configurations[chosen[i]], &index))
            add_first(opening, index, cost_table_loss(table, chosen[i], size));
    }
    return true;
}

/* Has it been bad at several sizes, and good at none? */
static bool is_bad_elsewhere(const struct cost_table *table, size_t configuration)
{
    size_t times = 0;
    for (size_t s = 0; s < table->sizes; s++) {
        if (!cost_table_knows(table, configuration, s))
            continue;
        if (cost_table_loss(table, configuration, s) <= loss_not_to_try)
            return false;
        times++;
    }
    return times >= SEVERAL;
}

static void add_predictions(const struct cost_table *table, size_t size, const struct problem *problem,
                            struct set_opening *opening)
{
    size_t index, most = opening->first_count + SET_PREDICTIONS_MOST;
    for (size_t c = 0; c < table->count && c < PREDICTED_OF && opening->prediction_count < most; c++) {
        if (!cost_table_knows(table, c, size) && is_bad_elsewhere(table, c) &&
            problem_configuration_find(problem, table->configurations[c], &index) && !is_first(opening, index))
            opening->predictions[opening->prediction_count++] =
                (struct sweep_prediction){index, exp(cost_table_loss(table, c, size))};
    }
}

static bool add_promising(struct set_model *model, size_t size, size_t most, struct set_opening *opening,
                          struct error *error)
{
    struct set_proposal proposals[PROMISING_MOST];
    size_t count;
    if (!set_model_propose(model, size, opening->first, opening->first_count, most, proposals, &count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        add_first(opening, proposals[i].index, proposals[i].loss);
    return true;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool set_opening_make(const struct cost_table *table, struct set_model *model, size_t size,
                      const struct problem *problem, uint64_t evaluations, struct set_opening *opening,
                      struct error *error)
{
    size_t portfolio = table->known[size] > 0 ? SEEN_MOST : PORTFOLIO_MOST, promising = PROMISING_MOST;
    *opening = (struct set_opening){0};
    if (table->count == 0)
        return true;
    if (!add_default(table, size, problem, opening, error))
        return false;
    if (evaluations > 0 && evaluations < SET_FIRST_MOST) {
        size_t most = (size_t)ceil(first_share * (double)evaluations);
        portfolio = least_of(portfolio, most > opening->first_count ? most - opening->first_count : 0);
    }
    if (portfolio > 0 && !add_portfolio(table, size, problem, portfolio, opening, error))
        return false;
    if (evaluations > 0 && evaluations + table->known[size] >= problem_configuration_count(problem)) {
        opening->prediction_count = 0; /* everything can be tried */
        return true;
    }
    if (evaluations > 0)
        promising = least_of(promising, evaluations > opening->first_count ? evaluations - opening->first_count : 0);
    if (promising > 0 && !add_promising(model, size, promising, opening, error))
        return false;
    add_predictions(table, size, problem, opening);
    return true;
}
