/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask_cost - CPU time that a strategy takes per question: ask_cost [EVALUATIONS] [STRATEGY...]
 *
 * On spaces of about 10^4 and 10^12 valid configurations, with constraints between the parameters of a group and a
 * smooth objective; every tenth configuration fails. Eight evaluations are under way at once. Prints for each
 * strategy and space, in microseconds: the mean of a question with its answer, and the 99th percentile and maximum of
 * a question.
 */
#include "tuner/search/choice.h"
#include "tuner/search/search.h"
#include "tuner/space/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNDER_WAY = 8 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); /* not the time of other processes */
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* 112 configurations per group. */
static struct problem *make_problem(int groups, struct error *error)
{
    static const struct device_description device = {.kind = "cpu", .name = "none"};
    char *texts[2] = {NULL, NULL};
    size_t lengths[2];
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    FILE *t = open_memstream(&texts[0], &lengths[0]), *s = open_memstream(&texts[1], &lengths[1]);
    if (!t || !s)
        return NULL;
    fprintf(t, "template t\nsize n = 1\n");
    fprintf(s, "space s of t\n");
    for (int g = 0; g < groups; g++) {
        fprintf(t, "parameter X%d\nparameter Y%d\nparameter Z%d\n", g, g, g);
        fprintf(s,
                "param X%d = pow2(1, 64)\nparam Y%d = pow2(1, 64)\nparam Z%d = range(1, 5)\nwhere X%d * Y%d <= 64\n",
                g, g, g, g, g);
    }
    fprintf(t, "source \"k.cu\"\nbuffer y : int[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
               "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    if (fclose(t) == 0 && fclose(s) == 0 &&
        template_parse("t.template", "folder", texts[0], lengths[0], &template, error) &&
        space_parse("s.space", texts[1], lengths[1], template, &space, error) &&
        !problem_create(template, space, &device, NULL, 0, &problem, error))
        problem = NULL;
    free(texts[0]);
    free(texts[1]);
    return problem; /* the template and the space live as long as the program */
}

static struct observation observe(const struct search_space *space, size_t index, uint16_t *point)
{
    double sum = 1;
    search_space_point(space, index, point);
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        double off = point[d] / (double)search_space_positions(space, d) - 0.4;
        sum += off * off;
    }
    bool valid = index % 10 != 7;
    return (struct observation){.index = index, .valid = valid, .objective = valid ? sum : 0, .seconds = 1};
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static bool measure(const struct search_space *space, const char *text, size_t evaluations, struct error *error)
{
    const struct strategy_driver *driver;
    struct search *search = NULL;
    double *parameters = NULL, total = 0;
    double *times = calloc(evaluations + 1, sizeof *times);
    uint16_t *point = calloc(search_space_dimensions(space) + 1, sizeof *point);
    size_t under_way[UNDER_WAY], asked = 0;
    bool done = times && point && strategy_choose(text, &driver, &parameters, error);
    const struct strategy_setup setup = {.space = space, .seed = 1, .parameters = parameters};
    done = done && search_create(driver, &setup, &search, error);
    while (done && asked < evaluations) {
        double start = now();
        if (search_ask(search, &under_way[asked % UNDER_WAY]) != ASK_READY)
            break;
        times[asked] = now() - start;
        total += times[asked++];
        if (asked < UNDER_WAY)
            continue;
        struct observation observation = observe(space, under_way[asked % UNDER_WAY], point);
        start = now();
        done = search_tell(search, &observation);
        total += now() - start;
    }
    if (done && asked > 0) {
        qsort(times, asked, sizeof *times, by_size);
        printf("%-12s %16zu %10zu %10.2f %10.2f %10.2f\n", text, search_space_count(space), asked,
               total / (double)asked, times[asked * 99 / 100], times[asked - 1]);
    }
    search_free(search);
    free(parameters);
    free(times);
    free(point);
    return done;
}

int main(int argc, char **argv)
{
    struct error error = {.code = ERROR_NONE};
    size_t evaluations = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
    static const int groups[] = {2, 6};
    printf("%-12s %16s %10s %10s %10s %10s\n", "strategy", "configurations", "asked", "mean us", "99 % us",
           "longest us");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct problem *problem = make_problem(groups[i], &error);
        bool done = problem != NULL;
        for (size_t j = 0; done && argc <= 2 && j < strategy_driver_count; j++)
            done = measure(problem_search_space(problem), strategy_drivers[j]->name, evaluations, &error);
        for (int j = 2; done && j < argc; j++)
            done = measure(problem_search_space(problem), argv[j], evaluations, &error);
        problem_free(problem);
        if (!done) {
            error_print(&error, stderr);
            return 1;
        }
    }
    return 0;
}
