/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's sorts on the CPU device against insertion: of all that come before in order, keys that are equal stay so. */
#include "cub_fixture.h"

enum { X = 16, Y = 4, THREADS = X * Y, EACH = 5, TILE = THREADS * EACH, VALID = 201 };

static int *in;

/* ---- the expected order ---- */

static int sort_sign, sort_mask;

static int64_t order_of(int64_t key)
{
    return sort_sign * (sort_mask ? key & sort_mask : key);
}

/* Stable; `places` go with the keys. */
static void insert(int64_t *keys, int *places, int count)
{
    for (int i = 1; i < count; i++) {
        int64_t key = keys[i];
        int place = places[i], at = i;
        for (; at > 0 && order_of(key) < order_of(keys[at - 1]); at--) {
            keys[at] = keys[at - 1];
            places[at] = places[at - 1];
        }
        keys[at] = key;
        places[at] = place;
    }
}

/* The order that one sort leads to: ascending (1) or descending, by bits of `mask` (0: all). */
static void expect_order(int64_t *keys, int count, int first, int sign, int mask, int *keys_wanted,
                         int *places_wanted)
{
    int *places = calloc((size_t)count, sizeof *places);
    assert_non_null(places);
    for (int i = 0; i < count; i++)
        places[i] = first + i;
    sort_sign = sign;
    sort_mask = mask;
    insert(keys, places, count);
    for (int i = 0; i < count; i++) {
        keys_wanted[i] = (int)keys[i];
        if (places_wanted)
            places_wanted[i] = places[i];
    }
    free(places);
}

/* ---- radix sorts ---- */

static void keys_of_all_types(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { SORTS = 9 };
    static int wanted[SORTS][TILE];
    static const bool descending[SORTS] = {[1] = true, [3] = true, [7] = true};
    for (int sort = 0; sort < SORTS; sort++) {
        int64_t keys[TILE];
        for (int i = 0; i < TILE; i++)
            keys[i] = sort == 3 ? (uint16_t)in[i] : sort == 5 && in[i] < 0 ? (1ll << 40) + in[i] : in[i];
        expect_order(keys, TILE, 0, descending[sort] ? -1 : 1, 0, wanted[sort], NULL);
    }
    int *got = run_block(fixture, "sorts.cu", "radix_keys", D(X, Y, 1), in, TILE, SORTS * TILE);
    expect_ints("radix_keys", got, wanted[0], SORTS * TILE);
    free(got);
}

static void pairs_keep_their_order(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { SORTS = 5 };
    static int wanted[SORTS][2][TILE];
    static const struct {
        int sign, mask;
    } sorts[SORTS] = {{1, 0}, {-1, 0}, {1, 0x7c}, {1, 0}, {-1, 0}};
    for (int sort = 0; sort < SORTS; sort++) {
        int64_t keys[TILE];
        for (int i = 0; i < TILE; i++)
            keys[i] = in[i] & 0xff;
        expect_order(keys, TILE, 0, sorts[sort].sign, sorts[sort].mask, wanted[sort][0], wanted[sort][1]);
    }
    int *got = run_block(fixture, "sorts.cu", "radix_pairs", D(X, Y, 1), in, TILE, SORTS * 2 * TILE);
    expect_ints("radix_pairs", got, wanted[0][0], SORTS * 2 * TILE);
    free(got);
}

static void zeros_of_both_signs_are_equal(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const int order[] = {3, 4, 6, 0, 1, 5, 7, 2}; /* of places: -infinity first; 0 and 1 are equal */
    int wanted[THREADS], count = 0;
    for (int i = 0; i < 8; i++) {
        bool zero = order[i] == 0;
        for (int t = order[i]; t < THREADS; t += 8) {
            wanted[count++] = t;
            if (zero)
                wanted[count++] = t + 1;
        }
        i += zero;
    }
    assert_int_equal(count, THREADS);
    int *got = run_block(fixture, "sorts.cu", "radix_floats", D(X, Y, 1), in, TILE, THREADS);
    expect_ints("radix_floats", got, wanted, THREADS);
    free(got);
}

/* ---- merge sorts ---- */

static void a_block_merges(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int wanted[3][TILE];
    int64_t keys[TILE];
    for (int i = 0; i < TILE; i++)
        keys[i] = in[i];
    expect_order(keys, TILE, 0, 1, 15, wanted[0], wanted[1]);
    for (int i = 0; i < TILE; i++)
        keys[i] = in[i];
    expect_order(keys, VALID, 0, 1, 0, wanted[2], NULL);
    int *got = run_block(fixture, "sorts.cu", "merges", D(X, Y, 1), in, TILE, 3 * TILE);
    expect_ints("merges", got, wanted[0], 3 * TILE);
    free(got);
}

static void parts_of_warps_merge(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { PART = TILE / Y };
    static int wanted[2][TILE];
    for (int part = 0; part < Y; part++) {
        int64_t keys[PART];
        for (int i = 0; i < PART; i++)
            keys[i] = in[part * PART + i];
        expect_order(keys, PART, part * PART, 1, 15, wanted[0] + part * PART, wanted[1] + part * PART);
    }
    int *got = run_block(fixture, "sorts.cu", "warp_merges", D(X, Y, 1), in, TILE, 2 * TILE);
    expect_ints("warp_merges", got, wanted[0], 2 * TILE);
    free(got);
}

static void nvrtc_accepts_them(void **state)
{
    (void)state;
    static const char *const kernels[] = {"radix_keys", "radix_pairs", "radix_floats", "merges", "warp_merges"};
    nvrtc_accepts("sorts.cu", kernels, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(keys_of_all_types), cpu_test(pairs_keep_their_order), cpu_test(zeros_of_both_signs_are_equal),
        cpu_test(a_block_merges),    cpu_test(parts_of_warps_merge),   cmocka_unit_test(nvrtc_accepts_them),
    };
    in = make_inputs(TILE);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(in);
    return failed;
}
