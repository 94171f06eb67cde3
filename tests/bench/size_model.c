/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_model - how good is one sweep for many sizes where measurements are a formula?
 *
 *     size_model [-v] [-l] [-n SIZES] [-e EVALUATIONS a size] [-c CONFIGURATIONS] [-s SPACE] [-S SEED] [-p PART]
 *                [-o EVERY] [SOURCES]
 *
 * Like sizes.py, but by gemm_model.h, whose optimum at each size is found by trying everything, in seconds, without a
 * GPU. Shares of the optimum, geometric mean and least: of the best that was found at each size; of the best of the
 * portfolio; of the tree at its own sizes; and leave-one-size-out for every EVERY-th size (5; 0: none), where
 * configurations and tree are chosen again of what was measured at the others. Where the tree's answer is not valid
 * the next one answers, then the nearest size's best that is, or else the default, as in tuner/select. PART 0 leaves
 * every third size out of everything, so that choices can be judged by the other sizes; PART 1 sweeps those that 0
 * has, and asks about the third that it has not; without it all sizes take part, and with PART 2 it is asked about as
 * many more. -l also shows what a portfolio and a tree lose that know everything.
 */
#include "tests/bench/gemm_model.h"
#include "tests/unit/h100.h"
#include "tuner/engine/set_result.h"
#include "tuner/engine/set_stages.h"
#include "tuner/search/generator.h"
#include "tuner/search/search.h"
#include "tuner/select/nearness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double noise = 0.004; /* of a measurement */

struct judge {
    size_t sizes, each, configurations, every;
    uint64_t seed;
    int part;
    bool verbose, limit;
    struct template *template;
    struct space *space;
    struct size_set set; /* what is swept */
    struct problem **problems;
    double *optimum;
    struct cost_table table;
    size_t evaluations;
};

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

/* As a text for size_set_parse: those of the part, or with `others` the rest;
 * of part 2, as many more. */
static char *write_sizes(const struct judge *judge, bool others)
{
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

static double true_time(const struct problem *problem, const char *configuration)
{
    const int64_t sizes[] = {problem_size(problem, 0), problem_size(problem, 1), problem_size(problem, 2)};
    return gemm_model_time(&h100, configuration, sizes);
}

static double find_optimum(const struct problem *problem)
{
    double best = INFINITY;
    for (size_t i = 0; i < problem_configuration_count(problem); i++) {
        char *text = problem_configuration_text(problem, i);
        best = fmin(best, true_time(problem, text));
        free(text);
    }
    return best;
}

static bool make_problems(struct judge *judge, const struct size_set *set, struct problem ***problems,
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
        (*optimum)[i] = find_optimum((*problems)[i]);
    }
    return true;
}

/* What a sweep would find that measured everything everywhere, without noise.
 */
