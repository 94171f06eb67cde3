/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of transpose: B[j][i] = A[i][j], to the bit. */
#include "tests/unit/measure/references.h"

static void check_transpose(const struct fixture *fixture)
{
    int rows = size_of(fixture, "ROWS"), columns = size_of(fixture, "COLUMNS");
    float *a = fetch_input(fixture, "A", rows * columns);
    struct expected b = fetch_expected(fixture, "B", rows * columns, true);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            assert_within("value", &b, j * rows + i, b.values[j * rows + i], a[i * columns + j], 0);
    assert_true(fixture->sizes->check_count == 1 && fixture->sizes->checks[0].exact);
    assert_true(buffer_of(fixture, "B")->magnitude == 0);
    free_expected(&b);
    free(a);
}

static void transpose(void **state)
{
    const struct size_setting odd[] = {{"ROWS", 37}, {"COLUMNS", 11}}, column[] = {{"ROWS", 131}};
    (void)state;
    check_template("transpose", NULL, 0, check_transpose);
    check_template("transpose", odd, 2, check_transpose);
    check_template("transpose", column, 1, check_transpose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transpose),
    };
    return cmocka_run_group_tests_name("references of transpose", tests, open_kernels, close_kernels);
}
