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

/* Where U is defined, as "path:line"; "" if nowhere. */
static void expect_at(const char *path, const char *text, const char *folder, const char *wanted)
{
    struct macro_definition u = {.name = "U and more", .name_length = 1};
    bool complete;
    char got[256] = "";
    assert_true(define_scan(path, text, strlen(text), folder, &u, 1, &complete));
    if (u.path)
        snprintf(got, sizeof got, "%s:%u", u.path, u.line);
    if (strcmp(got, wanted) != 0)
        fail_msg("<%s>: '%s', and not '%s'", text, got, wanted);
    free(u.path);
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
        {"#define U", "s.cu:1"},
        {"\n\n  #  define\tU 3\n", "s.cu:3"},
        {"#define UU 3\n#define u 3\n#define V U\n", ""},
        {"#undef U\n#define U(x) x\n", "s.cu:2"},
        {"#define U 1\n#define U 2\n", "s.cu:2"},
        {"#define U 1\n#ifndef U\n#define U 2\n#endif\n", "s.cu:1"},
        {"#ifndef U\n#define U 2\n#endif\n", "s.cu:2"},
        {"#ifndef U\n#define U 2\n#endif\n#define U 1\n", "s.cu:4"},
        {"#ifndef GUARD\n#define GUARD\n#define U 2\n#endif\n", "s.cu:3"},
        {"// #define U 1\n", ""},
        {"// joined \\\n#define U 1\n", ""},
        {"/* \n#define U 1\n*/", ""},
        {"/* \n*/ #define U 1\n", "s.cu:2"},
        {"#/**/define/* \n */U 1\n", "s.cu:2"},
        {"x = \"/*\";\n#define U 1\n// */", "s.cu:2"},
        {"x = \"\\\"/*\";\n#define U 1\n// */", "s.cu:2"},
        {"x \\\n#define U 1\n", ""},
        {"#define V \\\r\n 1\r\n#define U 1\r\n", "s.cu:3"},
        {"/* open\n#define U 1\n", ""},
        {"\"open\n#define U 1\n", "s.cu:2"},
        {"#include \"absent.h\"\n#include \"\n#include <\n#include\n#include X\n#define U 1\n", "s.cu:6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_at("s.cu", cases[i].text, NULL, cases[i].wanted);
}

static void expect_complete(const char *text, bool wanted)
{
    bool complete = !wanted;
    assert_true(define_scan("s.cu", text, strlen(text), "/nowhere", NULL, 0, &complete));
    if (complete != wanted)
        fail_msg("<%s> is %s", text, complete ? "complete" : "incomplete");
}

static void test_completeness(void **state)
{
    (void)state;
    static const char *const incomplete[] = {"#include <math.h>", "#include \"absent.h\"", "#include NAME",
                                             "x = R\"(/*)\";\n",  "%:define U 1",          "\?\?=define U 1",
                                             "#define \\u0055 1", "#include_next <a>"};
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
    snprintf(wanted, sizeof wanted, "%s/part/b.h:3", folder);
    expect_at(path, "#include \"part/a.h\"\n", NULL, wanted);
    expect_at(path, "#define U 1\n#include <part/a.h>\n", NULL, wanted);
    expect_at("s.cu", "#include \"part/a.h\"\n", NULL, "");
    expect_at("s.cu", "#include \"part/a.h\"\n", folder, wanted);
    snprintf(wanted, sizeof wanted, "%s/itself.h:1", folder);
    expect_at(path, "#include \"itself.h\"\n", NULL, wanted);
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
        struct macro_definition u = {.name = "U", .name_length = 1};
        bool complete;
        char *copy = malloc(length ? length : 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        assert_true(define_scan("s.cu", copy, length, NULL, &u, 1, &complete));
        free(u.path);
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
