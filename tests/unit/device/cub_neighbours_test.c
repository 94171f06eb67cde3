/* SPDX-License-Identifier: Apache-2.0 */
/* CUB on the CPU device: flags, differences, shuffles, histograms and runs of a block's items. */
#include "cub_fixture.h"

enum { X = 12, Y = 4, THREADS = X * Y, EACH = 3, TILE = THREADS * EACH, VALID = 100 };

static int *in;

/* Does place p begin something: by the items before and at it? */
static bool differs(int before, int behind)
{
    return before / 16 != behind / 16;
}

static bool head(int place, bool fifths)
{
    return differs(in[place - 1], in[place]) || (fifths && place % 5 == 0);
}

static void edges_are_flagged(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { RESULTS = 12 };
    static int wanted[RESULTS][TILE];
    for (int p = 0; p < TILE; p++) {
        bool first = p == 0, last = p == TILE - 1;
        int heads = first || head(p, false), tails = last || head(p + 1, false);
        int heads_after_same = !first && heads, tails_before_same = !last && tails;
        const int results[RESULTS] = {heads,
                                      first || head(p, true), /* place 0 is a fifth */
                                      first ? differs(-77, in[0]) : heads,
                                      first ? -77 : in[p - 1],
                                      last || head(p + 1, true),
                                      tails_before_same,
                                      heads_after_same,
                                      tails_before_same,
                                      heads,
                                      tails,
                                      tails_before_same,
                                      heads_after_same};
        for (int i = 0; i < RESULTS; i++)
            wanted[i][p] = results[i];
    }
    int *got = run_block(fixture, "neighbours.cu", "flags", D(X, Y, 1), in, TILE, RESULTS * TILE);
    expect_ints("flags", got, wanted[0], RESULTS * TILE);
    free(got);
}

static void neighbours_are_subtracted(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { RESULTS = 9 };
    static int wanted[RESULTS][TILE];
    for (int p = 0; p < TILE; p++) {
        bool first = p == 0, last = p == TILE - 1;
        int left = first ? in[p] : 3 * in[p] - in[p - 1], right = last ? in[p] : 3 * in[p] - in[p + 1];
        const int results[RESULTS] = {left,
                                      first ? 3 * in[p] - 50 : left,
                                      p < VALID ? left : in[p],
                                      p >= VALID ? in[p]
                                      : first    ? 3 * in[p] - 60
                                                 : left,
                                      right,
                                      last ? 3 * in[p] - 70 : right,
                                      p < VALID - 1 ? right : in[p],
                                      left,
                                      right};
        for (int i = 0; i < RESULTS; i++)
            wanted[i][p] = results[i];
    }
    int *got = run_block(fixture, "neighbours.cu", "differences", D(X, Y, 1), in, TILE, RESULTS * TILE);
    expect_ints("differences", got, wanted[0], RESULTS * TILE);
    free(got);
}

static void items_of_other_threads(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { RESULTS = 11 };
    static int wanted[RESULTS][THREADS];
    for (int t = 0; t < THREADS; t++) {
        bool first = t == 0, last = t == THREADS - 1;
        int p = t * EACH;
        const int results[RESULTS] = {t < 5 ? 0 : in[p - 5 * EACH],
                                      last ? 0 : in[p + EACH],
                                      in[(t + 45) % THREADS * EACH],
                                      in[TILE - 1],
                                      first ? 0 : in[p - 1],
                                      in[p],
                                      in[p + 1],
                                      in[0],
                                      in[p + 1],
                                      in[p + 2],
                                      last ? 0 : in[p + 3]};
        for (int i = 0; i < RESULTS; i++)
            wanted[i][t] = results[i];
    }
    int *got = run_block(fixture, "neighbours.cu", "shuffles", D(X, Y, 1), in, TILE, RESULTS * THREADS);
    expect_ints("shuffles", got, wanted[0], RESULTS * THREADS);
    free(got);
}

static void values_are_counted(void **state)
{
    struct cpu_fixture *fixture = *state;
    int wanted[128] = {0};
    for (int p = 0; p < TILE; p++) {
        wanted[in[p] & 63]++;
        wanted[64 + (in[p] & 63)] += 2;
    }
    int *got = run_block(fixture, "neighbours.cu", "histograms", D(X, Y, 1), in, TILE, 128);
    expect_ints("histograms", got, wanted, 128);
    free(got);
}

static void runs_are_decoded(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[1 + 2 * 3 * TILE];
    int count = 0;
    for (int p = 0; p < TILE; p++) {
        for (int i = 0; i < (in[p] & 3); i++, count++) {
            wanted[1 + 2 * count] = in[p];
            wanted[2 + 2 * count] = i;
        }
    }
    wanted[0] = count;
    assert_in_range(count, 2 * 2 * THREADS + 1, 3 * TILE); /* several windows, the last not full */
    size_t results = 1 + 2 * (size_t)count;
    int *got = run_block(fixture, "neighbours.cu", "runs", D(X, Y, 1), in, TILE, results);
    expect_ints("runs", got, wanted, results);
    free(got);
}

/* NVRTC takes these only where CUB is of version 2, whose names they are. */
static void names_of_before(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(
        fixture,
        "#include <cub/cub.cuh>\n"
        "#if CUB_VERSION < 200000\n#error version\n#endif\n"
        "__global__ void k(const int *x, int *out) {\n"
        "    typedef cub::KeyValuePair<int, int> pair;\n"
        "    pair own(threadIdx.x, x[threadIdx.x] % 10);\n"
        "    pair most = cub::BlockReduce<pair, 64>().Reduce(own, cub::ArgMax());\n"
        "    __syncthreads();\n"
        "    pair least = cub::BlockReduce<pair, 64>().Reduce(own, cub::ArgMin());\n"
        "    int sum = cub::BlockReduce<int, 64>().Reduce(own.value, cub::Sum());\n"
        "    if (threadIdx.x > 0) return;\n"
        "    out[0] = most.key; out[1] = most.value; out[2] = least.key; out[3] = least.value; out[4] = sum;\n"
        "    out[5] = cub::Max()(2, 3) + 10 * cub::Min()(2, 3) + 100 * cub::Equality()(1, 1) +\n"
        "             1000 * cub::InequalityWrapper<cub::Equality>(cub::Equality())(1, 1) +\n"
        "             10000 * cub::Difference()(5, 3);\n"
        "}\n",
        "k");
    int wanted[6] = {0, INT_MIN, 0, INT_MAX, 0, 20123};
    for (int t = 0; t < 64; t++) {
        int value = in[t] % 10;
        if (value > wanted[1]) {
            wanted[0] = t;
            wanted[1] = value;
        }
        if (value < wanted[3]) {
            wanted[2] = t;
            wanted[3] = value;
        }
        wanted[4] += value;
    }
    int got[6];
    uint64_t from = device_copy(fixture, in, TILE * sizeof *in), to = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(64, 1, 1), 0, ARGUMENTS(&from, &to));
    fetch(fixture, got, to, sizeof got);
    expect_ints("names", got, wanted, 6);
}

static void nvrtc_accepts_them(void **state)
{
    (void)state;
    static const char *const kernels[] = {"flags", "differences", "shuffles", "histograms", "runs"};
    nvrtc_accepts("neighbours.cu", kernels, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(edges_are_flagged),          cpu_test(neighbours_are_subtracted), cpu_test(items_of_other_threads),
        cpu_test(values_are_counted),         cpu_test(runs_are_decoded),          cpu_test(names_of_before),
        cmocka_unit_test(nvrtc_accepts_them),
    };
    in = make_inputs(TILE);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(in);
    return failed;
}
