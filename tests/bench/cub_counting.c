/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub_counting - how long CUB takes for what the templates `histogram` and `merge_sort` do, with their inputs.
 *
 *     cub_counting LIBRARY histogram BITS SHAPE N
 *     cub_counting LIBRARY merge_sort WORDS SHAPE N
 *
 * LIBRARY is made of cub_counting.cu. Prints CUB's version, the median time in milliseconds and the samples or keys a
 * second; peer.h says how it is measured.
 */
#include "tests/bench/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*version)(void);
static int (*make_samples)(uint64_t, uint64_t, long long, int, int);
static int (*make_keys)(uint64_t, uint64_t, long long, int);
static int (*histogram)(uint64_t, size_t *, uint64_t, uint64_t, int, int);
static int (*merge_sort)(uint64_t, size_t *, uint64_t, uint64_t, uint64_t, uint64_t, long long);

struct run {
    uint64_t room, input, values, output, sorted_values;
    size_t room_bytes;
    int kind; /* bits of a sample, or words of an element */
    int n;
};

static void count(void *argument)
{
    struct run *run = argument;
    peer_check(histogram(run->room, &run->room_bytes, run->input, run->output, run->n, run->kind), "HistogramEven");
}

static void sort(void *argument)
{
    struct run *run = argument;
    peer_check(
        merge_sort(run->room, &run->room_bytes, run->input, run->values, run->output, run->sorted_values, run->n),
        "DeviceMergeSort");
}

static int positive(const char *text)
{
    long value = strtol(text, NULL, 10);
    return value > 0 && value <= INT32_MAX ? (int)value : 0;
}

int main(int argument_count, char **arguments)
{
    enum { SAMPLES = 30 };
    static const struct peer_symbol symbols[] = {{"cub_version", &version},
                                                 {"cub_make_samples", &make_samples},
                                                 {"cub_make_keys", &make_keys},
                                                 {"cub_histogram", &histogram},
                                                 {"cub_merge_sort", &merge_sort}};
    int sorts = argument_count == 6 && strcmp(arguments[2], "merge_sort") == 0;
    if (!sorts && !(argument_count == 6 && strcmp(arguments[2], "histogram") == 0)) {
        fprintf(stderr, "usage: cub_counting LIBRARY histogram BITS SHAPE N\n"
                        "       cub_counting LIBRARY merge_sort WORDS SHAPE N\n");
        return 2;
    }
    struct run run = {.kind = positive(arguments[3]), .n = positive(arguments[5])};
    int shape = positive(arguments[4]);
    peer_check(!run.kind || !shape || !run.n, "reading the numbers");

    peer_open((const char *const[]){arguments[1], NULL}, symbols, sizeof symbols / sizeof *symbols);
    uint64_t random = peer_random(2);
    size_t words = (size_t)run.n * sizeof(uint32_t);
    run.input = peer_allocate(words);
    run.output = peer_allocate(sorts ? words : (size_t)65536 * sizeof(uint32_t));
    if (sorts) {
        peer_check(make_keys(random, run.input, run.n, shape), "making keys");
        run.values = run.kind == 2 ? peer_allocate(words) : 0;
        run.sorted_values = run.kind == 2 ? peer_allocate(words) : 0;
    } else
        peer_check(make_samples(random, run.input, run.n, run.kind, shape), "making samples");
    (sorts ? sort : count)(&run);
    run.room = peer_allocate(run.room_bytes);
    double time = peer_time(sorts ? sort : count, &run, SAMPLES);
    printf("{\"what\": \"CUB %d %s\", \"kind\": %d, \"shape\": %d, \"n\": %d, \"time_ms\": %.6f, "
           "\"elements_per_second\": %.4e, \"samples\": %d}\n",
           version(), arguments[2], run.kind, shape, run.n, time, 1e3 * run.n / time, SAMPLES);
    return 0;
}
