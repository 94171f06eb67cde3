/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/portfolio.h"

#include <math.h>
#include <stdlib.h>

static const double least_gain = 1e-9; /* of the weighted mean */

enum { EXCHANGES_MOST = 1000 }; /* each gains something: it ends by itself, but rounding may make it dance */

static double loss_of(const struct portfolio_table *table, size_t configuration, size_t size)
{
    return table->loss[configuration * table->sizes + size];
}

static double total_weight(const struct portfolio_table *table)
{
    double sum = 0;
    for (size_t s = 0; s < table->sizes; s++)
        sum += table->weights[s];
    return sum;
}

/* The weighted mean if `configuration` joined members that lose `least`, which may be infinite without any. */
static double loss_with(const struct portfolio_table *table, const double *least, size_t configuration)
{
    double sum = 0;
    for (size_t s = 0; s < table->sizes; s++)
        sum += table->weights[s] * fmin(least[s], loss_of(table, configuration, s));
    return sum / total_weight(table);
}

/* What members other than the one at `without` (count: none is left out) lose at each size. */
static void find_least(const struct portfolio_table *table, const size_t *chosen, size_t count, size_t without,
                       double *least)
{
    for (size_t s = 0; s < table->sizes; s++) {
        least[s] = INFINITY;
        for (size_t i = 0; i < count; i++) {
            if (i != without)
                least[s] = fmin(least[s], loss_of(table, chosen[i], s));
        }
    }
}

/* The configuration that joins best; of several the first. */
static size_t best_to_join(const struct portfolio_table *table, const double *least, double *loss)
{
    size_t best = 0;
    *loss = INFINITY;
    for (size_t c = 0; c < table->configurations; c++) {
        double own = loss_with(table, least, c);
        if (own < *loss) {
            *loss = own;
            best = c;
        }
    }
    return best;
}

bool portfolio_choose(const struct portfolio_table *table, size_t most, size_t *chosen, size_t *count,
                      struct error *error)
{
    double *least = calloc(table->sizes + 1, sizeof *least), former = INFINITY;
    *count = 0;
    if (!least)
        return error_out_of_memory(error);
    while (*count < most && table->configurations > 0 && table->sizes > 0) {
        double loss;
        find_least(table, chosen, *count, *count, least);
        size_t joining = best_to_join(table, least, &loss);
        if (!(loss < former - least_gain))
            break;
        chosen[(*count)++] = joining;
        former = loss;
    }
    free(least);
    return true;
}

static bool exchange_one(const struct portfolio_table *table, size_t *chosen, size_t count, double *least)
{
    double now = portfolio_loss(table, chosen, count);
    for (size_t i = 0; i < count; i++) {
        double loss;
        find_least(table, chosen, count, i, least);
        size_t joining = best_to_join(table, least, &loss);
        if (loss < now - least_gain) {
            chosen[i] = joining;
            return true;
        }
    }
    return false;
}

bool portfolio_exchange(const struct portfolio_table *table, size_t *chosen, size_t count, struct error *error)
{
    double *least = calloc(table->sizes + 1, sizeof *least);
    if (!least)
        return error_out_of_memory(error);
    int exchanges = 0;
    while (exchanges < EXCHANGES_MOST && exchange_one(table, chosen, count, least))
        exchanges++;
    free(least);
    return true;
}

double portfolio_loss(const struct portfolio_table *table, const size_t *chosen, size_t count)
{
    double sum = 0;
    for (size_t s = 0; s < table->sizes; s++) {
        double least = INFINITY;
        for (size_t i = 0; i < count; i++)
            least = fmin(least, loss_of(table, chosen[i], s));
        sum += table->weights[s] * least;
    }
    return sum / total_weight(table);
}
