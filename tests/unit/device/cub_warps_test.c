/* SPDX-License-Identifier: Apache-2.0 */
/* What CUB does in a warp on the CPU device against plain loops over its parts. */
#include "cub_fixture.h"

enum { THREADS = 80, EACH = 4 };

static int *in;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void parts_are_reduced(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { REDUCTIONS = 10, WIDTH = 8 };
    static int wanted[REDUCTIONS][THREADS];
    for (int first = 0; first < THREADS; first += WIDTH) {
        int best = first, most = INT_MIN, sum = 0, sum_of_5 = 0, odd = 0, head = first, tail = first;
        for (int t = first; t < first + WIDTH; t++) {
            most = larger(most, in[t]);
            best = in[t] > in[best] ? t : best;
            sum += in[t];
            sum_of_5 += t < first + 5 ? in[t] : 0;
            odd ^= t < first + 3 ? in[t] : 0;
            head = in[t] % 3 == 0 ? t : head;
            wanted[6][head] += in[t];
            wanted[7][tail] = t == tail ? in[t] : smaller(wanted[7][tail], in[t]);
            tail = in[t] % 4 == 0 ? t + 1 : tail;
        }
        const int results[] = {sum, most, sum_of_5, odd, best, first};
        for (int i = 0; i < 6; i++)
            wanted[i][first] = results[i];
    }
    for (int t = 0; t < THREADS; t++) {
        int lane = t % 32;
        wanted[8][t - lane] += in[t];
        if (lane < 30 && t < THREADS - 1)
            wanted[9][t - lane % 5] += in[t];
    }
    int *got = run_block(fixture, "warps.cu", "reduce", D(THREADS, 1, 1), in, THREADS, REDUCTIONS * THREADS);
    expect_ints("reduce", got, wanted[0], REDUCTIONS * THREADS);
    free(got);
}

static void parts_are_scanned(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { SCANS = 15, WIDTH = 16 };
    static int wanted[SCANS][THREADS];
    for (int first = 0; first < THREADS; first += WIDTH) {
        int sum = 0, most = INT_MIN, best = first, sum_of_all = 0, most_of_all = INT_MIN;
        for (int t = first; t < first + WIDTH; t++) {
            sum_of_all += in[t];
            most_of_all = larger(most_of_all, in[t]);
        }
        for (int t = first; t < first + WIDTH; t++) {
            int sum_before = sum, before = most;
            sum += in[t];
            most = larger(most, in[t]);
            best = in[t] > in[best] ? t : best;
            const int results[SCANS] = {sum,
                                        sum_of_all,
                                        sum_before,
                                        sum_of_all,
                                        most,
                                        most_of_all,
                                        larger(-20, before),
                                        larger(500, before),
                                        most_of_all,
                                        t == first ? 0 : before,
                                        larger(7, most),
                                        larger(7, before),
                                        in[first + 11],
                                        best,
                                        first};
            for (int i = 0; i < SCANS; i++)
                wanted[i][t] = results[i];
        }
    }
    int *got = run_block(fixture, "warps.cu", "scan", D(THREADS, 1, 1), in, THREADS, SCANS * THREADS);
    expect_ints("scan", got, wanted[0], SCANS * THREADS);
    free(got);
}

static void parts_have_tiles(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { WIDTH = 16, TILE = WIDTH * EACH, ALL = THREADS * EACH };
    static int wanted[5][ALL];
    for (int at = 0; at < ALL; at++) {
        int first = at / TILE * TILE, place = at - first, lane = place / EACH, i = place % EACH;
        int striped = first + lane + i * WIDTH;
        wanted[0][at] = place < 50 ? in[at] : -9;
        wanted[1][at] = in[striped];
        wanted[2][at] = place < 33 || lane >= 8 ? in[at] : 0;
        wanted[3][at] = in[first + TILE - 1 - (lane + i * WIDTH)];
        /* Striped items that are taken for blocked ones. */
        wanted[4][at] = in[striped];
    }
    int *got = run_block(fixture, "warps.cu", "tiles", D(THREADS, 1, 1), in, ALL, 5 * ALL);
    expect_ints("tiles", got, wanted[0], 5 * ALL);
    free(got);
}

static void lanes_shuffle_whatever_their_size(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[5][THREADS];
    for (int t = 0; t < THREADS; t++) {
        int rank = t % 8;
        wanted[0][t] = rank >= 3 ? t - 3 : t;
        wanted[1][t] = rank + 3 <= 7 ? t + 3 : t;
        wanted[2][t] = rank + 2 <= 4 ? t + 2 : t;
        wanted[3][t] = t - rank + 5;
        wanted[4][t] = t;
    }
    int *got = run_block(fixture, "warps.cu", "shuffles", D(THREADS, 1, 1), in, THREADS, 5 * THREADS);
    expect_ints("shuffles", got, wanted[0], 5 * THREADS);
    free(got);
}

static void nvrtc_accepts_them(void **state)
{
    (void)state;
    nvrtc_accepts("warps.cu", (const char *const[]){"reduce", "scan", "tiles", "shuffles"}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(parts_are_reduced),          cpu_test(parts_are_scanned),
        cpu_test(parts_have_tiles),           cpu_test(lanes_shuffle_whatever_their_size),
        cmocka_unit_test(nvrtc_accepts_them),
    };
    in = make_inputs(THREADS * EACH);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(in);
    return failed;
}
