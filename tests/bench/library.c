/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library - what libtune costs the program that asks it: opening, the first question about a kernel, questions about
 * sizes that were never asked for (cold), and the same again (hot).
 *
 *     large_database FILE 100000 && library FILE [KERNEL SIZE]
 *
 * FILE is a database with results of KERNEL (gemm) on an H100, which need not be there; SIZE (M) takes a new value
 * for each cold question. Medians and 99th percentiles, so that a busy machine matters little.
 */
#include "tests/unit/h100.h"
#include "tuner/library/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPENINGS = 200, FIRSTS = 15, COLD = 4000, HOT = 400, BATCH = 1000 };

static double samples[COLD]; /* microseconds; as many as any of them */

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void print(const char *what, size_t count)
{
    qsort(samples, count, sizeof *samples, compare);
    printf("%-44s %10.3f us   p99 %10.3f us\n", what, samples[count / 2], samples[count * 99 / 100]);
}

static void require(enum tune_code code, const struct tune_error *error)
{
    if (code == TUNE_OK)
        return;
    fprintf(stderr, "%s: %s\n", tune_code_name(error->code), error->text);
    exit(1);
}

struct bench {
    struct tune_options options;
    struct tune_problem problem;
    struct tune_size size;
    struct tune_error error;
};

static struct tune *open_handle(struct bench *bench)
{
    struct tune *tune;
    require(tune_open(&bench->options, &tune, &bench->error), &bench->error);
    return tune;
}

/* The time that it took. */
static double ask(struct bench *bench, struct tune *tune)
{
    struct tune_answer *answer;
    double start = microseconds();
    enum tune_code code = tune_best(tune, &bench->problem, &answer, &bench->error);
    tune_answer_free(answer);
    double taken = microseconds() - start;
    require(code, &bench->error);
    return taken;
}

static void time_opening(struct bench *bench)
{
    for (size_t i = 0; i < OPENINGS; i++) {
        double start = microseconds();
        struct tune *tune = open_handle(bench);
        samples[i] = microseconds() - start;
        tune_close(tune);
    }
    print("open", OPENINGS);
    for (size_t i = 0; i < FIRSTS; i++) {
        double start = microseconds();
        struct tune *tune = open_handle(bench);
        require(tune_trouble(tune, &bench->error), &bench->error);
        samples[i] = microseconds() - start;
        tune_close(tune);
    }
    print("open, and look whether all can be read", FIRSTS);
}

static void time_questions(struct bench *bench)
{
    struct tune *tune = NULL;
    for (size_t i = 0; i < FIRSTS; i++) {
        tune_close(tune);
        tune = open_handle(bench);
        samples[i] = ask(bench, tune);
    }
    print("first question about a kernel", FIRSTS);
    for (size_t i = 0; i < COLD; i++) {
        bench->size.value = 1000 + (int64_t)i;
        samples[i] = ask(bench, tune);
    }
    print("cold: a new size", COLD);
    for (size_t i = 0; i < HOT; i++) {
        double start = microseconds();
        for (size_t j = 0; j < BATCH; j++)
            ask(bench, tune);
        samples[i] = (microseconds() - start) / BATCH;
    }
    print("hot: the same again (with reading a clock)", HOT);
    tune_close(tune);
}

int main(int argument_count, char **arguments)
{
    char device[] = "/tmp/tune-bench-XXXXXX.json";
    struct bench bench = {.options = {.bytes = sizeof bench.options}, .problem = {.bytes = sizeof bench.problem}};
    struct error error;
    if (argument_count != 2 && argument_count != 4) {
        fputs("usage: library FILE [KERNEL SIZE]\n", stderr);
        return 2;
    }
    int file = mkstemps(device, 5);
    if (file < 0 || !device_description_write(device, &h100, &error)) {
        perror(device);
        return 1;
    }
    close(file);
    bench.options.database = arguments[1];
    bench.size = (struct tune_size){argument_count == 4 ? arguments[3] : "M", 1000};
    bench.problem.kernel = argument_count == 4 ? arguments[2] : "gemm";
    bench.problem.device = device;
    bench.problem.sizes = &bench.size;
    bench.problem.size_count = 1;
    time_opening(&bench);
    time_questions(&bench);
    unlink(device);
    return 0;
}
