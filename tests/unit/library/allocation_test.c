/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a handle and asking it with each allocation failing in turn: a clean error every time or the right answer,
 * and no leak. */
#include "house.h"

#include "tests/unit/failing_allocator.h"

static enum tune_code look(struct house *h, const struct tune_answer *answer, bool *right, struct tune_error *error)
{
    struct tune_parameter parameter = {.bytes = sizeof parameter};
    struct tune_answer_info info = {.bytes = sizeof info};
    (void)h;
    tune_answer_describe(answer, &info);
    enum tune_code code = tune_answer_find(answer, "A", &parameter, error);
    *right = code == TUNE_OK && parameter.integer == 4 && strcmp(info.configuration, HOUSE_CONFIGURATION(4)) == 0;
    return code;
}

/* A new kernel, another size of it, and the first one again. */
static enum tune_code use(struct house *h, bool *right)
{
    struct tune *tune = NULL;
    enum tune_code code = tune_open(NULL, &tune, &h->why);
    static const int64_t sizes[] = {64, 65, 64};
    *right = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && code == TUNE_OK; i++) {
        const struct tune_size size = {"n", sizes[i]};
        const struct tune_problem problem = {
            .bytes = sizeof problem, .kernel = "t", .device = h->device, .sizes = &size, .size_count = 1};
        struct tune_answer *answer;
        bool own = false;
        code = tune_best(tune, &problem, &answer, &h->why);
        if (code == TUNE_OK)
            code = look(h, answer, &own, &h->why);
        else
            assert_null(answer);
        *right = *right && own;
        tune_answer_free(answer);
    }
    if (code == TUNE_OK)
        code = tune_trouble(tune, &h->why);
    tune_close(tune);
    return code;
}

static void each_allocation_fails_in_turn(void **state)
{
    struct house *h = *state;
    bool right, failed = true;
    size_t n = 1;
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    house_success(h, use(h, &right));
    assert_true(right);
    for (; failed; n++) {
        failing_allocator_begin(n);
        enum tune_code code = use(h, &right);
        failed = failing_allocator_end();
        if (code == TUNE_OK ? !right : code != TUNE_ERROR_MEMORY || h->why.code != TUNE_ERROR_MEMORY)
            fail_msg("allocation %zu: %s: %s", n, tune_code_name(code), h->why.text);
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_allocation_fails_in_turn, house_begin, house_end),
    };
    failing_allocator_take_jansson();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
