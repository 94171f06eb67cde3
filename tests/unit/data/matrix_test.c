/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices as arrays: symmetries, order, types, and entries that will not do. */
#include "tests/unit/data/opened.h"

#include "tuner/data/matrix.h"

#include <math.h>

static struct data_part part;
static char path[512];

static void write_text(const char *text)
{
    struct data_file *file;
    struct error error = {0};
    snprintf(path, sizeof path, "%s", opened_path("a.mtx"));
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    if (!data_file_open(path, "a.mtx", &file, &error))
        fail_msg("%s", error.text);
    part = (struct data_part){path, file->stamp, 0, file->bytes, 1, 0, 0};
    data_file_free(file);
}

struct taken {
    unsigned char bytes[1024];
    size_t length;
};

static bool keep(const void *piece, size_t bytes, void *context, struct error *error)
{
    struct taken *taken = context;
    (void)error;
    assert_true(bytes <= sizeof taken->bytes - taken->length);
    memcpy(taken->bytes + taken->length, piece, bytes);
    taken->length += bytes;
    return true;
}

static void expect(const struct sparse_matrix *matrix, enum matrix_array array, enum element element, uint64_t count,
                   const void *wanted, size_t bytes)
{
    struct taken taken = {0};
    struct error error = {0};
    assert_true(matrix_take(matrix, array, element, count, keep, &taken, &error));
    assert_int_equal(taken.length, bytes);
    assert_memory_equal(taken.bytes, wanted, bytes);
}
#define EXPECT(matrix, array, element, count, type, ...)                                                             \
    expect(matrix, array, element, count, (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__})

static struct sparse_matrix *read_text(const char *text, enum element element, size_t numbers)
{
    struct sparse_matrix *matrix;
    struct error error = {0};
    write_text(text);
    if (!matrix_read(&part, "a.mtx", element, numbers, &matrix, &error))
        fail_msg("%s", error.text);
    return matrix;
}

static void test_general(void **state)
{
    (void)state;
    struct sparse_matrix *matrix = read_text("%%MatrixMarket matrix coordinate real general\n4 300 5\n"
                                             "4 300 5\n1 2 1.5\n3 1 0\n1 1 -2\n3 299 nan\n",
                                             ELEMENT_FLOAT, 1);
    assert_int_equal(matrix->rows, 4);
    assert_int_equal(matrix->columns, 300);
    assert_int_equal(matrix->count, 5);
    assert_int_equal(matrix_count(matrix, MATRIX_STARTS), 5);
    assert_int_equal(matrix_count(matrix, MATRIX_COLUMNS), 5);
    assert_int_equal(matrix_count(matrix, MATRIX_DENSE), 1200);
    assert_int_equal(matrix_longest(matrix), 2);
    EXPECT(matrix, MATRIX_STARTS, ELEMENT_INT, 5, int32_t, 0, 2, 2, 4, 5);
    EXPECT(matrix, MATRIX_STARTS, ELEMENT_ULONG, 5, uint64_t, 0, 2, 2, 4, 5);
    EXPECT(matrix, MATRIX_ROWS, ELEMENT_CHAR, 5, int8_t, 0, 0, 2, 2, 3);
    EXPECT(matrix, MATRIX_COLUMNS, ELEMENT_USHORT, 7, uint16_t, 0, 1, 0, 298, 299, 0, 0);
    EXPECT(matrix, MATRIX_VALUES, ELEMENT_FLOAT, 3, float, -2, 1.5F, 0);
    EXPECT(matrix, MATRIX_VALUES, ELEMENT_DOUBLE, 6, double, -2, 1.5, 0, (double)NAN, 5, 0);
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_SHORT, 3, int16_t, -2, 1, 0); /* the first elements */
    matrix_free(matrix);
    matrix = read_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 4\n", ELEMENT_FLOAT, 0);
    EXPECT(matrix, MATRIX_COLUMNS, ELEMENT_INT, 2, int32_t, 0, 1); /* without values */
    matrix_free(matrix);
    matrix_free(NULL);
}

static void test_symmetries(void **state)
{
    (void)state;
    struct sparse_matrix *matrix = read_text("%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n"
                                             "2 1 5\n3 3 7\n1 3 9\n",
                                             ELEMENT_INT, 1); /* either triangle */
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_INT, 9, int32_t, 0, 5, 9, 5, 0, 0, 9, 0, 7);
    EXPECT(matrix, MATRIX_STARTS, ELEMENT_INT, 4, int32_t, 0, 2, 3, 5);
    matrix_free(matrix);
    matrix = read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 5\n", ELEMENT_FLOAT, 1);
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_FLOAT, 9, float, 0, 0, -5, 0, 0, 0, 5, 0, 0);
    matrix_free(matrix);
    matrix =
        read_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n2 1 5 -6\n2 2 1 0\n", ELEMENT_FLOAT, 2);
    EXPECT(matrix, MATRIX_VALUES, ELEMENT_FLOAT, 3, float, 5, 6, 5, -6, 1, 0);
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_DOUBLE, 4, double, 0, 0, 5, 6, 5, -6, 1, 0);
    matrix_free(matrix);
    matrix = read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", ELEMENT_UCHAR, 1);
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_UCHAR, 4, uint8_t, 0, 1, 1, 0);
    matrix_free(matrix);
    matrix = read_text("%%MatrixMarket matrix array real general\n2 3\n1\n0\n3\n4\n0\n6\n", ELEMENT_FLOAT, 1);
    EXPECT(matrix, MATRIX_COLUMNS, ELEMENT_INT, 4, int32_t, 0, 1, 1, 2); /* without the zeros */
    EXPECT(matrix, MATRIX_DENSE, ELEMENT_FLOAT, 6, float, 1, 3, 0, 0, 4, 6);
    matrix_free(matrix);
}

