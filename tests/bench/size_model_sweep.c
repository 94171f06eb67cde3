/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/size_model_sweep.h"

#include "tests/bench/gemm_model.h"
#include "tests/unit/h100.h"
#include "tuner/search/generator.h"
#include "tuner/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double noise = 0.004; /* of a measurement */

/* ---- sizes, as sizes.py has them */

static double halton(unsigned index, unsigned base)
{
    double result = 0, fraction = 1;
    for (; index > 0; index /= base) {
        fraction /= base;
        result += fraction * (index % base);
    }
    return result;
}

static int64_t rounded(double value, unsigned way)
{
    int64_t whole = (int64_t)fmax(16, nearbyint(value)), multiple = way == 0 ? 128 : 8;
    if (way == 3)
        return (int64_t)exp2(nearbyint(log2((double)whole)));
    if (way == 2)
        return whole | 1;
    whole = (int64_t)nearbyint((double)whole / (double)multiple) * multiple;
    return whole > multiple ? whole : multiple;
}

static bool is_in(const struct judge *judge, size_t number)
{
    return judge->part < 0 || number % 3 != 2;
}

static bool has_configurations(const struct judge *judge, const int64_t shape[3])
{
    const struct size_setting sizes[] = {{"M", shape[0]}, {"N", shape[1]}, {"K", shape[2]}};
    struct problem *problem = NULL;
    struct error error = {0};
    bool any = problem_create(judge->template, judge->space, &h100, sizes, 3, &problem, &error) &&
               problem_configuration_count(problem) > 0;
    problem_free(problem);
    return any;
}

/* Does it take part in the sweep, or else in what is asked about afterwards? */
static bool is_wanted(const struct judge *judge, size_t number, bool others)
{
    if (judge->part == 2)
        return (number < judge->sizes) != others;
    return is_in(judge, number) != others;
}

static char *write_recorded(const struct judge *judge, bool others)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (size_t i = 0; file && i < judge->recording.count; i++) {
        if (is_wanted(judge, i, others))
            fprintf(file, "%s\n", judge->recording.sizes[i]);
    }
    if (file)
        fclose(file);
    return text;
}

char *write_sizes(const struct judge *judge, bool others)
{
    if (judge->recording.count > 0)
        return write_recorded(judge, others);
    static const unsigned bases[] = {2, 3, 5};
    size_t count = judge->part == 2 ? 2 * judge->sizes : judge->sizes;
    char *text = calloc(count + 1, 64), *end = text;
    unsigned index = 0;
    for (size_t number = 0; text && number < count;) {
        int64_t shape[3];
        index++;
        for (unsigned axis = 0; axis < 3; axis++)
            shape[axis] = rounded(16 * pow(8192.0 / 16, halton(index, bases[axis])), (index + axis) % 4);
        if (shape[0] * shape[1] * shape[2] > (int64_t)1 << 36)
            continue;
        if (!has_configurations(judge, shape))
            continue;
        if (is_wanted(judge, number, others))
            end +=
                sprintf(end, "M=%lld,N=%lld,K=%lld\n", (long long)shape[0], (long long)shape[1], (long long)shape[2]);
        number++;
    }
    return text;
}

/* ---- what is true */

double true_time(const struct judge *judge, const struct problem *problem, const char *configuration)
{
    if (judge->recording.count > 0)
        return size_recording_time(&judge->recording, problem_size_text(problem), configuration);
    const int64_t sizes[] = {problem_size(problem, 0), problem_size(problem, 1), problem_size(problem, 2)};
    return gemm_model_time(&h100, configuration, sizes);
}

static double find_optimum(const struct judge *judge, const struct problem *problem)
{
    double best = INFINITY;
    for (size_t i = 0; i < problem_configuration_count(problem); i++) {
        char *text = problem_configuration_text(problem, i);
        best = fmin(best, true_time(judge, problem, text));
        free(text);
    }
    return best;
}

bool make_problems(const struct judge *judge, const struct size_set *set, struct problem ***problems,
                   double **optimum, struct error *error)
{
    *problems = calloc(set->count + 1, sizeof **problems);
    *optimum = calloc(set->count + 1, sizeof **optimum);
    if (!*problems || !*optimum)
        return error_out_of_memory(error);
    for (size_t i = 0; i < set->count; i++) {
        if (!problem_create(judge->template, judge->space, &h100, set->values + i * set->dimensions, set->dimensions,
                            &(*problems)[i], error))
            return false;
        (*optimum)[i] = find_optimum(judge, (*problems)[i]);
    }
    return true;
}

