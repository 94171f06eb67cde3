/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/define_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What happens to U: + defined, ? a default, - removed, i an include; with the line, and the path if it is another.
 */
static void expect_at(const char *path, const char *text, const char *folder, const char *wanted)
{
    static const struct macro_name u = {"U and more", 1};
    struct define_scan scan;
    char got[512] = "";
    assert_true(define_scan(path, text, strlen(text), folder, &u, 1, &scan));
    for (size_t i = 0; i < scan.count; i++) {
        const struct macro_event *event = &scan.events[i];
        char kind = event->kind == MACRO_INCLUDED  ? 'i'
                    : event->kind == MACRO_REMOVED ? '-'
                    : event->is_default            ? '?'
                                                   : '+';
        size_t length = strlen(got);
        assert_int_equal(event->in_source, strcmp(event->path, path) == 0);
        assert_true(!event->in_source || event->end <= strlen(text));
        snprintf(got + length, sizeof got - length, "%s%c%s%s%u", length ? " " : "", kind,
                 event->in_source ? "" : event->path, event->in_source ? "" : ":", event->line);
    }
    define_scan_clear(&scan);
    if (strcmp(got, wanted) != 0)
        fail_msg("<%s>: '%s', and not '%s'", text, got, wanted);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", ""},
        {"#", ""},
        {"#define", ""},
        {"#define U", "+1"},
        {"\n\n  #  define\tU 3\n", "+3"},
        {"%:define U 3\n", "+1"},
        {"#define UU 3\n#define u 3\n#define V U\n", ""},
        {"#undef U\n#define U(x) x\n", "-1 +2"},
        {"#define U 1\n#define U 2\n", "+1 +2"},
        {"#define U 1\n#ifndef U\n#define U 2\n#endif\n", "+1 ?3"},
        {"#ifndef U\n\n// x\n#define U 2\n#endif\n", "?4"},
        {"#ifndef U\n#else\n#define U 2\n#endif\n", "+3"},
        {"#ifndef U\n#if 1\n#define U 2\n#endif\n#endif\n#define U 2\n", "?3 +6"},
        {"#if !defined(U)\n#define U 2\n#elif 1\n#define U 3\n#endif\n", "?2 +4"},
        {"#if ! defined U // x\n#define U 2\n#endif\n", "+2"},
        {"#if !defined(U) || X\n#define U 2\n#endif\n", "+2"},
        {"#ifndef GUARD\n#define GUARD\n#define U 2\n#endif\n", "+3"},
        {"#pragma pop_macro(\"U\")\n#pragma pop_macro(\"V\")\n", "-3"},
        {"_Pragma(\"pop_macro(\\\"U\\\")\")", "-1"},
        {"#pragma push_macro(\"U\")\n", ""},
        {"// #define U 1\n", ""},
        {"// joined \\\n#define U 1\n", ""},
        {"/* \n#define U 1\n*/", ""},
        {"/* \n*/ #define U 1\n", "+2"},
        {"#/**/define/* \n */U 1\n", "+2"},
        {"x = \"/*\";\n#define U 1\n// */", "+2"},
        {"x = \"\\\"/*\";\n#define U 1\n// */", "+2"},
        {"x \\\n#define U 1\n", ""},
        {"#define V \\\r\n 1\r\n#define U 1\r\n", "+3"},
        {"/* open\n#define U 1\n", ""},
        {"\"open\n#define U 1\n", "+2"},
        {"#include \"absent.h\"\n#include \"\n#include <\n#include\n#include X\n#define U 1\n", "i1 i2 i3 i4 i5 +6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_at("s.cu", cases[i].text, NULL, cases[i].wanted);
}

static void expect_complete(const char *text, bool wanted)
{
    struct define_scan scan;
    assert_true(define_scan("s.cu", text, strlen(text), "/nowhere", NULL, 0, &scan));
    if (scan.complete != wanted)
        fail_msg("<%s> is %s", text, scan.complete ? "complete" : "incomplete");
    define_scan_clear(&scan);
}

static void test_completeness(void **state)
{
    (void)state;
    static const char *const incomplete[] = {"#include <math.h>", "#include \"absent.h\"", "#include NAME",
                                             "x = R\"(/*)\";\n",  "\?\?=define U 1",       "#define \\u0055 1",
                                             "#include_next <a>"};
    expect_complete("", true);
    expect_complete("#define U 1\n// #include <math.h>\n", true);
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++)
        expect_complete(incomplete[i], false);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_includes(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-scan-XXXXXX", path[64], wanted[128], command[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/part", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    put(folder, "part/a.h", "#include \"b.h\"\n");
    put(folder, "part/b.h", "\n\n#define U 3\n");
    put(folder, "itself.h", "#define U 3\n#include \"itself.h\"\n");
    snprintf(path, sizeof path, "%s/s.cu", folder);
    snprintf(wanted, sizeof wanted, "+%s/part/b.h:3 i1", folder);
    expect_at(path, "#include \"part/a.h\"\n", NULL, wanted);
    expect_at("s.cu", "#include \"part/a.h\"\n", NULL, "i1");
    expect_at("s.cu", "#include \"part/a.h\"\n", folder, wanted);
    snprintf(wanted, sizeof wanted, "+1 +%s/part/b.h:3 i2", folder);
    expect_at(path, "#define U 1\n#include <part/a.h>\n", NULL, wanted);
    snprintf(wanted, sizeof wanted, "+%s/itself.h:1 ", folder);
    put(folder, "itself.h", "#define U 3\n#include \"again.h\"\n");
    put(folder, "again.h", "");
    wanted[strlen(wanted) - 1] = '\0';
    strcat(wanted, " i1");
    expect_at(path, "#include \"itself.h\"\n", NULL, wanted);
    put(folder, "itself.h", "#include \"itself.h\"\n");
    expect_at(path, "#include \"itself.h\"\n", NULL, "i1");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Every beginning of a text, in memory of just that size. */
static void test_ends(void **state)
{
    (void)state;
    static const char text[] =
        "#if/**/1\n#include \"x\\\"\n\"a\\\"b\" // c \\\r\n d\n/* e */#define /*\n*/ U \\\n 3\n'";
    for (size_t length = 0; length < sizeof text; length++) {
        static const struct macro_name u = {"U", 1};
        struct define_scan scan;
        char *copy = malloc(length ? length : 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        assert_true(define_scan("s.cu", copy, length, NULL, &u, 1, &scan));
        define_scan_clear(&scan);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_completeness),
        cmocka_unit_test(test_includes),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