static bool know_everything(const struct judge *judge, struct cost_table *table, struct error *error)
{
    if (!cost_table_create(table, (const char *const *)judge->set.texts, judge->set.count, error))
        return false;
    for (size_t s = 0; s < judge->set.count; s++) {
        for (size_t i = 0; i < problem_configuration_count(judge->problems[s]); i++) {
            char *text = problem_configuration_text(judge->problems[s], i);
            bool put = cost_table_put(table, text, s, true_time(judge->problems[s], text), error);
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
    return true_time(problem, configuration) * (1 + noise * normal);
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

static bool visit(void *context, const struct set_visit *visit, struct error *error)
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
        done = search_tell(search,
                           &(struct observation){.index = index, .valid = true, .objective = cost, .seconds = 1}) &&
               cost_table_put(&judge->table, text, visit->size, cost, error);
        free(text);
    }
    search_free(search);
    return done;
}

static double no_seconds(void *context)
{
    (void)context;
    return 0;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* ---- figures */

struct shares {
    double sum, least;
    size_t count, worst;
};

static void add_share(struct shares *shares, double share, size_t which)
{
    if (shares->count == 0 || share < shares->least) {
        shares->least = share;
        shares->worst = which;
    }
    shares->sum += log(share);
    shares->count++;
}

static void print_shares(const char *what, const struct shares *shares, const struct size_set *set)
{
    if (shares->count == 0)
        return;
    printf("%-34s %6.1f %% %6.1f %%  at %s\n", what, 100 * exp(shares->sum / (double)shares->count),
           100 * shares->least, set->texts[shares->worst]);
}

/* The nearest size's best that is valid for the problem. */
static double nearest_time(const struct cost_table *table, const struct size_set *set, const struct problem *problem)
{
    double least = INFINITY, time = INFINITY;
    size_t index;
    for (size_t s = 0; s < set->count; s++) {
        double octaves = nearness_of_sizes(set->texts[s], problem_size_text(problem));
        for (size_t c = 0; octaves < least && c < table->count; c++) {
            if (table->costs[c * table->sizes + s] == table->best[s] && table->best[s] > 0 &&
                problem_configuration_find(problem, table->configurations[c], &index)) {
                least = octaves;
                time = true_time(problem, table->configurations[c]);
            }
        }
    }
    return time;
}

static double default_time(const struct problem *problem)
{
    size_t index;
    bool named;
    char *text = problem_default(problem, &index, &named) ? problem_configuration_text(problem, index) : NULL;
    double time = text ? true_time(problem, text) : INFINITY;
    free(text);
    return time;
}

/* Of the first of a dispatch's answers that is valid, or what answers where
 * none is. */
static double answer_time(const struct dispatch *dispatch, const struct cost_table *table, const struct size_set *set,
                          const struct problem *problem, size_t *invalid)
{
    size_t answers[DISPATCH_CONFIGURATIONS_MOST], index;
    size_t count = dispatch ? dispatch_answers(dispatch, problem_size_text(problem), answers) : 0;
    for (size_t i = 0; i < count; i++) {
        *invalid += i == 1;
        if (problem_configuration_find(problem, dispatch->configurations[answers[i]], &index))
            return true_time(problem, dispatch->configurations[answers[i]]);
    }
    double time = nearest_time(table, set, problem);
    return isfinite(time) ? time : default_time(problem);
}

/* All but one size. */
static bool without(const struct judge *judge, size_t which, struct size_set *set, struct cost_table *table,
                    struct error *error)
{
    const struct size_set *all = &judge->set;
    set->dimensions = all->dimensions;
    set->count = 0;
    for (size_t s = 0; s < all->count; s++) {
        if (s == which)
            continue;
        memcpy(set->values + set->count * all->dimensions, all->values + s * all->dimensions,
               all->dimensions * sizeof *set->values);
        set->weights[set->count] = all->weights[s];
        set->texts[set->count++] = all->texts[s];
    }
    if (!cost_table_create(table, (const char *const *)set->texts, set->count, error))
        return false;
    for (size_t c = 0; c < judge->table.count; c++) {
        for (size_t s = 0, to = 0; s < all->count; s++) {
            double cost = judge->table.costs[c * all->count + s];
            if (s != which && cost != 0 && !cost_table_put(table, judge->table.configurations[c], to, cost, error))
                return false;
            to += s != which;
        }
    }
    return true;
}

/* The best of these configurations that is valid: a share of the optimum. */
static double best_of(const struct judge *judge, size_t size, char *const *texts, size_t count)
{
    double best = INFINITY;
    size_t index;
    for (size_t i = 0; i < count; i++) {
        if (problem_configuration_find(judge->problems[size], texts[i], &index))
            best = fmin(best, true_time(judge->problems[size], texts[i]));
    }
    return judge->optimum[size] / best;
}

static bool leave_one_out(struct judge *judge, struct shares *shares, struct shares *third, struct shares *portfolio,
                          size_t *invalid, struct error *error)
{
    struct size_set set = {.values = calloc(judge->set.count * 3 + 1, sizeof *set.values),
                           .weights = calloc(judge->set.count + 1, sizeof *set.weights),
                           .texts = calloc(judge->set.count + 1, sizeof *set.texts)};
    struct problem **problems = calloc(judge->set.count + 1, sizeof *problems);
    bool done = (set.values && set.weights && set.texts && problems) || error_out_of_memory(error);
    for (size_t s = judge->every - 1; done && judge->every > 0 && s < judge->set.count; s += judge->every) {
        struct cost_table table = {0};
        memcpy(problems, judge->problems, s * sizeof(struct problem *));
        memcpy(problems + s, judge->problems + s + 1, (judge->set.count - s - 1) * sizeof(struct problem *));
        struct dispatch *dispatch = NULL;
        size_t missing;
        done = without(judge, s, &set, &table, error) &&
               set_result_conclude(&(struct set_known){problems, &set, &table, judge->seed}, judge->configurations,
                                   &dispatch, &missing, error);
        if (done) {
            double share = judge->optimum[s] / answer_time(dispatch, &table, &set, judge->problems[s], invalid);
            add_share(shares, share, s);
            add_share(portfolio, best_of(judge, s, dispatch->configurations, dispatch->configuration_count), s);
            if (s % 3 == 2)
                add_share(third, share, s);
            if (judge->verbose)
                printf("  %-24s %6zu without it %.3f\n", judge->set.texts[s],
                       problem_configuration_count(judge->problems[s]), share);
        }
        dispatch_free(dispatch);
        cost_table_clear(&table);
    }
    free(problems);
    free(set.values);
    free(set.weights);
    free(set.texts);
    return done;
}

static double best_found(const struct judge *judge, size_t size)
{
    const struct cost_table *table = &judge->table;
    for (size_t c = 0; c < table->count; c++) {
        if (table->costs[c * table->sizes + size] == table->best[size])
            return judge->optimum[size] / true_time(judge->problems[size], table->configurations[c]);
    }
    return 0;
}

/* The tree, and the portfolio, of one who knows everything. */
static bool report_limit(const struct judge *judge, struct error *error)
{
    struct cost_table table = {0};
    struct dispatch *dispatch = NULL;
    struct shares portfolio = {0}, tree = {0};
    size_t missing, invalid = 0;
    bool done = know_everything(judge, &table, error) &&
                set_result_conclude(&(struct set_known){judge->problems, &judge->set, &table, judge->seed},
                                    judge->configurations, &dispatch, &missing, error);
    for (size_t s = 0; done && s < judge->set.count; s++) {
        add_share(&portfolio, best_of(judge, s, dispatch->configurations, dispatch->configuration_count), s);
        add_share(&tree, judge->optimum[s] / answer_time(dispatch, &table, &judge->set, judge->problems[s], &invalid),
                  s);
    }
    if (done) {
        print_shares("if all were known: portfolio", &portfolio, &judge->set);
        print_shares("if all were known: tree", &tree, &judge->set);
    }
    dispatch_free(dispatch);
    cost_table_clear(&table);
    return done;
}

static bool report(struct judge *judge, struct error *error)
{
    struct dispatch *dispatch = NULL;
    struct shares found = {0}, portfolio = {0}, seen = {0}, held_out = {0}, third = {0}, chosen = {0}, defaults = {0};
    size_t missing, invalid = 0, invalid_without = 0;
    if (!set_result_conclude(&(struct set_known){judge->problems, &judge->set, &judge->table, judge->seed},
                             judge->configurations, &dispatch, &missing, error))
        return false;
    for (size_t s = 0; s < judge->set.count; s++) {
        double answered = answer_time(dispatch, &judge->table, &judge->set, judge->problems[s], &invalid);
        add_share(&found, best_found(judge, s), s);
        add_share(&portfolio, best_of(judge, s, dispatch->configurations, dispatch->configuration_count), s);
        add_share(&seen, judge->optimum[s] / answered, s);
        add_share(&defaults, judge->optimum[s] / default_time(judge->problems[s]), s);
    }
    if (!leave_one_out(judge, &held_out, &third, &chosen, &invalid_without, error))
        return false;
    printf("%zu sizes, %zu evaluations (%.1f a size), %zu configurations of at "
           "most %zu, %zu leaves, %zu missing\n",
           judge->set.count, judge->evaluations, (double)judge->evaluations / (double)judge->set.count,
           dispatch->configuration_count, judge->configurations, dispatch->tree.count / 2 + 1, missing);
    print_shares("default", &defaults, &judge->set);
    print_shares("best found at each size", &found, &judge->set);
    print_shares("best of the portfolio", &portfolio, &judge->set);
    print_shares("tree, at its own sizes", &seen, &judge->set);
    print_shares("portfolio, leave one size out", &chosen, &judge->set);
    print_shares("tree, leave one size out", &held_out, &judge->set);
    print_shares("the same, of every third size", &third, &judge->set);
    printf("answers that are not the tree's: %zu, without the size %zu\n", invalid, invalid_without);
    if (judge->verbose) {
        for (size_t i = 0; i < dispatch->configuration_count; i++)
            printf("%zu %s\n", i, dispatch->configurations[i]);
    }
    dispatch_free(dispatch);
    return true;
}

/* The sizes that the sweep has never seen. */
static bool report_others(struct judge *judge, struct error *error)
{
    struct size_set others;
    struct problem **problems = NULL;
    double *optimum = NULL;
    struct dispatch *dispatch = NULL;
    struct shares shares = {0};
    size_t missing, invalid = 0;
    char *text = write_sizes(judge, true);
    bool done = size_set_parse("sizes", text, strlen(text), judge->template, &h100, &others, error) &&
                make_problems(judge, &others, &problems, &optimum, error) &&
                set_result_conclude(&(struct set_known){judge->problems, &judge->set, &judge->table, judge->seed},
                                    judge->configurations, &dispatch, &missing, error);
    for (size_t s = 0; done && s < others.count; s++)
        add_share(&shares, optimum[s] / answer_time(dispatch, &judge->table, &judge->set, problems[s], &invalid), s);
    if (done)
        print_shares("tree, sizes that it has not seen", &shares, &others);
    for (size_t s = 0; problems && s < others.count; s++)
        problem_free(problems[s]);
    dispatch_free(dispatch);
    size_set_clear(&others);
    free(problems);
    free(optimum);
    free(text);
    return done;
}

static bool run(struct judge *judge, const char *source, const char *space, struct error *error)
{
    char folder[4096], path[4096];
    snprintf(folder, sizeof folder, "%s/templates/gemm", source);
    if (strchr(space, '/'))
        snprintf(path, sizeof path, "%s", space);
    else
        snprintf(path, sizeof path, "%s/spaces/gemm/%s.space", source, space);
    if (!template_read(folder, &judge->template, error) || !space_read(path, judge->template, &judge->space, error))
        return false;
    char *text = write_sizes(judge, false);
    bool done = size_set_parse("sizes", text, strlen(text), judge->template, &h100, &judge->set, error) &&
                make_problems(judge, &judge->set, &judge->problems, &judge->optimum, error) &&
                cost_table_create(&judge->table, (const char *const *)judge->set.texts, judge->set.count, error);
    free(text);
    const struct set_task task = {.problems = judge->problems,
                                  .set = &judge->set,
                                  .configurations = judge->configurations,
                                  .seed = judge->seed,
                                  .evaluations = judge->each * judge->set.count,
                                  .table = &judge->table,
                                  .visit = visit,
                                  .seconds_spent = no_seconds,
                                  .must_stop = never,
                                  .is_interrupted = never,
                                  .context = judge};
    done = done && set_stages_run(&task, error) && report(judge, error) &&
           (!judge->limit || report_limit(judge, error)) && (judge->part < 1 || report_others(judge, error));
    for (size_t i = 0; judge->problems && i < judge->set.count; i++)
        problem_free(judge->problems[i]);
    free(judge->problems);
    free(judge->optimum);
    cost_table_clear(&judge->table);
    size_set_clear(&judge->set);
    space_free(judge->space);
    template_free(judge->template);
    return done;
}

int main(int count, char **arguments)
{
    struct judge judge = {.sizes = 100, .each = 15, .configurations = 8, .every = 5, .seed = 1, .part = -1};
    const char *space = "pipelined";
    struct error error = {0};
    for (int option; (option = getopt(count, arguments, "vln:e:c:s:S:p:o:")) != -1;) {
        switch (option) {
        case 'v':
            judge.verbose = true;
            break;
        case 'l':
            judge.limit = true;
            break;
        case 'n':
            judge.sizes = strtoull(optarg, NULL, 10);
            break;
        case 'e':
            judge.each = strtoull(optarg, NULL, 10);
            break;
        case 'c':
            judge.configurations = strtoull(optarg, NULL, 10);
            break;
        case 's':
            space = optarg;
            break;
        case 'S':
            judge.seed = strtoull(optarg, NULL, 10);
            break;
        case 'o':
            judge.every = strtoull(optarg, NULL, 10);
            break;
        case 'p':
            judge.part = (int)strtol(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    }
    if (run(&judge, optind < count ? arguments[optind] : ".", space, &error))
        return 0;
    error_print(&error, stderr);
    return 1;
}
