/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* UTF-8 of a code point by the table of RFC 3629, section 3. */
static size_t encode(uint32_t point, unsigned char *bytes)
{
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; point >>= 6)
        bytes[i] = (unsigned char)(0x80 | (point & 0x3f));
    bytes[0] = (unsigned char)(leads[length] | point);
    return length;
}

static bool accepts(const void *bytes, size_t length)
{
    struct arena arena = {0};
    struct text text;
    struct error error = {0};
    bool good = text_copy(&text, &arena, "test", bytes, length, &error);
    if (!good)
        assert_int_equal(error.code, ERROR_INPUT);
    arena_free(&arena);
    return good;
}

/* All code points in texts of 4096 each; surrogates and what is beyond U+10FFFF one by one. */
static void test_all_characters(void **state)
{
    (void)state;
    static unsigned char bytes[4 * 4096];
    for (uint32_t first = 0; first < 0x110000; first += 4096) {
        size_t length = 0;
        for (uint32_t point = first; point < first + 4096; point++) {
            if (point != 0 && (point < 0xd800 || point > 0xdfff))
                length += encode(point, bytes + length);
        }
        assert_true(accepts(bytes, length));
    }
    for (uint32_t point = 0xd800; point <= 0xdfff; point++)
        assert_false(accepts(bytes, encode(point, bytes)));
    for (uint32_t point = 0x110000; point < 0x200000; point += 0xfff)
        assert_false(accepts(bytes, encode(point, bytes)));
}

/* Of all pairs of bytes the valid are those of two ASCII characters (NUL is none) and the 1920 two-byte characters.
 */
static void test_all_pairs(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned pair = 0; pair < 65536; pair++) {
        const unsigned char bytes[] = {(unsigned char)(pair >> 8), (unsigned char)pair};
        count += accepts(bytes, 2);
    }
    assert_int_equal(count, 127 * 127 + 1920);
}

/* Overlong forms, sequences cut off, and lonely continuation bytes. */
static void test_malformed(void **state)
{
    (void)state;
    static const char *const cases[] = {"\xc0\xaf",     "\xe0\x80\xaf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                        "\x80",         "\xbf",         "\xc3",         "\xe2\x82",
                                        "\xf0\x9f\x98", "\xfe",         "\xff",         "\xf8\x88\x80\x80\x80",
                                        "\xed\xa0\x80", "\xe2\x82z"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(accepts(cases[i], strlen(cases[i])));
}

static void test_places(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct text text;
    struct error error = {0};
    assert_true(text_copy(&text, &arena, "some.file", "ab\ncd\n", 6, &error));
    assert_int_equal(text_line(&text, 0), 1);
    assert_int_equal(text_line(&text, 2), 1); /* the newline ends its line */
    assert_int_equal(text_line(&text, 3), 2);
    assert_int_equal(text_line(&text, 6), 3);
    assert_int_equal(text_line(&text, 1000), 3);
    struct place place = text_place(&text, 3, 2);
    assert_string_equal(place.file, "some.file");
    assert_ptr_equal(place.text, text.data);
    assert_int_equal(place.offset, 3);
    assert_int_equal(place.length, 2);
    assert_false(text_copy(&text, &arena, "some.file", "ab\ncd\0", 6, &error));
    assert_string_equal(error.text, "byte 6 is zero: this is not a text file");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    assert_false(text_copy(&text, &arena, "some.file", "ab\xff", 3, &error));
    assert_string_equal(error.text, "byte 3 (0xff) is not valid UTF-8");
    arena_free(&arena);
}

static void expect_unreadable(const char *path, const char *wanted)
{
    struct arena arena = {0};
    struct text text;
    struct error error = {0};
    assert_false(text_read(&text, &arena, path, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    if (!strstr(error.text, wanted))
        fail_msg("%s does not say %s", error.text, wanted);
    arena_free(&arena);
}

static void test_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-text-XXXXXX", path[64], pipe[64];
    struct arena arena = {0};
    struct text text;
    struct error error = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    expect_unreadable(path, "No such file");
    expect_unreadable(folder, "it is a folder");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    expect_unreadable(pipe, "it is not a regular file");
    expect_unreadable("/dev/zero", "it is not a regular file");

    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(text_read(&text, &arena, path, &error)); /* an empty one */
    assert_int_equal(text.length, 0);
    assert_string_equal(text.data, "");
    assert_int_equal(fwrite("a\xff", 1, 2, file), 2);
    assert_int_equal(fflush(file), 0);
    expect_unreadable(path, "byte 2 (0xff) is not valid UTF-8");
    assert_int_equal(ftruncate(fileno(file), TEXT_LIMIT + 1), 0);
    expect_unreadable(path, "is larger than 16 MiB");
    assert_int_equal(fclose(file), 0);
    arena_free(&arena);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(pipe), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_characters), cmocka_unit_test(test_all_pairs), cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_places),         cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
