/* SPDX-License-Identifier: Apache-2.0 */
/* The changes to the user's text before the host's compiler reads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/rewrite.h"

#include <stdlib.h>
#include <string.h>

static void assert_rewritten(const char *text, const char *expected)
{
    char *got = NULL;
    size_t bytes = 0;
    struct rewritten rewritten;
    FILE *stream = open_memstream(&got, &bytes);
    assert_non_null(stream);
    assert_true(rewrite_source(text, strlen(text), &(struct rewrite_to){.text = stream}, &rewritten));
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(got, expected);
    free(got);
}

static void the_text_changes_only_where_it_must(void **state)
{
    (void)state;
    assert_rewritten("// extern __shared__ int a[];\nconst char *s = \"extern __shared__ int a[];\";\n",
                     "// extern __shared__ int a[];\nconst char *s = \"extern __shared__ int a[];\";\n");
    assert_rewritten("R\"x(extern __shared__ int a[];)\" )x\" int n = 1'000; char c = '\"';\n",
                     "R\"x(extern __shared__ int a[];)\" )x\" int n = 1'000; char c = '\"';\n");
    assert_rewritten("void f() { extern __shared__ float a[]; }",
                     "void f() {   float (&a)[] = tune_dynamic_shared(); }");
    assert_rewritten("extern \"C\" {\nextern __shared__ int a[];\nvoid f() {}\n}\n",
                     "extern \"C\" {\nstatic thread_local   int (*a); TUNE_BIND(a)\nvoid f() {}\n}\n");
    assert_rewritten("extern int a[]; extern \"C\" void f(); extern __shared__ int b[4];",
                     "extern int a[]; extern \"C\" void f(); extern __shared__ int b[4];");
    assert_rewritten("#pragma unroll 4\n#pragma unroll (N) // all\n#  pragma unroll\n#pragma once\n",
                     "TUNE_UNROLL(4)\nTUNE_UNROLL((N))\nTUNE_UNROLL_ALL\n#pragma once\n");
    assert_rewritten(
        "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nextern __shared__ int a[];\n",
        "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nstatic thread_local   int (*a); TUNE_BIND(a)\n");
}

static size_t declared_alignment(const char *text)
{
    struct rewritten rewritten;
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    assert_true(rewrite_source(text, strlen(text), &(struct rewrite_to){.text = stream}, &rewritten));
    assert_int_equal(fclose(stream), 0);
    return rewritten.shared_alignment;
}

static void assert_clusters(const char *text, const char *expected, const char *clusters)
{
    char *got = NULL, *list = NULL;
    size_t bytes = 0, list_bytes = 0;
    struct rewritten rewritten;
    FILE *stream = open_memstream(&got, &bytes), *lines = open_memstream(&list, &list_bytes);
    assert_true(stream && lines);
    assert_true(rewrite_source(text, strlen(text), &(struct rewrite_to){stream, lines, NULL}, &rewritten));
    assert_int_equal(fclose(stream) + fclose(lines), 0);
    assert_string_equal(got, expected);
    assert_string_equal(list, clusters);
    free(got);
    free(list);
}

static void clusters_of_kernels_are_listed(void **state)
{
    (void)state;
    assert_clusters("__global__ void __cluster_dims__(2, 1, 1) k(float *x) { k2(x); }",
                    "__global__ void  k(float *x) { k2(x); }", "TUNE_CLUSTER_OF(k, 2, 1, 1)\n");
    assert_clusters(
        "template <int N>\n__global__ __cluster_dims__ (C(4),\n 1) void\n__launch_bounds__(N * (2), 1) k_2(",
        "template <int N>\n__global__ \n void\n__launch_bounds__(N * (2), 1) k_2(",
        "TUNE_CLUSTER_OF(k_2, C(4), 1)\n");
    assert_clusters("#define A __cluster_dims__(2)\nint __cluster_dims__(2);",
                    "#define A __cluster_dims__(2)\nint __cluster_dims__(2);", "");
}

static void assert_launches(const char *text, const char *expected, const char *launched)
{
    char *got = NULL, *list = NULL;
    size_t bytes = 0, list_bytes = 0;
    struct rewritten rewritten;
    FILE *stream = open_memstream(&got, &bytes), *lines = open_memstream(&list, &list_bytes);
    assert_true(stream && lines);
    assert_true(rewrite_source(text, strlen(text), &(struct rewrite_to){stream, NULL, lines}, &rewritten));
    assert_int_equal(fclose(stream) + fclose(lines), 0);
    assert_string_equal(got, expected);
    assert_string_equal(list, launched);
    free(got);
    free(list);
}

static void launches_become_expressions_and_are_listed(void **state)
{
    (void)state;
    assert_launches("void f() { k<<<g, b>>>(x); }", "void f() { k->*tune_shape(\"k\", g, b)(x); }", "\"k\",\n");
    assert_launches("a::k<int, f<2>>\n<<<1 << 2,\n(x >> 1),\n0>>>(x)",
                    "a::k<int, f<2>>\n->*tune_shape(\"a::k\", 1 << 2,\n(x >> 1),\n0)(x)", "\"a::k\",\n");
    assert_launches("f[i]<<<1, 1>>>(); g<h<i<j>>> y;", "f[i]->*tune_shape(\"?\", 1, 1)(); g<h<i<j>>> y;", "\"?\",\n");
    assert_launches("// k<<<1, 1>>>()\nchar *s = \"<<<>>>\";\n#define L k<<<1, 1>>>()\n",
                    "// k<<<1, 1>>>()\nchar *s = \"<<<>>>\";\n#define L k<<<1, 1>>>()\n", "");
}

/* The largest counts; what is no plain number is as much as there can be. */
static void dynamic_shared_memory_keeps_its_alignment(void **state)
{
    (void)state;
    assert_int_equal(declared_alignment("extern __shared__ float a[];"), 0);
    assert_int_equal(declared_alignment("__shared__ __align__(64) int b[4]; extern __shared__ float a[];"), 0);
    assert_int_equal(declared_alignment("extern __shared__ __align__(64) float a[];"), 64);
    assert_int_equal(declared_alignment("extern __shared__ alignas( 0x80u /* x */ ) char a[];"), 128);
    assert_int_equal(declared_alignment("void f() { extern __align__(16) __shared__ int a[]; }\n"
                                        "void g() { extern __shared__ __align__(256) int a[]; }\n"
                                        "void h() { extern __shared__ __align__(8) int a[]; }\n"),
                     256);
    assert_int_equal(declared_alignment("extern __shared__ alignas(double) char a[];"), 1024);
    assert_int_equal(declared_alignment("extern __shared__ alignas(64 + 64) char a[];"), 1024);
    assert_int_equal(declared_alignment("extern __shared__ alignas(4096) char a[];"), 1024);
    assert_int_equal(declared_alignment("extern __shared__ alignas(3) char a[];"), 1024);
}

