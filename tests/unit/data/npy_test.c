/* SPDX-License-Identifier: Apache-2.0 */
/* Headers as NumPy 2 writes them, and others that no program should trip over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/data/npy.h"

#include <stdlib.h>
#include <string.h>

/* A file of exactly these bytes on the heap, so that a sanitizer sees what is read beyond it. */
static bool read_file(unsigned version, const char *text, size_t promised, struct npy *npy, struct error *error)
{
    size_t length = strlen(text), before = version == 1 ? 10 : 12;
    unsigned char *file = malloc(before + length);
    assert_non_null(file);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < before; i++)
        file[i] = (unsigned char)(promised >> 8 * (i - 8));
    memcpy(file + before, text, length);
    bool done = npy_read(file, before + length, npy, error);
    free(file);
    return done;
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        unsigned version;
        const char *text;
        struct npy wanted;
    } cases[] = {
        {1,
         "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }      \n",
         {'<', 'f', 4, false, false, 2, {3, 4}, 12, 0}},
        {1, "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }\n", {'|', 'u', 1, false, false, 1, {7}, 7, 0}},
        {2, "{'descr': '>i8', 'fortran_order': True, 'shape': (), }\n", {'>', 'i', 8, false, true, 0, {0}, 1, 0}},
        {3,
         "{\"shape\":(2L,0,3),\"descr\":\"<c16\",\"fortran_order\":False}",
         {'<', 'c', 16, false, false, 3, {2, 0, 3}, 0, 0}},
        {1, "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n", {'|', 'O', 0, false, false, 1, {2}, 2, 0}},
        {1,
         "{'descr': [('a]', '<f4'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': (2,), }\n",
         {0, 0, 0, true, false, 1, {2}, 2, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct npy npy;
        struct error error = {0};
        size_t length = strlen(cases[i].text);
        if (!read_file(cases[i].version, cases[i].text, length, &npy, &error))
            fail_msg("%s: %s", cases[i].text, error.text);
        const struct npy *wanted = &cases[i].wanted;
        assert_int_equal(npy.order, wanted->order);
        assert_int_equal(npy.kind, wanted->kind);
        assert_int_equal(npy.bytes, wanted->bytes);
        assert_int_equal(npy.record, wanted->record);
        assert_int_equal(npy.fortran, wanted->fortran);
        assert_int_equal(npy.rank, wanted->rank);
        assert_memory_equal(npy.shape, wanted->shape, npy.rank * sizeof *npy.shape);
        assert_int_equal(npy.count, wanted->count);
        assert_int_equal(npy.offset, length + (cases[i].version == 1 ? 10 : 12));
    }
}

#define KEYS(descr, shape) "{'descr': " descr ", 'fortran_order': False, 'shape': " shape "}"

static void test_damage(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "has a damaged header: it is no dictionary"},
        {"{", "has a damaged header: a string is missing"},
        {"{}", "has a damaged header: it lacks 'descr'"},
        {"{'descr': '<f4', 'shape': (1,)}", "has a damaged header: it lacks 'fortran_order'"},
        {"{'descr' '<f4'}", "has a damaged header: a colon is missing"},
        {"{'descr: 1", "has a damaged header: a string does not end"},
        {"{'descr': '<f4' 'shape': (1,)}", "has a damaged header: a comma is missing"},
        {"{'descr': '<f4', 'descr': '<f4'}", "has a damaged header: a key occurs twice"},
        {"{'x': 1}", "has a damaged header: there is a key that is not 'descr', 'fortran_order' or 'shape'"},
        {"{'fortran_order': 1}", "has a damaged header: 'fortran_order' is neither True nor False"},
        {KEYS("4", "(1,)"), "has a damaged header: a string is missing"},
        {KEYS("'f4'", "(1,)"), "has a damaged header: 'descr' is not a type such as '<f4'"},
        {KEYS("''", "(1,)"), "has a damaged header: 'descr' is not a type such as '<f4'"},
        {"{'descr': [('a', '<f4'), ", "has a damaged header: 'descr' does not end"},
        {KEYS("'<f4'", "3"), "has a damaged header: 'shape' is no tuple"},
        {KEYS("'<f4'", "(3"), "has a damaged header: 'shape' is no tuple of lengths"},
        {KEYS("'<f4'", "(-3,)"), "has a damaged header: a length in 'shape' is no whole number"},
        {KEYS("'<f4'", "(3.5,)"), "has a damaged header: 'shape' is no tuple of lengths"},
        {KEYS("'<f4'", "(18446744073709551616,)"), "has a damaged header: a length in 'shape' does not fit 64 bits"},
        {KEYS("'<f4'", "(4294967296, 4294967296)"),
         "has a damaged header: 'shape' has more elements than 64 bits can count"},
        {KEYS("'<f4'", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
         "has a damaged header: 'shape' has too many dimensions"},
        {KEYS("'<f4'", "(1,)") "{", "has a damaged header: something follows the dictionary"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct npy npy;
        struct error error = {0};
        if (read_file(1, cases[i].text, strlen(cases[i].text), &npy, &error))
            fail_msg("<%s> is accepted", cases[i].text);
        assert_int_equal(error.code, ERROR_INPUT);
        if (strcmp(error.text, cases[i].message) != 0)
            fail_msg("<%s>: %s, and not: %s", cases[i].text, error.text, cases[i].message);
    }
}

/* Lengths that lie, and files that end before the dictionary. */
static void test_lengths(void **state)
{
    (void)state;
    struct npy npy;
    struct error error = {0};
    assert_false(read_file(1, "{}", 3, &npy, &error));
    assert_string_equal(error.text, "is cut off in its header");
    assert_false(read_file(2, "{}", 0xffffffff, &npy, &error));
    assert_string_equal(error.text, "has a header of 4294967295 bytes; at most 65524 are read");
    assert_false(read_file(4, "{}", 2, &npy, &error));
    assert_string_equal(error.text, "has version 4 of the .npy format; versions 1 to 3 are known");
    static const char whole[] = "\x93NUMPY\x01\x00\x02\x00{}";
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, whole, length);
        assert_false(npy_read(copy, length, &npy, &error));
        assert_string_equal(error.text, length < 6 ? "is no .npy file: it does not begin with \\x93NUMPY"
                                                   : "is cut off in its header");
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headers), cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