bool know_everything(const struct judge *judge, struct cost_table *table, struct error *error)
{
    if (!cost_table_create(table, (const char *const *)judge->set.texts, judge->set.count, error))
        return false;
    for (size_t s = 0; s < judge->set.count; s++) {
        for (size_t i = 0; i < problem_configuration_count(judge->problems[s]); i++) {
            char *text = problem_configuration_text(judge->problems[s], i);
            bool put = cost_table_put(table, text, s, true_time(judge, judge->problems[s], text), error);
            free(text);
            if (!put)
                return false;
        }
    }
    return true;
}

/* ---- a sweep of a size */

static double measured_time(const struct judge *judge, const struct problem *problem, const char *configuration)
{
    struct generator generator = {judge->seed + judge->evaluations * 2};
    double normal = -6;
    for (int i = 0; i < 12; i++)
        normal += generator_real(&generator);
    return true_time(judge, problem, configuration) * (1 + noise * normal);
}

static bool tell_predictions(struct search *search, const struct set_opening *opening, double scale)
{
    for (size_t i = opening->first_count; i < opening->prediction_count; i++) {
        const struct observation observation = {.index = opening->predictions[i].index,
                                                .valid = true,
                                                .objective = scale * opening->predictions[i].ratio};
        if (!search_tell(search, &observation))
            return false;
    }
    return true;
}

static bool tell_known(const struct judge *judge, size_t size, struct search *search)
{
    const struct cost_table *table = &judge->table;
    size_t index;
    for (size_t c = 0; c < table->count; c++) {
        double cost = table->costs[c * table->sizes + size];
        if (cost > 0 && isfinite(cost) &&
            problem_configuration_find(judge->problems[size], table->configurations[c], &index) &&
            !search_tell(search,
                         &(struct observation){.index = index, .valid = true, .objective = cost, .seconds = 1}))
            return false;
    }
    return true;
}

bool sweep_is_open(void *context, size_t size)
{
    const struct judge *judge = context;
    for (size_t i = 0; i < judge->open_count; i++) {
        if (judge->open[i] == size)
            return true;
    }
    return false;
}

static bool end_oldest(struct judge *judge, struct error *error)
{
    const struct cost_table *later = &judge->later;
    size_t size = judge->open[0];
    judge->open_count--;
    memmove(judge->open, judge->open + 1, judge->open_count * sizeof *judge->open);
    for (size_t c = 0; c < later->count; c++) {
        double cost = later->costs[c * later->sizes + size];
        if (cost != 0 && !cost_table_put(&judge->table, later->configurations[c], size, cost, error))
            return false;
    }
    return true;
}

/* They end in the order in which they began. */
bool sweep_settle(void *context, size_t size, struct error *error)
{
    struct judge *judge = context;
    bool done = true;
    while (done && judge->open_count > 0 && (size == SET_ALL || sweep_is_open(judge, size)))
        done = end_oldest(judge, error);
    return done;
}

bool sweep_size(void *context, const struct set_visit *visit, struct error *error)
{
    struct judge *judge = context;
    const struct problem *problem = judge->problems[visit->size];
    const struct set_opening *opening = visit->opening;
    struct search *search = NULL;
    const struct strategy_setup setup = {.space = problem_search_space(problem),
                                         .seed = judge->seed,
                                         .evaluations = visit->evaluations + judge->table.known[visit->size],
                                         .priors = opening->first,
                                         .prior_count = opening->first_count};
    double scale = INFINITY;
    bool done = search_create(strategy_find("auto"), &setup, &search, error) &&
                (tell_known(judge, visit->size, search) || error_out_of_memory(error));
    for (size_t made = 0; done && made < visit->evaluations; made++) {
        size_t index;
        if (made == opening->first_count && opening->first_count > 0 && !tell_predictions(search, opening, scale)) {
            done = error_out_of_memory(error);
            break;
        }
        if (search_ask(search, &index) != ASK_READY)
            break;
        char *text = problem_configuration_text(problem, index);
        double cost = measured_time(judge, problem, text);
        scale = fmin(scale, cost);
        judge->evaluations++;
        done = (search_tell(search,
                            &(struct observation){.index = index, .valid = true, .objective = cost, .seconds = 1}) ||
                error_out_of_memory(error)) &&
               cost_table_put(&judge->later, text, visit->size, cost, error);
        free(text);
    }
    search_free(search);
    judge->open[judge->open_count++] = visit->size;
    while (done && judge->open_count > judge->beside)
        done = end_oldest(judge, error);
    return done;
}