/* Rewriting any text terminates and keeps the number of lines. */
static void unfinished_text_is_left_to_the_compiler(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\"",
        "'\\",
        "R\"(",
        "R\"abcdefghijklmnopqrstuvwxyz",
        "/*",
        "extern",
        "extern __shared__ int a[",
        "#",
        "#if",
        "#pragma unroll",
        "#include <",
        "extern __shared__ __align__(",
        "}}}}",
        "#else\n#endif\n{",
        "extern __shared__ a[]",
        "\\",
        "#define A \\",
        "extern __shared__ __align__(\n16) int\n a // of the block\n[\n];",
        "#pragma unroll \\\n 4 \\\n /* or\n more */\n",
        "#include \\\n <cuda\\\nfp.h>\n",
        "__cluster_dims__(2,\n1)\n void\nk(",
        "__cluster_dims__(",
        "<<<",
        "k<<<1,\n1\n>>>",
        "k<<<<<<>>>>>>",
        "a\n><<<\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *got = NULL;
        size_t bytes = 0;
        struct rewritten rewritten;
        FILE *stream = open_memstream(&got, &bytes), *nowhere = fopen("/dev/null", "w");
        assert_true(stream && nowhere);
        const struct rewrite_to to = {stream, nowhere, nowhere};
        assert_true(rewrite_source(texts[i], strlen(texts[i]), &to, &rewritten));
        assert_int_equal(fclose(stream) + fclose(nowhere), 0);
        size_t before = 0, after = 0;
        for (const char *c = texts[i]; *c; c++)
            before += *c == '\n';
        for (const char *c = got; *c; c++)
            after += *c == '\n';
        assert_int_equal(before, after);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_changes_only_where_it_must),
        cmocka_unit_test(clusters_of_kernels_are_listed),
        cmocka_unit_test(launches_become_expressions_and_are_listed),
        cmocka_unit_test(dynamic_shared_memory_keeps_its_alignment),
        cmocka_unit_test(unfinished_text_is_left_to_the_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
