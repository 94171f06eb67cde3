/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices that are written are read back to the bit; what is no matrix is not written. */
#include "tests/unit/data/opened.h"

#include "tuner/data/market_write.h"
#include "tuner/data/matrix.h"

#include <math.h>

static bool write_it(const struct market_arrays *arrays, char path[512])
{
    snprintf(path, 512, "%s", opened_path("written.mtx"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    const bool done = market_write(arrays, file);
    assert_int_equal(fclose(file), 0);
    return done;
}

static struct sparse_matrix *write_and_read(const struct market_arrays *arrays, enum element element, size_t numbers)
{
    char path[512];
    struct data_file *file;
    struct sparse_matrix *matrix;
    struct error error = {0};
    assert_true(write_it(arrays, path));
    if (!data_file_open(path, "written.mtx", &file, &error))
        fail_msg("%s", error.text);
    const struct data_part part = {path, file->stamp, 0, file->bytes, 1, 0, 0};
    if (!matrix_read(&part, "written.mtx", element, numbers, &matrix, &error))
        fail_msg("%s", error.text);
    data_file_free(file);
    assert_int_equal(matrix->rows, arrays->rows);
    assert_int_equal(matrix->columns, arrays->columns);
    assert_int_equal(matrix->count, arrays->count);
    return matrix;
}

static uint64_t key(uint64_t row, uint64_t column)
{
    return row << 32 | column;
}

/* Rows 0 and 2 are empty; in row 1 columns descend. 0.1f is not the double 0.1. */
static void by_rows(void **state)
{
    (void)state;
    const int starts[] = {0, 0, 2, 2, 3}, columns[] = {6, 0, 3};
    const float values[] = {0.1F, -3e38F, INFINITY};
    const struct market_arrays arrays = {
        4, 7, 3, true, {starts, ELEMENT_INT}, {columns, ELEMENT_INT}, {values, ELEMENT_FLOAT}, 1};
    struct sparse_matrix *matrix = write_and_read(&arrays, ELEMENT_FLOAT, 1);
    assert_true(matrix->keys[0] == key(1, 0) && matrix->keys[1] == key(1, 6) && matrix->keys[2] == key(3, 3));
    assert_true((float)matrix->values[0] == values[1] && (float)matrix->values[1] == values[0]);
    assert_true(isinf(matrix->values[2]));
    matrix_free(matrix);
}

static void by_entries(void **state)
{
    (void)state;
    const uint64_t rows[] = {0, 4294967294}, columns[] = {1, 0};
    const double values[] = {0.1, 5e-324, NAN, 1 / 3.0};
    const struct market_arrays arrays = {
        UINT32_MAX, 2, 2, false, {rows, ELEMENT_ULONG}, {columns, ELEMENT_ULONG}, {values, ELEMENT_DOUBLE}, 2};
    struct sparse_matrix *matrix = write_and_read(&arrays, ELEMENT_DOUBLE, 2);
    assert_true(matrix->keys[0] == key(0, 1) && matrix->keys[1] == key(4294967294, 0));
    assert_memory_equal(matrix->values, values, 2 * sizeof *values);
    assert_true(isnan(matrix->values[2]) && matrix->values[3] == values[3]);
    matrix_free(matrix);
}

static void without_values_and_with_integers(void **state)
{
    (void)state;
    const unsigned short starts[] = {0, 1, 2}, columns[] = {1, 1};
    const long long values[] = {9007199254740991, -7};
    struct market_arrays arrays = {2, 2, 2, true, {starts, ELEMENT_USHORT}, {columns, ELEMENT_USHORT}, {NULL, 0}, 0};
    struct sparse_matrix *matrix = write_and_read(&arrays, ELEMENT_FLOAT, 1);
    assert_true(matrix->values[0] == 1 && matrix->values[1] == 1);
    matrix_free(matrix);
    arrays.values = (struct market_array){values, ELEMENT_LONG};
    arrays.per_value = 1;
    matrix = write_and_read(&arrays, ELEMENT_LONG, 1);
    assert_true(matrix->values[0] == 9007199254740991 && matrix->values[1] == -7);
    matrix_free(matrix);
}

static void what_is_no_matrix_is_refused(void **state)
{
    (void)state;
    const int starts[] = {0, 1, 2}, columns[] = {1, 0}, twice[] = {0, 0};
    const long long values[] = {1, 9007199254740993}; /* which as a double is 2^53 */
    const struct {
        int places[3], indices[2];
        bool by_rows;
    } cases[] = {
        {{1, 1, 2}, {1, 0}, true},  {{0, 2, 1}, {1, 0}, true},   {{0, 1, 1}, {1, 0}, true},
        {{0, 1, 3}, {1, 0}, true},  {{0, -1, 2}, {1, 0}, true},  {{0, 1, 2}, {1, 2}, true},
        {{0, 1, 2}, {1, -1}, true}, {{0, 2, 2}, {1, 1}, true},   {{0, 2, 0}, {0, 0}, false},
        {{1, 1, 0}, {0, 0}, false}, {{-1, 1, 0}, {0, 0}, false},
    };
    char path[512];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct market_arrays arrays = {
            2, 2, 2, cases[i].by_rows, {cases[i].places, ELEMENT_INT}, {cases[i].indices, ELEMENT_INT}, {NULL, 0}, 0};
        if (write_it(&arrays, path))
            fail_msg("case %zu was written", i);
    }
    struct market_arrays arrays = {
        2, 2, 2, true, {starts, ELEMENT_INT}, {columns, ELEMENT_INT}, {values, ELEMENT_LONG}, 1};
    assert_false(write_it(&arrays, path));
    arrays.values.numbers = NULL;
    assert_true(write_it(&arrays, path));
    arrays.rows = (uint64_t)UINT32_MAX + 1;
    assert_false(write_it(&arrays, path));
    arrays.rows = 2;
    arrays.indices.numbers = twice; /* of different rows */
    assert_true(write_it(&arrays, path));
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_false(market_write(&arrays, full));
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_rows),
        cmocka_unit_test(by_entries),
        cmocka_unit_test(without_values_and_with_integers),
        cmocka_unit_test(what_is_no_matrix_is_refused),
    };
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
