/* SPDX-License-Identifier: Apache-2.0 */
/* What needs no device; the rest is tested with the program and on GPUs. */
#include "printed.h"

#include "tuner/cli/device_list.h"

static void texts_that_ask_for_several(void **state)
{
    (void)state;
    assert_true(device_list_is("all"));
    assert_true(device_list_is("cuda:0,cuda:1"));
    assert_true(device_list_is(","));
    assert_false(device_list_is("cuda:0"));
    assert_false(device_list_is("allow"));
    assert_false(device_list_is(NULL));
}

static void items_that_no_list_can_hold(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"cpu,cuda:0", "--device: 'cpu' cannot be in a list of devices"},
        {"cpu:0,cuda:0", "--device: 'cpu:0' cannot be in a list of devices"},
        {"cuda,cuda:0", "--device: 'cuda' cannot be in a list of devices"},
        {",", "--device: '' cannot be in a list of devices"},
        {"all,cuda:0", "--device: 'all' cannot be in a list of devices"},
        {"cuda:x,cuda:0", "--device: 'cuda:x' cannot be in a list of devices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct device_choice *choices;
        size_t count;
        struct error error = {0};
        assert_false(device_choose_several(NULL, cases[i].text, true, &choices, &count, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.text, cases[i].message);
        assert_null(choices);
        assert_int_equal(count, 0);
    }
}

static void names_that_another_machine_may_know(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "all", "cpu", "cuda", "cuda:7", "cuda:0,cuda:1"};
    static const char *const others[] = {"",           ",",         "cuda,",
                                         "gpu",        "cuda:",     "cuda:x",
                                         "all,cuda:0", "h100.json", "cuda:00000000000000000000000000000000000000000"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(device_list_names(names[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(device_list_names(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_ask_for_several),
        cmocka_unit_test(names_that_another_machine_may_know),
        cmocka_unit_test(items_that_no_list_can_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
