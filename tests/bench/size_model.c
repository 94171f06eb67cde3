/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_model - how good is one sweep for many sizes where measurements are a formula, or were made before?
 *
 *     size_model [-v] [-n SIZES] [-e EVALUATIONS a size] [-c CONFIGURATIONS] [-s SPACE] [-S SEED] [-p PART]
 *                [-o EVERY] [-f FOLDS] [-r RECORDING] [-b BESIDE] [SOURCES]
 *
 * Like sizes.py, but by gemm_model.h, whose optimum at each size is found by trying everything, in seconds, without a
 * GPU; or by what a GPU took (size_recording.h), at the sizes of the recording. Shares of the optimum, geometric mean
 * and least: of the best that was found at each size; of the best of the portfolio; of the tree at its own sizes; and
 * leave-one-size-out for every EVERY-th size (5; 0: none), where configurations and tree are chosen again of what was
 * measured at the others. With FOLDS, all sizes are left out in turn, every so many-th together. Where the tree's
 * answer is not valid the next one answers, then the nearest size's best that is, or else the default, as in
 * tuner/select. PART 0 leaves every third size out of everything, so that choices can be judged by the other sizes;
 * PART 1 sweeps those that 0 has, and asks about the third that it has not; without it all sizes take part, and with
 * PART 2 it is asked about as many more. A visit begins while BESIDE others (0) are under way, whose results it does
 * not know. With 0 EVALUATIONS nothing is swept, and everything is known.
 */
#include "tests/bench/size_model_sweep.h"
#include "tests/unit/h100.h"
#include "tuner/engine/set_result.h"
#include "tuner/select/nearness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static double nearest_time(const struct judge *judge, const struct cost_table *table, const struct size_set *set,
                           const struct problem *problem)
{
    double least = INFINITY, time = INFINITY;
    size_t index;
    for (size_t s = 0; s < set->count; s++) {
        double octaves = nearness_of_sizes(set->texts[s], problem_size_text(problem));
        for (size_t c = 0; octaves < least && c < table->count; c++) {
            if (table->costs[c * table->sizes + s] == table->best[s] && table->best[s] > 0 &&
                problem_configuration_find(problem, table->configurations[c], &index)) {
                least = octaves;
                time = true_time(judge, problem, table->configurations[c]);
            }
        }
    }
    return time;
}

static double default_time(const struct judge *judge, const struct problem *problem)
{
    size_t index;
    bool named;
    char *text = problem_default(problem, &index, &named) ? problem_configuration_text(problem, index) : NULL;
    double time = text ? true_time(judge, problem, text) : INFINITY;
    free(text);
    return time;
}

/* Of the first of a dispatch's answers that is valid, or what answers where none is; `*others` counts what is not the
 * tree's. */
static double answer_time(const struct judge *judge, const struct dispatch *dispatch, const struct cost_table *table,
                          const struct size_set *set, const struct problem *problem, size_t *others)
{
    const int64_t sizes[] = {problem_size(problem, 0), problem_size(problem, 1), problem_size(problem, 2)};
    size_t answers[DISPATCH_CONFIGURATIONS_MOST], index, i = 0;
    size_t count = dispatch_answers(dispatch, problem_size_text(problem), answers);
    while (i < count && !problem_configuration_find(problem, dispatch->configurations[answers[i]], &index))
        i++;
    *others += i == count || answers[i] != dispatch->tree.nodes[tree_leaf(&dispatch->tree, sizes)].configuration;
    if (i < count)
        return true_time(judge, problem, dispatch->configurations[answers[i]]);
    double time = nearest_time(judge, table, set, problem);
    return isfinite(time) ? time : default_time(judge, problem);
}

static bool conclude(const struct judge *judge, const struct cost_table *table, struct dispatch **dispatch,
                     size_t *missing, struct error *error)
{
    const struct set_known known = {judge->problems, &judge->set, table, judge->seed};
    return set_result_conclude(&known, judge->configurations, dispatch, missing, error);
}

/* At sizes of which nothing was known. */
struct left_out {
    struct shares tree, third, portfolio;
    size_t others; /* answers that are not the tree's */
};

/* Is a size of the group that is left out together? Each is one, or each of `folds` has every so many-th. */
static bool is_of(const struct judge *judge, size_t group, size_t size)
{
    return judge->folds > 0 ? size % judge->folds == group : size == group;
}

