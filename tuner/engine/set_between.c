/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_between.h"

#include "tuner/dispatch/portfolio.h"
#include "tuner/search/radical_inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND_MOST = 12,  /* sizes made up around each one */
    CASES_MOST = 1536, /* in all, unless as many were swept */
    ROWS_MOST = 64,    /* configurations that may be chosen */
};

static const double octaves = 1; /* away from a size at most, in each of its dimensions */

/* A configuration, and a problem that has it. */
struct contender {
    const struct problem *problem;
    size_t index;
};

struct making {
    const struct set_known *known;
    struct set_between *between;
    struct contender *contenders; /* by configuration of `between` */
    size_t dimensions;
};

/* ---- sizes */

static bool varies(const struct set_known *known, size_t dimension)
{
    for (size_t s = 1; s < known->set->count; s++) {
        if (problem_size(known->problems[s], dimension) != problem_size(known->problems[0], dimension))
            return true;
    }
    return false;
}

/* Sizes around others: point `number` of a Halton sequence. Those stay that are the same everywhere, or that follow
 * from data. */
static void make_up(const struct making *making, size_t number, const int64_t *from, int64_t *sizes)
{
    const struct template *template = problem_template(making->known->problems[0]);
    const struct feature unit = {.kind = FEATURE_UNIT};
    uint64_t base = 1;
    for (size_t d = 0; d < making->dimensions; d++) {
        sizes[d] = from[d];
        if (template->sizes[d].derived || !varies(making->known, d))
            continue;
        base = prime_above(base);
        double shift = (2 * radical_inverse(number, base, 1) - 1) * octaves, own = feature_value(&unit, &from[d]);
        double size = fmax(round((double)from[d] * exp2(shift) / own), 1) * own;
        if (size < 0x1p62)
            sizes[d] = (int64_t)size;
    }
}

static size_t around_each(size_t swept)
{
    size_t room = CASES_MOST / swept;
    room = room > 0 ? room - 1 : 0;
    return room < AROUND_MOST ? room : AROUND_MOST;
}

static void list_swept(struct making *making, const bool *left_out)
{
    const struct set_known *known = making->known;
    struct set_between *between = making->between;
    struct tree_cases *cases = &between->cases;
    for (size_t s = 0; s < known->set->count; s++) {
        if (known->table->best[s] == 0 || (left_out && left_out[s]))
            continue;
        for (size_t d = 0; d < making->dimensions; d++)
            between->sizes[cases->count * making->dimensions + d] = problem_size(known->problems[s], d);
        between->weights[cases->count] = known->set->weights[s];
        between->around[cases->count] = cases->count;
        between->swept[cases->count++] = s;
    }
    cases->measured = cases->count;
}

/* ---- configurations */

/* A size at which it was measured. */
static bool find_home(const struct set_known *known, size_t place, struct contender *contender)
{
    const struct cost_table *table = known->table;
    for (size_t s = 0; s < table->sizes; s++) {
        double cost = table->costs[place * table->sizes + s];
        contender->problem = known->problems[s];
        if (cost > 0 && isfinite(cost) &&
            problem_configuration_find(known->problems[s], table->configurations[place], &contender->index))
            return true;
    }
    return false;
}

static bool list_contenders(struct making *making, const size_t *chosen, size_t count)
{
    struct set_between *between = making->between;
    size_t *own = chosen ? NULL : cost_table_contenders(making->known->table, &count);
    const size_t *places = chosen ? chosen : own;
    between->places = calloc(count + 1, sizeof *between->places);
    making->contenders = calloc(count + 1, sizeof *making->contenders);
    bool done = places && between->places && making->contenders;
    for (size_t i = 0; done && i < count; i++) {
        size_t to = between->cases.configurations;
        between->places[to] = places[i];
        between->cases.configurations += find_home(making->known, places[i], &making->contenders[to]);
    }
    free(own);
    return done;
}

/* ---- losses */

static bool loss_when_swept(struct making *making, size_t row, size_t which, double *loss, struct error *error)
{
    const struct set_between *between = making->between;
    const struct cost_table *table = making->known->table;
    const struct contender *contender = &making->contenders[row];
    size_t place = between->places[row], size = between->swept[which];
    bool valid = true;
    *loss = cost_table_loss(table, place, size);
    if (cost_table_knows(table, place, size) || !between->forecast)
        return true;
    if (!set_forecast_ask(between->forecast, contender->problem, contender->index,
                          between->sizes + which * making->dimensions, loss, &valid, error))
        return false;
    *loss = valid ? fmin(fmax(*loss, 0), cost_table_loss_most) : cost_table_loss_most;
    return true;
}

/* What all lose at a size that was made up; `*any` is valid there. */
static bool losses_between(struct making *making, const int64_t *sizes, double *losses, bool *any,
                           struct error *error)
{
    size_t rows = making->between->cases.configurations;
    double least = INFINITY;
    for (size_t row = 0; row < rows; row++) {
        const struct contender *contender = &making->contenders[row];
        bool valid;
        if (!set_forecast_ask(making->between->forecast, contender->problem, contender->index, sizes, &losses[row],
                              &valid, error))
            return false;
        losses[row] = valid ? losses[row] : INFINITY;
        least = fmin(least, losses[row]);
    }
    *any = isfinite(least);
    for (size_t row = 0; row < rows && *any; row++)
        losses[row] = fmin(losses[row] - least, cost_table_loss_most);
    return true;
}

