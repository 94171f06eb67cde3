/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of many lengths against a plain buffer, and each allocation failing in turn: an error, never half a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/text_stream.h"

#include <stdlib.h>
#include <string.h>

/* The one allocation that fails, counted from 0; -1: none. */
static int failing = -1, seen;

static bool fails(void)
{
    return failing >= 0 && seen++ == failing;
}

/* The linker leads the library under test here (--wrap=realloc), where it fails when it is told to. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void test_lengths(void **state)
{
    (void)state;
    static char expected[70000];
    struct error error;
    for (size_t i = 0; i < sizeof expected - 1; i++)
        expected[i] = (char)('a' + i % 26);
    static const size_t lengths[] = {0, 1, 254, 255, 256, 257, 511, 512, 4096, 8191, 8192, 8193, 69999};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct text_stream stream;
        assert_true(text_stream_open(&stream, &error));
        for (size_t at = 0; at < lengths[i]; at += 7) {
            size_t rest = lengths[i] - at;
            fprintf(stream.out, "%.*s", (int)(rest < 7 ? rest : 7), expected + at);
        }
        char *text = text_stream_close(&stream, &error);
        assert_non_null(text);
        assert_int_equal(stream.length, lengths[i]);
        assert_int_equal(strlen(text), lengths[i]);
        assert_memory_equal(text, expected, lengths[i]);
        free(text);
    }
}

/* 40000 bytes take eight steps from 256 to 65536: all of them fail in turn, then none. */
static void test_each_failure(void **state)
{
    (void)state;
    size_t failures = 0;
    for (int k = 0;; k++) {
        struct error error = {0};
        struct text_stream stream;
        assert_true(text_stream_open(&stream, &error));
        failing = k;
        seen = 0;
        for (int i = 0; i < 1000; i++)
            fprintf(stream.out, "%040d", i);
        char *text = text_stream_close(&stream, &error);
        failing = -1;
        if (text) {
            assert_int_equal(strlen(text), 40000);
            assert_memory_equal(text + 39996, "0999", 4);
            free(text);
            break;
        }
        assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures >= 3); /* stdio hands over thousands of bytes at a time */
}

static void test_discard(void **state)
{
    (void)state;
    struct text_stream stream = {0};
    struct error error;
    text_stream_discard(&stream);
    assert_true(text_stream_open(&stream, &error));
    fputs("gone", stream.out);
    text_stream_discard(&stream);
    assert_null(stream.out);
    assert_null(stream.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_each_failure),
        cmocka_unit_test(test_discard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
