/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/text_scan.h"

#include <stdio.h>
#include <string.h>

/* What was told, in order: words, and names as use:name, with ~ before those in angle brackets. */
struct told {
    char text[400];
    int most; /* names before the scan is stopped; 0: any number */
};

static void add(struct told *told, const char *prefix, const char *text, size_t length)
{
    size_t used = strlen(told->text);
    snprintf(told->text + used, sizeof told->text - used, "%s%s%.*s", used ? " " : "", prefix, (int)length, text);
}

static void add_word(void *context, const char *word, size_t length)
{
    add(context, "", word, length);
}

static bool add_name(void *context, const struct text_source *source, const struct text_name *name)
{
    static const char *const uses[][2] = {
        [TEXT_NAMED] = {"named:~", "named:"},
        [TEXT_ASKED] = {"asked:~", "asked:"},
        [TEXT_GUESSED] = {"guessed:~", "guessed:"},
        [TEXT_EMBEDDED] = {"embedded:~", "embedded:"},
    };
    struct told *told = context;
    assert_string_equal(source->path, "a.cu");
    assert_true(name->start > source->text && name->start < source->text + strlen(source->text));
    add(told, uses[name->use][name->quoted], name->start, name->length);
    return --told->most != 0;
}

static bool scan(const char *text, bool literals, struct told *told, struct text_findings *findings)
{
    struct text_scan scan = {.literals = literals, .name = add_name, .word = add_word, .context = told};
    bool done = text_scan(&scan, "a.cu", text, strlen(text));
    *findings = scan.findings;
    return done;
}

static void words_and_names_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
        bool literals;
    } cases[] = {
        {"int a = 1'000; // b\n/* c */ d", "int a 1'000 d", false},
        {"#include \"a b.h\" c\n # import <d>", "named:a b.h c named:~d", false},
        {"#incl\\\nude \"x\"", "named:x", false},
        {"int a; #include \"x\"", "int a include x", false},
        {"#embed \"data\" limit(4)", "embedded:data limit 4", false},
        {"#if __has_include(<x>)", "if __has_include asked:~x x", false},
        {"f(\"say it\")", "f say it", false},
        {"f(\"say it\", <g>)", "f guessed:say it say it guessed:~g g", true},
        {"\"never closed\nnext", "never closed next", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told told = {.text = ""};
        struct text_findings findings;
        assert_true(scan(cases[i].text, cases[i].literals, &told, &findings));
        assert_string_equal(told.text, cases[i].told);
    }
}

static void what_only_a_preprocessor_sees_is_flagged(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct text_findings findings;
    } cases[] = {
        {"#include \"x\"", {.hidden = false}},
        {"#include HEADER", {.hidden = true}},
        {"#include_next <x>", {.asks = true}},
        {"#ifdef __has_include", {.asks = true}},
        {"%:include \"x\"", {.hidden = true}},
        {"asm(\".incbin x\")", {.hidden = true}},
        {"__TIME__", {.dated = true}},
        {"int \\u0061;", {.odd = true}},
        {"#define f(a) a ## b", {.pastes = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told told = {.text = ""};
        struct text_findings findings;
        assert_true(scan(cases[i].text, false, &told, &findings));
        assert_memory_equal(&findings, &cases[i].findings, sizeof findings);
    }
}

static void a_scan_is_stopped(void **state)
{
    (void)state;
    struct told told = {.most = 1};
    struct text_findings findings;
    assert_false(scan("#include \"a\"\n#include \"b\"", false, &told, &findings));
    assert_string_equal(told.text, "named:a");
}

static void words_of_an_option_count(void **state)
{
    (void)state;
    struct told told = {.text = ""};
    struct text_scan scan = {.name = add_name, .word = add_word, .context = &told};
    text_scan_words(&scan, "-DSTAMP=__DATE__");
    assert_string_equal(told.text, "DSTAMP __DATE__");
    assert_true(scan.findings.dated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_names_are_told),
        cmocka_unit_test(what_only_a_preprocessor_sees_is_flagged),
        cmocka_unit_test(a_scan_is_stopped),
        cmocka_unit_test(words_of_an_option_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
