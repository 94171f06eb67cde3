/* SPDX-License-Identifier: Apache-2.0 */
/* Which included files take the place of their #include, in folders made for the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/inclusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tune-inclusion-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run(const char *format)
{
    char command[200];
    assert_true(snprintf(command, sizeof command, format, folder) < (int)sizeof command);
    assert_int_equal(system(command), 0);
}

static int open_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    run("cd %s && mkdir parts elsewhere");
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    run("rm -r %s");
    return 0;
}

/* Put the folder in place of each @. */
static char *placed(const char *text)
{
    static char result[2000];
    size_t used = 0;
    for (; *text; text++)
        used += (size_t)snprintf(result + used, sizeof result - used, *text == '@' ? "%s" : "%.1s",
                                 *text == '@' ? folder : text);
    result[used] = '\0';
    return result;
}

/* Of a source "k.cu" there, with the folder "elsewhere" in an option. */
static void expect(const char *text, const char *expected)
{
    char path[200], option[200];
    const char *options[] = {"-O1", option};
    size_t length;
    struct error error;
    snprintf(path, sizeof path, "%s/k.cu", folder);
    snprintf(option, sizeof option, "-I%s/elsewhere", folder);
    const struct compile_request request = {
        .path = path, .text = text, .length = strlen(text), .folder = folder, .options = options, .option_count = 2};
    char *got = inclusion_expand(&request, &length, &error);
    assert_non_null(got);
    assert_int_equal(length, strlen(got));
    assert_string_equal(got, placed(expected));
    free(got);
}

static void only_what_has_to_be_rewritten_is_taken(void **state)
{
    (void)state;
    write_file("plain.cuh", "int plain;\n");
    write_file("parts/shared.cuh", "extern __shared__ int s[];");
    write_file("parts/launch.cuh", "void f() { k<<<1, 1>>>(); }\n");
    write_file("elsewhere/cluster.cuh", "void __cluster_dims__(2) k();\n");
    expect("#include \"plain.cuh\"\n#include <stdint.h>\n#include \"absent.cuh\"\nint i;",
           "#include \"plain.cuh\"\n#include <stdint.h>\n#include \"absent.cuh\"\nint i;");
    expect("int a;\n#include \"parts/shared.cuh\" // s\nint b;\n",
           "int a;\n#line 1 \"@/parts/shared.cuh\"\nextern __shared__ int s[];\n#line 3 \"@/k.cu\"\nint b;\n");
    expect(" # include <parts/launch.cuh>\n#include <cluster.cuh>",
           "#line 1 \"@/parts/launch.cuh\"\nvoid f() { k<<<1, 1>>>(); }\n\n#line 2 \"@/k.cu\"\n"
           "#line 1 \"@/elsewhere/cluster.cuh\"\nvoid __cluster_dims__(2) k();\n\n#line 3 \"@/k.cu\"\n");
    expect("/*\n#include \"parts/shared.cuh\"\n*/ char c = '\"'; // /*\n\"/*\"\n#define X \"#include\"\n",
           "/*\n#include \"parts/shared.cuh\"\n*/ char c = '\"'; // /*\n\"/*\"\n#define X \"#include\"\n");
}

/* Its neighbours that are the compiler's are found no more where they were. */
static void a_file_is_taken_with_what_leads_to_it(void **state)
{
    (void)state;
    write_file("parts/beside.cuh", "int beside;\n");
    write_file("parts/outer.cuh",
               "#pragma once\n#include \"beside.cuh\"\n#include \"shared.cuh\"\n#include \"plain.cuh\"\n");
    expect("#include \"parts/outer.cuh\"\n#include \"parts/outer.cuh\"\n",
           "#line 1 \"@/parts/outer.cuh\"\n\n#include \"@/parts/beside.cuh\"\n#line 1 \"@/parts/shared.cuh\"\n"
           "extern __shared__ int s[];\n#line 4 \"@/parts/outer.cuh\"\n#include \"plain.cuh\"\n\n#line 2 \"@/k.cu\"\n"
           "#line 3 \"@/k.cu\"\n");
}

/* A cycle ends, since every level is one deeper. */
static void cycles_end(void **state)
{
    (void)state;
    char path[200];
    size_t length;
    struct error error;
    write_file("cycle.cuh", "#ifndef C\n#define C\n#include \"cycle.cuh\"\n#endif\nextern __shared__ int s[];\n");
    static const char text[] = "#include \"cycle.cuh\"\n";
    snprintf(path, sizeof path, "%s/k.cu", folder);
    const struct compile_request request = {.path = path, .text = text, .length = sizeof text - 1};
    char *got = inclusion_expand(&request, &length, &error);
    assert_non_null(got);
    assert_non_null(strstr(got, "extern __shared__"));
    assert_true(length < 100000);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_has_to_be_rewritten_is_taken),
        cmocka_unit_test(a_file_is_taken_with_what_leads_to_it),
        cmocka_unit_test(cycles_end),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
