/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of copy: y = x, to the bit. */
#include "tests/unit/measure/references.h"

static void check_copy(const struct fixture *fixture)
{
    int n = size_of(fixture, "n");
    float *x = fetch_input(fixture, "x", n);
    struct expected y = fetch_expected(fixture, "y", n, true);
    for (int i = 0; i < n; i++)
        assert_within("value", &y, i, y.values[i], x[i], 0);
    assert_true(fixture->sizes->check_count == 1 && fixture->sizes->checks[0].exact);
    free_expected(&y);
    free(x);
}

static void copy(void **state)
{
    (void)state;
    check_template("copy", NULL, 0, check_copy);
    check_template("copy", &(struct size_setting){"n", 4099}, 1, check_copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy),
    };
    return cmocka_run_group_tests_name("references of copy", tests, open_kernels, close_kernels);
}
