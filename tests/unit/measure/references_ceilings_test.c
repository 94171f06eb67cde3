/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of ceilings: what each probe repeats, step by step. */
#include "tests/unit/measure/references.h"

enum { PROBE_CHAINS = 64 }; /* on the CPU device */

static void *fetch_words(const struct fixture *fixture, const char *name, int *count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    *count = (int)buffer->extent;
    assert_true(*count > 0);
    return fetch(buffer->memory.address, (size_t)*count * sizeof(uint32_t));
}

/* v = v a + b, and sums of reciprocal roots. */
static void check_fp32_probe(const struct fixture *fixture)
{
    int threads, steps = 16 * size_of(fixture, "STEPS");
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected real = fetch_expected(fixture, "real", threads, false);
    for (int t = 0; t < threads; t++) {
        struct sum sum = {0};
        for (int c = 0; c < PROBE_CHAINS; c++) {
            long double start = 2 + seed[t] / 1024.0L + c, v = start;
            for (int i = 0; i < steps; i++)
                v = v * (1 - 0x1p-12L) + 0x1p-12L;
            add(&sum, v, start);
        }
        assert_sum(&real, t, sum, 16 + PROBE_CHAINS); /* the power, four operations with it, and the sum */
    }
    free_expected(&real);
    free(seed);
}

static void check_special_probe(const struct fixture *fixture)
{
    int threads, terms = 2 * size_of(fixture, "STEPS") * PROBE_CHAINS;
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected real = fetch_expected(fixture, "real", threads, true);
    for (int t = 0; t < threads; t++) {
        long double sum = 0, unit = (terms + 2) * 0x1p-53L;
        for (int i = 0; i < terms; i++)
            sum += 1 / sqrtl(seed[t] + i);
        assert_within("value", &real, t, real.values[t], sum, unit / (1 - unit) * sum);
    }
    free_expected(&real);
    free(seed);
}

static void check_integer_probe(const struct fixture *fixture)
{
    int threads, steps = 4 * size_of(fixture, "STEPS") + 1;
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected whole = fetch_expected(fixture, "whole", threads, true);
    for (int t = 0; t < threads; t++) {
        uint32_t sum = 0;
        for (int c = 0; c < PROBE_CHAINS; c++) {
            uint32_t x = UINT32_C(0x9e3779b9) * ((uint32_t)seed[t] + (uint32_t)c);
            for (int i = 0; i < steps; i++)
                x = x ^ x / 128;
            sum += x;
        }
        assert_true(whole.values[t] == sum);
    }
    free_expected(&whole);
    free(seed);
}

static int probe_block, probe_unroll; /* of the configuration at hand */

static void check_shared_probe(const struct fixture *fixture)
{
    int threads, steps = 4 * size_of(fixture, "STEPS");
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected whole = fetch_expected(fixture, "whole", threads, true);
    for (int t = 0; t < threads; t++) {
        uint32_t sum = 0;
        for (int i = 0; i < steps; i++) {
            int place = (t % probe_block + 32 * i) % probe_block;
            for (uint32_t word = 0; word < 4; word++)
                sum += (2 * word + 1) * (uint32_t)seed[t - t % probe_block + place];
        }
        assert_true(whole.values[t] == sum);
    }
    free_expected(&whole);
    free(seed);
}

static void check_copy_probe(const struct fixture *fixture)
{
    int n;
    uint32_t *from = fetch_words(fixture, "from", &n);
    struct expected whole = fetch_expected(fixture, "whole", n, true);
    assert_int_equal(n, size_of(fixture, "N"));
    for (int i = 0; i < n; i++)
        assert_true(whole.values[i] == from[i]);
    free_expected(&whole);
    free(from);
}

/* A tile of the words belongs to a block; in it every BLOCK-th one to the same thread, and so to the same warp. */
static void check_read_probe(const struct fixture *fixture)
{
    int n, warps = (int)buffer_of(fixture, "whole")->extent;
    uint32_t *from = fetch_words(fixture, "from", &n), *all = calloc((size_t)warps, sizeof *all);
    struct expected whole = fetch_expected(fixture, "whole", warps, true);
    assert_non_null(all);
    for (int i = 0; i < n; i++) {
        int thread = i / (probe_block * probe_unroll) * probe_block + i % probe_block;
        assert_true(thread / 32 < warps);
        all[thread / 32] ^= from[i];
    }
    for (int w = 0; w < warps; w++)
        assert_true(whole.values[w] == all[w]);
    free_expected(&whole);
    free(from);
    free(all);
}

static const struct {
    const char *text;
    check_function *check;
} probes[] = {
    {"\"PIPE\":\"fp32\"", check_fp32_probe},       {"\"PIPE\":\"special\"", check_special_probe},
    {"\"PIPE\":\"integer\"", check_integer_probe}, {"\"PIPE\":\"shared\"", check_shared_probe},
    {"\"PIPE\":\"copy\"", check_copy_probe},       {"\"PIPE\":\"read\"", check_read_probe},
};

static void check_probes(const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    size_t checked = 0;
    shipped_open(&shipped, "ceilings", "full", &kernels.description, sizes, size_count);
    for (size_t index = 0; index < problem_configuration_count(shipped.problem); index++) {
        char *text = problem_configuration_text(shipped.problem, index);
        for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
            if (!strstr(text, probes[i].text))
                continue;
            probe_block = (int)value_of(&shipped, index, "BLOCK");
            probe_unroll = (int)value_of(&shipped, index, "UNROLL");
            check_configuration(&shipped, index, probes[i].check);
            checked |= (size_t)1 << i;
        }
        free(text);
    }
    assert_int_equal(checked, (1 << sizeof probes / sizeof *probes) - 1);
    shipped_close(&shipped);
}

static void ceilings(void **state)
{
    const struct size_setting sizes[] = {{"STEPS", 1}, {"N", 4099}};
    (void)state;
    check_probes(sizes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceilings),
    };
    return cmocka_run_group_tests_name("references of ceilings", tests, open_kernels, close_kernels);
}
