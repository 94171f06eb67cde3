/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of spmv: for each row the sum of its products. The matrices are what their shape promises: banded,
 * random, with rows by a power law, or with one full row; and their rows are listed by length.
 */
#include "tests/unit/measure/references.h"

enum { BANDED = 1, RANDOM, POWER_LAW, FULL_ROW };

struct matrix {
    int rows, columns, mean;
    int *offsets, *column, *order;
    float *values, *x;
};

static int length_of(const struct matrix *a, int row)
{
    return a->offsets[row + 1] - a->offsets[row];
}

static int *fetch_integers(const struct fixture *fixture, const char *name, int count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    return fetch(buffer->memory.address, (size_t)count * sizeof(int));
}

static struct matrix fetch_matrix(const struct fixture *fixture)
{
    struct matrix a = {
        .rows = size_of(fixture, "ROWS"), .columns = size_of(fixture, "COLUMNS"), .mean = size_of(fixture, "MEAN")};
    a.mean = a.mean < a.columns ? a.mean : a.columns;
    a.offsets = fetch_integers(fixture, "offsets", a.rows + 1);
    a.order = fetch_integers(fixture, "order", a.rows);
    a.column = fetch_integers(fixture, "columns", a.offsets[a.rows]);
    a.values = fetch_input(fixture, "values", a.offsets[a.rows]);
    a.x = fetch_input(fixture, "x", a.columns);
    return a;
}

static void free_matrix(struct matrix *a)
{
    free(a->offsets);
    free(a->order);
    free(a->column);
    free(a->values);
    free(a->x);
}

/* Columns rise within each row; in a band by 1, and are around the diagonal or at an edge. */
static void check_columns(const struct matrix *a, int shape)
{
    assert_int_equal(a->offsets[0], 0);
    for (int row = 0; row < a->rows; row++) {
        int first = a->offsets[row], last = a->offsets[row + 1] - 1;
        assert_true(first <= last + 1);
        for (int i = first; i <= last; i++) {
            assert_true(a->column[i] >= 0 && a->column[i] < a->columns);
            assert_true(i == first || a->column[i] > a->column[i - 1]);
            assert_true(a->values[i] >= -1 && a->values[i] <= 1);
        }
        if (shape != BANDED && shape != FULL_ROW)
            continue;
        int diagonal = (int)((long long)row * a->columns / a->rows);
        assert_int_equal(a->column[last] - a->column[first], last - first);
        assert_true(a->column[first] <= diagonal && a->column[last] >= diagonal);
    }
}

/* Every row once, longer ones first, and equally long ones in order. */
static void check_order(const struct matrix *a)
{
    for (int i = 1; i < a->rows; i++) {
        int before = length_of(a, a->order[i - 1]), own = length_of(a, a->order[i]);
        assert_true(before > own || (before == own && a->order[i - 1] < a->order[i]));
    }
}

/* The k longest rows have nonzeros as the cube root of k, each rounded up or down; the last eighth has none. */
static void check_power_law(const struct matrix *a)
{
    int occupied = a->rows - a->rows / 8, sum = 0;
    for (int k = 0; k < a->rows; k++) {
        assert_true(k < occupied || length_of(a, a->order[k]) == 0);
        sum += length_of(a, a->order[k]);
        double expected = k < occupied ? a->offsets[a->rows] * pow((k + 1.0) / occupied, 1.0 / 3) : sum;
        assert_true(sum >= floor(expected) && sum <= expected + k + 1);
    }
}

static void check_lengths(const struct matrix *a, int shape)
{
    int full = 0, other = 0, empty = 0, shorter = 0;
    for (int row = 0; row < a->rows; row++) {
        int length = length_of(a, row);
        full += length == a->columns;
        other += length != a->mean;
        empty += length == 0;
        shorter += length < length_of(a, a->order[0]);
        assert_true(shape != RANDOM || length <= 2 * a->mean);
        assert_true(shape != RANDOM || row % 2 == 0 || length + length_of(a, row - 1) == 2 * a->mean);
    }
    assert_true(shape != BANDED || other == 0);
    assert_true(shape != RANDOM || a->rows < 1000 || (empty > 0 && shorter > a->rows / 2));
    assert_true(shape != FULL_ROW || (full > 0 && other <= 1));
    if (shape == POWER_LAW)
        check_power_law(a);
}

/* Three roundings of a product and its conversions at most, and those of the sum. */
static void check_row(const struct matrix *a, const struct expected *y, int row)
{
    struct sum sum = {0};
    int length = length_of(a, row);
    for (int i = a->offsets[row]; i < a->offsets[row + 1]; i++) {
        long double product = (long double)a->values[i] * a->x[a->column[i]];
        add(&sum, product, fabsl(product));
    }
    long double units = fminl(length, 10 * sqrtl(length)), bound = (length + 3) * 0x1p-53L * sum.absolute;
    assert_within("value", y, row, y->values[row], sum.value, bound);
    assert_within("magnitude", y, row, y->magnitudes[row], units * sum.absolute, units * bound);
}

static void check_spmv(const struct fixture *fixture)
{
    int shape = size_of(fixture, "SHAPE");
    struct matrix a = fetch_matrix(fixture);
    struct expected y = fetch_expected(fixture, "y", a.rows, false);
    check_columns(&a, shape);
    check_order(&a);
    check_lengths(&a, shape);
    for (int row = 0; row < a.rows; row++)
        check_row(&a, &y, row);
    free_expected(&y);
    free_matrix(&a);
}

static void spmv(void **state)
{
    static const struct {
        int rows, columns, mean, shape;
    } cases[] = {
        {1, 1, 1, BANDED},      {1, 1, 1, POWER_LAW},   {1, 5, 3, FULL_ROW},    {311, 7, 9, BANDED},
        {64, 1009, 5, BANDED},  {1009, 37, 11, RANDOM}, {1, 9, 4, RANDOM},      {1021, 2053, 7, POWER_LAW},
        {500, 3, 9, POWER_LAW}, {9, 200, 300, RANDOM},  {200, 1, 2, POWER_LAW},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct size_setting sizes[] = {{"ROWS", cases[i].rows},
                                             {"COLUMNS", cases[i].columns},
                                             {"MEAN", cases[i].mean},
                                             {"SHAPE", cases[i].shape}};
        check_template("spmv", sizes, 4, check_spmv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spmv),
    };
    return cmocka_run_group_tests_name("references of spmv", tests, open_kernels, close_kernels);
}
