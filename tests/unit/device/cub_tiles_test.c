/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's loads, stores and exchanges of a block on the CPU device: where each item of a tile must be. */
#include "cub_fixture.h"

enum { THREADS = 64, EACH = 4, TILE = THREADS * EACH, VALID = 133, WARP = 32 };

static int *in;

/* The place in the tile of item i of thread t. */
static int blocked(int t, int i)
{
    return t * EACH + i;
}
static int striped(int t, int i)
{
    return t + i * THREADS;
}
static int warp_striped(int t, int i)
{
    return t / WARP * WARP * EACH + t % WARP + i * WARP;
}

enum { ALGORITHMS = 6, STRIPED = 1 }; /* all others are blocked */

static void tiles_are_loaded(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[ALGORITHMS][3][TILE];
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < EACH; i++) {
                int place = algorithm == STRIPED ? striped(t, i) : blocked(t, i);
                wanted[algorithm][0][t * EACH + i] = in[place];
                wanted[algorithm][1][t * EACH + i] = place < VALID ? in[place + 1] : -7;
                wanted[algorithm][2][t * EACH + i] = place < VALID ? in[place] : 1000;
            }
        }
    }
    int *got = run_block(fixture, "tiles.cu", "loads", D(THREADS, 1, 1), in, TILE + 1, ALGORITHMS * 3 * TILE);
    expect_ints("loads", got, &wanted[0][0][0], ALGORITHMS * 3 * TILE);
    free(got);
}

static void tiles_are_stored(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[ALGORITHMS][2][TILE];
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < EACH; i++) {
                int place = algorithm == STRIPED ? striped(t, i) : blocked(t, i), value = in[blocked(t, i)];
                wanted[algorithm][0][place] = value;
                wanted[algorithm][1][place] = place < VALID ? value : -1;
            }
        }
    }
    int *got = run_block(fixture, "tiles.cu", "stores", D(THREADS, 1, 1), in, TILE, ALGORITHMS * 2 * TILE);
    expect_ints("stores", got, &wanted[0][0][0], ALGORITHMS * 2 * TILE);
    free(got);
}

static void items_change_threads(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { MOVES = 9 };
    static int wanted[MOVES][TILE];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < EACH; i++) {
            int own = blocked(t, i), back = TILE - 1 - own;
            wanted[0][own] = in[striped(t, i)];
            wanted[1][striped(t, i)] = in[own];
            wanted[2][own] = in[warp_striped(t, i)];
            wanted[3][warp_striped(t, i)] = in[own];
            wanted[4][own] = in[back];
            wanted[5][own] = in[TILE - 1 - striped(t, i)];
            wanted[6][own] = in[own];
            if (i < EACH / 2) /* place p is that of the item with rank 2 p */
                wanted[7][own] = wanted[8][own] = in[TILE - 1 - 2 * striped(t, i)];
        }
    }
    int *got = run_block(fixture, "tiles.cu", "exchanges", D(THREADS, 1, 1), in, TILE, MOVES * TILE);
    expect_ints("exchanges", got, wanted[0], MOVES * TILE);
    free(got);
}

static void threads_load_and_store_by_rank(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[5 * TILE + 2 * THREADS];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < EACH; i++) {
            wanted[blocked(t, i)] = in[blocked(THREADS - 1 - t, i)];
            wanted[TILE + blocked(t, i)] = blocked(t, i) < VALID ? in[blocked(t, i)] : 0;
            wanted[2 * TILE + blocked(t, i)] = in[warp_striped(t, i)];
            wanted[3 * TILE + warp_striped(t, i)] = in[blocked(t, i)];
            wanted[4 * TILE + 2 * THREADS + blocked(t, i)] = 2 * in[blocked(t, i)];
        }
        wanted[4 * TILE + 2 * t] = 2 * in[t] + 1;
        wanted[4 * TILE + 2 * t + 1] = 2 * in[t] + 3;
    }
    int *got = run_block(fixture, "tiles.cu", "direct", D(THREADS, 1, 1), in, TILE, 5 * TILE + 2 * THREADS);
    expect_ints("direct", got, wanted, 5 * TILE + 2 * THREADS);
    free(got);
}

static void nvrtc_accepts_them(void **state)
{
    (void)state;
    nvrtc_accepts("tiles.cu", (const char *const[]){"loads", "stores", "exchanges", "direct"}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(tiles_are_loaded),           cpu_test(tiles_are_stored),
        cpu_test(items_change_threads),       cpu_test(threads_load_and_store_by_rank),
        cmocka_unit_test(nvrtc_accepts_them),
    };
    in = make_inputs(TILE + 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(in);
    return failed;
}
