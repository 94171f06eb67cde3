/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that are edited while a program runs: what was validated is another kernel. */
#include "house.h"

static enum tune_code load(struct house *h, struct tune *tune, const struct tune_answer *answer)
{
    const struct tune_load_options options = {.bytes = sizeof options, .flags = TUNE_LOAD_UNVALIDATED};
    struct tune_kernel *kernel;
    enum tune_code code = tune_load(tune, answer, &options, &kernel, &h->why);
    if (code == TUNE_OK)
        tune_kernel_free(kernel);
    else
        assert_null(kernel);
    return code;
}

static void an_edited_source_is_not_loaded_until_the_handle_is_refreshed(void **state)
{
    struct house *h = *state;
    struct tune *tune;
    char cache[96];
    snprintf(cache, sizeof cache, "%s/cache", h->home);
    const struct tune_options options = {.bytes = sizeof options, .cache = cache};
    const struct tune_problem problem = {.bytes = sizeof problem, .kernel = "t", .device = "cpu:0"};
    struct tune_answer *answer;
    house_success(h, tune_open(&options, &tune, &h->why));
    house_success(h, tune_best(tune, &problem, &answer, &h->why));
    house_success(h, load(h, tune, answer));
    house_write(h, "templates/t/k.cu",
                "__global__ void k(float *y, int size) { y[0] = 1; }\n__global__ void r(float *y) {}\n");
    assert_int_equal(load(h, tune, answer), TUNE_ERROR_INPUT);
    assert_mentions(h->why.text, "have changed");
    assert_mentions(h->why.hint, "tune_refresh");
    tune_refresh(tune);
    assert_int_equal(load(h, tune, answer), TUNE_ERROR_INPUT); /* the answer is still about the other one */
    tune_answer_free(answer);
    house_success(h, tune_best(tune, &problem, &answer, &h->why));
    house_success(h, load(h, tune, answer));
    tune_answer_free(answer);
    tune_close(tune);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_edited_source_is_not_loaded_until_the_handle_is_refreshed, house_begin,
                                        house_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