/* Many entries in no order, at places that a formula gives again. */
static bool compare(const void *piece, size_t bytes, void *context, struct error *error)
{
    uint64_t *at = context;
    (void)error;
    for (size_t i = 0; i < bytes / sizeof(int32_t); i++) {
        int32_t value;
        memcpy(&value, (const char *)piece + i * sizeof value, sizeof value);
        assert_int_equal(value, *at + 1);
        ++*at;
    }
    return true;
}

static void test_order(void **state)
{
    (void)state;
    enum { COUNT = 300007, COLUMNS = 701 }; /* more than a piece */
    struct error error = {0};
    struct sparse_matrix *matrix;
    uint64_t at = 0, first = 0;
    write_text("");
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", COUNT / COLUMNS + 1, COLUMNS,
            COUNT);
    for (uint64_t i = 0; i < COUNT; i++) { /* 300007 is prime: each place once */
        uint64_t place = i * 7919 % COUNT;
        fprintf(stream, "%d %d %d\n", (int)(place / COLUMNS) + 1, (int)(place % COLUMNS) + 1, (int)place + 1);
    }
    assert_int_equal(fclose(stream), 0);
    struct data_file *file;
    assert_true(data_file_open(path, "a.mtx", &file, &error));
    part = (struct data_part){path, file->stamp, 0, file->bytes, 1, 0, 0};
    data_file_free(file);
    assert_true(matrix_read(&part, "a.mtx", ELEMENT_INT, 1, &matrix, &error));
    assert_true(matrix_take(matrix, MATRIX_VALUES, ELEMENT_INT, COUNT, compare, &at, &error));
    assert_int_equal(at, COUNT);
    assert_true(matrix_take(matrix, MATRIX_DENSE, ELEMENT_INT, COUNT, compare, &first, &error));
    assert_int_equal(first, COUNT);
    matrix_free(matrix);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum element element;
        size_t numbers;
        const char *message;
    } cases[] = {
        {"garbage\n", ELEMENT_FLOAT, 1, "a.mtx, line 1: no Matrix Market file begins like this: garbage"},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n", ELEMENT_FLOAT, 1,
         "a.mtx, line 1: the values are complex, and would lose their imaginary parts"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n3 1 1\n1 2 5\n", ELEMENT_FLOAT, 1,
         "a.mtx, line 5: row 1, column 2 is listed for the second time"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 2 1\n\n3 1 1\n2 1 5\n", ELEMENT_FLOAT, 0,
         "a.mtx, line 6: row 2, column 1 is listed for the second time"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1e39\n", ELEMENT_FLOAT, 1,
         "a.mtx, line 3: 1e+39 does not fit type float"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 70000\n", ELEMENT_HALF, 1,
         "a.mtx, line 3: 70000 does not fit type half"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1.5\n", ELEMENT_INT, 1,
         "a.mtx, line 3: 1.5 does not fit type int"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 nan\n", ELEMENT_INT, 1,
         "a.mtx, line 3: nan does not fit type int"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 128\n", ELEMENT_CHAR, 1,
         "a.mtx, line 3: 128 does not fit type char"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 18446744073709551616\n", ELEMENT_ULONG, 1,
         "a.mtx, line 3: 1.84467440737096e+19 does not fit type ulong"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n1 2 1\n", ELEMENT_UINT, 1,
         "a.mtx, line 3: -1 does not fit type uint"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sparse_matrix *matrix;
        struct error error = {0};
        write_text(cases[i].text);
        assert_false(matrix_read(&part, "a.mtx", cases[i].element, cases[i].numbers, &matrix, &error));
        assert_null(matrix);
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.text, cases[i].message);
    }
    struct sparse_matrix *matrix;
    struct error error = {0};
    write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -128\n");
    assert_true(matrix_read(&part, "a.mtx", ELEMENT_CHAR, 1, &matrix, &error)); /* the least is one of them */
    matrix_free(matrix);
    unlink(path);
    assert_false(matrix_read(&part, "a.mtx", ELEMENT_CHAR, 1, &matrix, &error));
    assert_int_equal(strncmp(error.text, "cannot read /", 13), 0);
}

static void test_names(void **state)
{
    (void)state;
    assert_true(matrix_is_file("a.mtx") && matrix_is_file("b/c.d.mtx"));
    assert_false(matrix_is_file("mtx") || matrix_is_file("a.mtx.gz") || matrix_is_file("a.npy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_general), cmocka_unit_test(test_symmetries),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
