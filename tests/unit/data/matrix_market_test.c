/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of Matrix Market files, right and wrong, in pieces of any length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/data/matrix_market.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

/* What was read, as text: "3x4 2: 1,1=0.5@3 ..." with the lines behind the @. */
struct taken {
    char text[1024];
    size_t length;
};

static void note(struct taken *taken, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    taken->length += (size_t)vsnprintf(taken->text + taken->length, sizeof taken->text - taken->length, format, list);
    va_end(list);
    assert_true(taken->length < sizeof taken->text);
}

static bool take_header(void *context, const struct market_header *header, struct error *error)
{
    (void)error;
    note(context, "%" PRIu64 "x%" PRIu64 " %" PRIu64 ":", header->rows, header->columns, header->listed);
    return true;
}

static bool take_entry(void *context, const struct market_entry *entry, struct error *error)
{
    note(context, " %u,%u=%g", entry->row, entry->column, entry->value[0]);
    if (entry->value[1] != 0)
        note(context, "%+gi", entry->value[1]);
    note(context, "@%" PRIu64, entry->line);
    return entry->value[0] != 666 || error_set(error, ERROR_INPUT, "an entry that is not taken");
}

static bool read_text(const char *text, size_t length, size_t step, struct taken *taken, struct error *error)
{
    const struct market_taker taker = {take_header, take_entry, taken};
    struct market_reader *reader = market_open(&taker, length);
    bool done = true;
    assert_non_null(reader);
    *taken = (struct taken){0};
    for (size_t at = 0; at < length && done; at += step) {
        size_t bytes = length - at < step ? length - at : step;
        char *piece = malloc(bytes); /* of just this size: a sanitizer sees each step beyond */
        assert_non_null(piece);
        memcpy(piece, text + at, bytes);
        done = market_take(reader, piece, bytes, error);
        free(piece);
    }
    done = done && market_end(reader, error);
    market_free(reader);
    return done;
}