/* What is known without a group. */
static bool without(const struct judge *judge, size_t group, struct size_set *set, struct problem **problems,
                    struct cost_table *table, struct error *error)
{
    const struct size_set *all = &judge->set;
    set->dimensions = all->dimensions;
    set->count = 0;
    for (size_t s = 0; s < all->count; s++) {
        if (is_of(judge, group, s))
            continue;
        memcpy(set->values + set->count * all->dimensions, all->values + s * all->dimensions,
               all->dimensions * sizeof *set->values);
        set->weights[set->count] = all->weights[s];
        problems[set->count] = judge->problems[s];
        set->texts[set->count++] = all->texts[s];
    }
    if (!cost_table_create(table, (const char *const *)set->texts, set->count, error))
        return false;
    for (size_t c = 0; c < judge->table.count; c++) {
        for (size_t s = 0, to = 0; s < all->count; s++) {
            double cost = judge->table.costs[c * all->count + s];
            if (is_of(judge, group, s))
                continue;
            if (cost != 0 && !cost_table_put(table, judge->table.configurations[c], to, cost, error))
                return false;
            to++;
        }
    }
    return true;
}

/* Of the best of a dispatch's configurations that is valid. */
static double best_time(const struct judge *judge, const struct dispatch *dispatch, const struct problem *problem)
{
    double best = INFINITY;
    size_t index;
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        if (problem_configuration_find(problem, dispatch->configurations[i], &index))
            best = fmin(best, true_time(judge, problem, dispatch->configurations[i]));
    }
    return best;
}

static bool judge_group(const struct judge *judge, size_t group, struct size_set *set, struct problem **problems,
                        struct left_out *left_out, struct error *error)
{
    struct cost_table table = {0};
    struct dispatch *dispatch = NULL;
    size_t missing;
    bool done = without(judge, group, set, problems, &table, error) &&
                set_result_conclude(&(struct set_known){problems, set, &table, judge->seed}, judge->configurations,
                                    &dispatch, &missing, error);
    for (size_t s = 0; done && s < judge->set.count; s++) {
        if (!is_of(judge, group, s))
            continue;
        double share =
            judge->optimum[s] / answer_time(judge, dispatch, &table, set, judge->problems[s], &left_out->others);
        add_share(&left_out->tree, share, s);
        add_share(&left_out->portfolio, judge->optimum[s] / best_time(judge, dispatch, judge->problems[s]), s);
        if (s % 3 == 2)
            add_share(&left_out->third, share, s);
        if (judge->verbose)
            printf("  %-24s %6zu without it %.3f\n", judge->set.texts[s],
                   problem_configuration_count(judge->problems[s]), share);
    }
    dispatch_free(dispatch);
    cost_table_clear(&table);
    return done;
}

static bool leave_out(const struct judge *judge, struct left_out *left_out, struct error *error)
{
    struct size_set set = {.values = calloc(judge->set.count * 3 + 1, sizeof *set.values),
                           .weights = calloc(judge->set.count + 1, sizeof *set.weights),
                           .texts = calloc(judge->set.count + 1, sizeof *set.texts)};
    struct problem **problems = calloc(judge->set.count + 1, sizeof *problems);
    bool done = (set.values && set.weights && set.texts && problems) || error_out_of_memory(error);
    size_t step = judge->folds > 0 ? 1 : judge->every, end = judge->folds > 0 ? judge->folds : judge->set.count;
    for (size_t group = step - 1; done && step > 0 && group < end; group += step)
        done = judge_group(judge, group, &set, problems, left_out, error);
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
            return judge->optimum[size] / true_time(judge, judge->problems[size], table->configurations[c]);
    }
    return 0;
}

static bool report(struct judge *judge, const struct dispatch *dispatch, size_t missing, struct error *error)
{
    struct shares found = {0}, portfolio = {0}, seen = {0}, defaults = {0};
    struct left_out left_out = {0};
    size_t others = 0;
    for (size_t s = 0; s < judge->set.count; s++) {
        double answered = answer_time(judge, dispatch, &judge->table, &judge->set, judge->problems[s], &others);
        add_share(&found, best_found(judge, s), s);
        add_share(&portfolio, judge->optimum[s] / best_time(judge, dispatch, judge->problems[s]), s);
        add_share(&seen, judge->optimum[s] / answered, s);
        add_share(&defaults, judge->optimum[s] / default_time(judge, judge->problems[s]), s);
    }
    if (!leave_out(judge, &left_out, error))
        return false;
    printf("%zu sizes, %zu evaluations (%.1f a size), %zu configurations of at most %zu, %zu leaves, %zu missing\n",
           judge->set.count, judge->evaluations, (double)judge->evaluations / (double)judge->set.count,
           dispatch->configuration_count, judge->configurations, dispatch->tree.count / 2 + 1, missing);
    print_shares("default", &defaults, &judge->set);
    print_shares("best found at each size", &found, &judge->set);
    print_shares("best of the portfolio", &portfolio, &judge->set);
    print_shares("tree, at its own sizes", &seen, &judge->set);
    print_shares("portfolio, size left out", &left_out.portfolio, &judge->set);
    print_shares("tree, size left out", &left_out.tree, &judge->set);
    print_shares("the same, of every third size", &left_out.third, &judge->set);
    printf("answers that are not the tree's: %zu, without the size %zu\n", others, left_out.others);
    if (judge->verbose) {
        for (size_t i = 0; i < dispatch->configuration_count; i++)
            printf("%zu %s\n", i, dispatch->configurations[i]);
    }
    return true;
}

