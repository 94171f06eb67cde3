/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/simulate_result.h"
#include "tuner/simulate/simulated_space.h"

static void names_that_several_recordings_share_get_numbers(void **state)
{
    (void)state;
    char gemm[] = "gemm", other[] = "other";
    struct recording recordings[] = {{.name = gemm}, {.name = other}, {.name = gemm}, {.name = gemm}};
    struct simulated_space spaces[4];
    const struct simulated_space *list[4];
    for (size_t i = 0; i < 4; i++) {
        spaces[i] = (struct simulated_space){.recording = &recordings[i]};
        list[i] = &spaces[i];
    }
    struct simulate_result result = {.spaces = list, .space_count = 4};
    struct error error;
    assert_true(simulate_name_spaces(&result, &error));
    assert_string_equal(result.space_names[0], "gemm");
    assert_string_equal(result.space_names[1], "other");
    assert_string_equal(result.space_names[2], "gemm (2)");
    assert_string_equal(result.space_names[3], "gemm (3)");
    simulate_result_clear(&result);
}

/* Two scores each: the mean over the spaces decides, and the first comes first among equals. */
static void the_best_strategy_comes_first(void **state)
{
    (void)state;
    const struct score a[] = {{.p = 0.2}, {.p = 0.4}}, b[] = {{.p = 0.9}, {.p = 0.1}}, c[] = {{.p = -1}, {.p = 0}},
                       d[] = {{.p = 0.4}, {.p = 0.2}};
    const struct score *scores[] = {a, b, c, d};
    static const char *const names[] = {"a", "b", "c", "d"};
    struct simulate_result result = {.space_count = 2};
    struct error error;
    assert_true(simulate_allocate(&result, 4, &error));
    for (size_t i = 0; i < 4; i++)
        simulate_insert(&result, names[i], scores[i]);
    static const char *const expected[] = {"b", "a", "d", "c"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(result.names[i], expected[i]);
    assert_true(result.scores[0] == b && result.scores[3] == c);
    assert_true(result.means[0].p == 0.5);
    simulate_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_several_recordings_share_get_numbers),
        cmocka_unit_test(the_best_strategy_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