static bool fill_swept(struct making *making, struct error *error)
{
    struct tree_cases *cases = &making->between->cases;
    double *loss = making->between->loss = calloc(cases->configurations * cases->measured + 1, sizeof *loss);
    cases->loss = loss;
    for (size_t row = 0; loss && row < cases->configurations; row++) {
        for (size_t i = 0; i < cases->measured; i++) {
            if (!loss_when_swept(making, row, i, &loss[row * cases->measured + i], error))
                return false;
        }
    }
    return loss || error_out_of_memory(error);
}

/* Keep the configurations that a portfolio of many would have. */
static bool keep_best(struct making *making, struct error *error)
{
    struct set_between *between = making->between;
    struct tree_cases *cases = &between->cases;
    const struct portfolio_table all = {cases->configurations, cases->measured, between->loss, between->weights};
    size_t rows[ROWS_MOST], count, *places = calloc(ROWS_MOST, sizeof *places);
    struct contender *contenders = calloc(ROWS_MOST, sizeof *contenders);
    double *loss = calloc(ROWS_MOST * cases->measured + 1, sizeof *loss);
    bool done = (places && contenders && loss) || error_out_of_memory(error);
    done = done && portfolio_choose(&all, ROWS_MOST, rows, &count, error);
    for (size_t i = 0; done && i < count; i++) {
        places[i] = between->places[rows[i]];
        contenders[i] = making->contenders[rows[i]];
        memcpy(loss + i * cases->measured, between->loss + rows[i] * cases->measured, cases->measured * sizeof *loss);
    }
    if (!done) {
        free(places);
        free(contenders);
        free(loss);
        return false;
    }
    free(between->places);
    free(making->contenders);
    free(between->loss);
    between->places = places;
    making->contenders = contenders;
    between->loss = loss;
    cases->loss = loss;
    cases->configurations = count;
    return true;
}

/* Widen the rows of losses to `count` cases. */
static bool widen(struct set_between *between, size_t count)
{
    struct tree_cases *cases = &between->cases;
    double *loss = calloc(cases->configurations * count + 1, sizeof *loss);
    for (size_t row = 0; loss && row < cases->configurations; row++)
        memcpy(loss + row * count, between->loss + row * cases->count, cases->count * sizeof *loss);
    if (!loss)
        return false;
    free(between->loss);
    between->loss = loss;
    cases->loss = loss;
    cases->count = count;
    return true;
}

static bool add_between(struct making *making, size_t each, struct error *error)
{
    struct set_between *between = making->between;
    struct tree_cases *cases = &between->cases;
    size_t swept = cases->measured, all = swept * (1 + each), count = swept;
    double *losses = calloc(cases->configurations + 1, sizeof *losses);
    bool done = (losses && widen(between, all)) || error_out_of_memory(error);
    for (size_t i = 0; done && i < swept * each; i++) {
        int64_t *sizes = between->sizes + count * making->dimensions;
        bool any;
        make_up(making, swept + i, between->sizes + i / each * making->dimensions, sizes);
        done = losses_between(making, sizes, losses, &any, error);
        if (!done || !any)
            continue;
        for (size_t row = 0; row < cases->configurations; row++)
            between->loss[row * all + count] = losses[row];
        between->weights[count] = between->weights[i / each] / (double)each; /* together as much as that one */
        between->around[count++] = i / each;
    }
    for (size_t row = 0; done && row < cases->configurations; row++) /* none may be missing between the rows */
        memmove(between->loss + row * count, between->loss + row * all, count * sizeof *losses);
    cases->count = done ? count : cases->count;
    free(losses);
    return done;
}

/* ---- all */

static bool prepare(struct making *making, const struct set_between_request *request)
{
    struct set_between *between = making->between;
    size_t most = request->known->set->count * (1 + AROUND_MOST);
    between->swept = calloc(request->known->set->count + 1, sizeof *between->swept);
    between->sizes = calloc(most * making->dimensions + 1, sizeof *between->sizes);
    between->weights = calloc(most + 1, sizeof *between->weights);
    between->around = calloc(most + 1, sizeof *between->around);
    between->cases = (struct tree_cases){.dimensions = making->dimensions,
                                         .sizes = between->sizes,
                                         .weights = between->weights,
                                         .around = between->around};
    return between->swept && between->sizes && between->weights && between->around;
}

bool set_between_make(const struct set_between_request *request, struct set_between *between, struct error *error)
{
    struct making making = {
        .known = request->known, .between = between, .dimensions = request->known->set->dimensions};
    *between = (struct set_between){0};
    bool done = (prepare(&making, request) && list_contenders(&making, request->chosen, request->chosen_count)) ||
                error_out_of_memory(error);
    if (done)
        list_swept(&making, request->left_out);
    done = done && set_forecast_create(request->known, request->left_out, request->like, &between->forecast, error) &&
           fill_swept(&making, error) && (request->chosen || keep_best(&making, error));
    size_t each = done && between->forecast && between->cases.measured > 0 ? around_each(between->cases.measured) : 0;
    done = done && (each == 0 || add_between(&making, each, error));
    free(making.contenders);
    return done;
}

void set_between_clear(struct set_between *between)
{
    free(between->places);
    free(between->swept);
    free(between->sizes);
    free(between->loss);
    free(between->weights);
    free(between->around);
    set_forecast_free(between->forecast);
    *between = (struct set_between){0};
}

bool set_between_select(const struct set_between *between, const size_t *rows, size_t count, struct tree_cases *cases,
                        double **loss)
{
    size_t width = between->cases.count;
    *cases = between->cases;
    cases->configurations = count;
    cases->loss = *loss = calloc(count * width + 1, sizeof **loss);
    for (size_t i = 0; *loss && i < count; i++)
        memcpy(*loss + i * width, between->loss + rows[i] * width, width * sizeof **loss);
    return *loss != NULL;
}