/* The sizes that the sweep has never seen. */
static bool report_others(struct judge *judge, const struct dispatch *dispatch, struct error *error)
{
    struct size_set others;
    struct problem **problems = NULL;
    double *optimum = NULL;
    struct shares portfolio = {0}, tree = {0};
    size_t not_trees = 0;
    char *text = write_sizes(judge, true);
    bool done = size_set_parse("sizes", text, strlen(text), judge->template, &h100, &others, error) &&
                make_problems(judge, &others, &problems, &optimum, error);
    for (size_t s = 0; done && s < others.count; s++) {
        double time = answer_time(judge, dispatch, &judge->table, &judge->set, problems[s], &not_trees);
        add_share(&portfolio, optimum[s] / best_time(judge, dispatch, problems[s]), s);
        add_share(&tree, optimum[s] / time, s);
    }
    if (done) {
        print_shares("portfolio, sizes not seen", &portfolio, &others);
        print_shares("tree, sizes that it has not seen", &tree, &others);
    }
    for (size_t s = 0; problems && s < others.count; s++)
        problem_free(problems[s]);
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
                (judge->each == 0 ||
                 (cost_table_create(&judge->table, (const char *const *)judge->set.texts, judge->set.count, error) &&
                  cost_table_create(&judge->later, (const char *const *)judge->set.texts, judge->set.count, error)));
    judge->open = calloc(judge->set.count + 1, sizeof *judge->open);
    done = done && (judge->open || error_out_of_memory(error));
    free(text);
    const struct set_task task = {.problems = judge->problems,
                                  .set = &judge->set,
                                  .configurations = judge->configurations,
                                  .seed = judge->seed,
                                  .evaluations = judge->each * judge->set.count,
                                  .table = &judge->table,
                                  .visit = sweep_size,
                                  .is_under_way = sweep_is_open,
                                  .settle = sweep_settle,
                                  .seconds_spent = no_seconds,
                                  .must_stop = never,
                                  .is_interrupted = never,
                                  .context = judge};
    struct dispatch *dispatch = NULL;
    size_t missing;
    done = done && (judge->each == 0 ? know_everything(judge, &judge->table, error) : set_stages_run(&task, error)) &&
           conclude(judge, &judge->table, &dispatch, &missing, error) && report(judge, dispatch, missing, error) &&
           (judge->part < 1 || report_others(judge, dispatch, error));
    dispatch_free(dispatch);
    for (size_t i = 0; judge->problems && i < judge->set.count; i++)
        problem_free(judge->problems[i]);
    free(judge->problems);
    free(judge->optimum);
    free(judge->open);
    cost_table_clear(&judge->later);
    cost_table_clear(&judge->table);
    size_set_clear(&judge->set);
    space_free(judge->space);
    template_free(judge->template);
    return done;
}

int main(int count, char **arguments)
{
    struct judge judge = {.sizes = 100, .each = 15, .configurations = 8, .every = 5, .seed = 1, .part = -1};
    const char *space = "pipelined", *recording = NULL;
    struct error error = {0};
    for (int option; (option = getopt(count, arguments, "vn:e:c:s:S:p:o:r:f:b:")) != -1;) {
        switch (option) {
        case 'v':
            judge.verbose = true;
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
        case 'r':
            recording = optarg;
            break;
        case 'f':
            judge.folds = strtoull(optarg, NULL, 10);
            break;
        case 'b':
            judge.beside = strtoull(optarg, NULL, 10);
            break;
        case 'p':
            judge.part = (int)strtol(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    }
    bool done = (!recording || size_recording_read(recording, &judge.recording, &error)) &&
                run(&judge, optind < count ? arguments[optind] : ".", space, &error);
    size_recording_clear(&judge.recording);
    if (done)
        return 0;
    error_print(&error, stderr);
    return 1;
}
