/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/utf8.h"

#include <string.h>

/* Every code point as RFC 3629, section 3, writes it. */
static size_t encode(uint32_t code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xe0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3f));
        to[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3f));
    to[2] = (char)(0x80 | (code >> 6 & 0x3f));
    to[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

static void test_every_code(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x120000; code++) {
        char text[5] = "", own[5] = "";
        size_t bytes = encode(code, text);
        bool wanted = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
        struct utf8_character character = utf8_decode(text, bytes);
        assert_int_equal(character.valid, wanted);
        assert_int_equal(character.bytes, wanted ? bytes : 1);
        assert_int_equal(utf8_is_valid(text, bytes), wanted);
        if (!wanted)
            continue;
        assert_int_equal(character.code, code);
        assert_int_equal(utf8_put(code, own), bytes);
        assert_memory_equal(own, text, bytes);
        for (size_t cut = 1; cut < bytes; cut++) {
            assert_false(utf8_decode(text, cut).valid);
            memset(own, 0, sizeof own);
            memcpy(own, text, cut);
            assert_false(utf8_decode(own, bytes).valid); /* ended by a NUL */
        }
    }
}

static void test_malformed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc0\xaf",
        "\xc1\xbf",
        "\xe0\x80\xaf",
        "\xe0\x9f\xbf",
        "\xf0\x80\x80\xaf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xfe",
        "\xff",
        "\xe2\x28\xa1",
        "\xc3",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct utf8_character character = utf8_decode(texts[i], strlen(texts[i]));
        assert_false(character.valid);
        assert_int_equal(character.bytes, 1);
        assert_int_equal(character.code, (unsigned char)texts[i][0]);
    }
}

static void test_drop_cut(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", ""},
        {"abc", "abc"},
        {"ab\xc3\xa9", "ab\xc3\xa9"},
        {"ab\xc3", "ab"},
        {"ab\xe2\x82\xac", "ab\xe2\x82\xac"},
        {"ab\xe2\x82", "ab"},
        {"ab\xe2", "ab"},
        {"\xf0\x9f\x98", ""},
        {"ab\x80\x80\x80\x80", "ab\x80\x80\x80\x80"}, /* no character was cut here */
        {"ab\xff", "ab\xff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[16];
        strcpy(text, cases[i].text);
        utf8_drop_cut(text);
        assert_string_equal(text, cases[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_drop_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