static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *taken;
    } cases[] = {
        {GENERAL "3 4 2\n1 1 0.5\n3 4 -1e-3\n", "3x4 2: 0,0=0.5@3 2,3=-0.001@4"},
        {GENERAL "3 4 2\n1 1 0.5\n3 4 -1e-3", "3x4 2: 0,0=0.5@3 2,3=-0.001@4"},
        {"%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n%\r\n\r\n 3\t4  1 \r\n\r\n1 1 "
         "-9007199254740992\r\n\r\n",
         "3x4 1: 0,0=-9.0072e+15@6"},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n1 2\n", "2x2 2: 1,0=1@3 0,1=1@4"},
        {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1.5 -2\n",
         "2x2 2: 0,0=3@3 1,0=1.5-2i@4"},
        {"%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
         "2x3 6: 0,0=1@3 1,0=2@4 0,1=3@5 1,1=4@6 0,2=5@7 1,2=6@8"},
        {"%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
         "3x3 6: 0,0=1@3 1,0=2@4 2,0=3@5 1,1=4@6 2,1=5@7 2,2=6@8"},
        {"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n", "3x3 3: 1,0=1@3 2,0=2@4 2,1=3@5"},
        {GENERAL "2 2 0\n", "2x2 0:"},
        {GENERAL "2 2 2\n1 1 nan\n2 2 -INF\n", "2x2 2: 0,0=nan@3 1,1=-inf@4"},
        {GENERAL "4294967295 1 1\n4294967295 1 1\n", "4294967295x1 1: 4294967294,0=1@3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        for (size_t step = 1; step <= length; step++) {
            struct taken taken;
            struct error error = {0};
            if (!read_text(cases[i].text, length, step, &taken, &error))
                fail_msg("case %zu: %s", i, error.text);
            assert_string_equal(taken.text, cases[i].taken);
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "line 1: no Matrix Market file begins like this: "},
        {"1 1 1\n", "line 1: no Matrix Market file begins like this: 1 1 1"},
        {"%%MatrixMarket vector coordinate real general\n",
         "line 1: only a matrix can be read: %%MatrixMarket vector coordinate real general"},
        {"%%MatrixMarket matrix csr real general\n",
         "line 1: the format is neither coordinate nor array: %%MatrixMarket matrix csr real general"},
        {"%%MatrixMarket matrix array quad general\n",
         "line 1: the field is not real, integer, complex or pattern: %%MatrixMarket matrix array quad general"},
        {"%%MatrixMarket matrix array real\n", "line 1: the symmetry is not general, symmetric, skew-symmetric or "
                                               "hermitian: %%MatrixMarket matrix array real"},
        {"%%MatrixMarket matrix array real general 5\n",
         "line 1: the symmetry is not general, symmetric, skew-symmetric or hermitian: %%MatrixMarket matrix array "
         "real general 5"},
        {"%%MatrixMarket matrix array real hermitian\n",
         "line 1: only a complex matrix is hermitian: %%MatrixMarket matrix array real hermitian"},
        {"%%MatrixMarket matrix array pattern general\n",
         "line 1: a pattern has coordinates, and no signs: %%MatrixMarket matrix array pattern general"},
        {GENERAL "% only a comment\n", "line 3: the file ends before its sizes"},
        {GENERAL "3 4\n", "line 2: expected rows, columns and entries: 3 4"},
        {GENERAL "3 4 2 1\n", "line 2: expected rows, columns and entries: 3 4 2 1"},
        {GENERAL "3 -4 2\n", "line 2: expected rows, columns and entries: 3 -4 2"},
        {GENERAL "3 4 99999999999999999999\n",
         "line 2: expected rows, columns and entries: 3 4 99999999999999999999"},
        {GENERAL "0 4 0\n", "line 2: a matrix without rows or columns: 0 4 0"},
        {GENERAL "4294967296 4 1\n", "line 2: more rows or columns than 32 bits can count: 4294967296 4 1"},
        {GENERAL "4 4 18446744073709551615\n",
         "line 2: 18446744073709551615 entries do not fit in a file of 71 bytes"},
        {"%%MatrixMarket matrix array real general\n4294967295 4294967295\n1\n",
         "line 2: 18446744065119617025 entries do not fit in a file of 65 bytes"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n",
         "line 2: a symmetric matrix must be square: 3 4 1"},
        {GENERAL "3 4 1\n0 1 1\n", "line 3: rows and columns count from 1: 0 1 1"},
        {GENERAL "3 4 1\n4 1 1\n", "line 3: row 4 of a matrix of 3 rows"},
        {GENERAL "3 4 1\n1 5 1\n", "line 3: column 5 of a matrix of 4 columns"},
        {GENERAL "3 4 1\n1 1.0 1\n", "line 3: expected a row, a column and a value: 1 1.0 1"},
        {GENERAL "3 4 1\n% a comment among them\n",
         "line 3: expected a row, a column and a value: % a comment among them"},
        {GENERAL "3 4 1\n1 1\n% some room\n", "line 3: a value is missing: 1 1"},
        {GENERAL "3 4 1\n1 1 x\n", "line 3: a value is no number: 1 1 x"},
        {GENERAL "3 4 1\n1 1 0x1\n", "line 3: a value is no number: 1 1 0x1"},
        {GENERAL "3 4 1\n1 1 1e\n", "line 3: a value is no number: 1 1 1e"},
        {GENERAL "3 4 1\n1 1 nano\n", "line 3: a value is no number: 1 1 nano"},
        {GENERAL "3 4 1\n1 1 1e999\n", "line 3: a value is too large for double precision: 1 1 1e999"},
        {GENERAL "3 4 1\n1 1 1 1\n", "line 3: something follows the entry: 1 1 1 1"},
        {GENERAL "3 4 1\n1 1 666\n", "an entry that is not taken"},
        {"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 1.5\n",
         "line 3: a value is no whole number: 1 1 1.5"},
        {"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 nan\n",
         "line 3: a value is no whole number: 1 1 nan"},
        {"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 9007199254740994\n",
         "line 3: a value is beyond 2^53, where doubles lose digits: 1 1 9007199254740994"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1\n", "line 3: expected a row and a column: 1"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
         "line 3: the diagonal of a skew-symmetric matrix is not listed: 2 2 1"},
        {"%%MatrixMarket matrix coordinate complex hermitian\n3 3 1\n2 2 1 1\n",
         "line 3: the diagonal of a hermitian matrix is real: 2 2 1 1"},
        {GENERAL "3 4 2\n1 1 1\n", "line 4: the file is cut off: 1 of its 2 entries are there"},
        {GENERAL "3 4 1\n1 1 1\n1 1 2\n", "line 4: more than the 1 entries that the file promises"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        for (size_t step = 1; step <= length + 1; step++) {
            struct taken taken;
            struct error error = {0};
            if (read_text(cases[i].text, length, step, &taken, &error))
                fail_msg("case %zu is read: %s", i, taken.text);
            assert_int_equal(error.code, ERROR_INPUT);
            assert_string_equal(error.text, cases[i].message);
        }
    }
}

/* A comment may have any length, a line of numbers 1024 characters. */
static void test_long_lines(void **state)
{
    (void)state;
    enum { LONG = 3000 };
    char text[2 * LONG];
    struct taken taken;
    struct error error = {0};
    int length = snprintf(text, sizeof text, "%s%%%*s\n1 1 1\n1 1 7\n", GENERAL, LONG, "");
    for (size_t step = 1; step < 2000; step += 333)
        assert_true(read_text(text, (size_t)length, step, &taken, &error));
    assert_string_equal(taken.text, "1x1 1: 0,0=7@4");
    length = snprintf(text, sizeof text, "%s1 1 1\n1 1%*s\n", GENERAL, MARKET_LINE_MOST - 3, "7");
    assert_true(read_text(text, (size_t)length, 100, &taken, &error));
    assert_string_equal(taken.text, "1x1 1: 0,0=7@3");
    length = snprintf(text, sizeof text, "%s1 1 1\n1 1%*s\n", GENERAL, MARKET_LINE_MOST - 2, "7");
    for (size_t step = 1; step < 2000; step += 333)
        assert_false(read_text(text, (size_t)length, step, &taken, &error));
    assert_string_equal(error.text, "line 3: more than 1024 characters");
    static const char zero[] = GENERAL "1 1 1\n1 1\0 7\n";
    assert_false(read_text(zero, sizeof zero - 1, 7, &taken, &error));
    assert_string_equal(error.text, "line 3: a zero byte, which no text has");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_long_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
