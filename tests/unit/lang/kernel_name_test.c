/* SPDX-License-Identifier: Apache-2.0 */
/* Names in namespaces and template arguments: which are C++ and which are values. */
#include "tests/unit/lang/templates.h"

#include "tuner/lang/kernel_name.h"

#define HEAD "template t\nsize n = 16\nparameter B\nparameter TYPE\nsource \"k.cu\"\nbuffer x : float[n] temp\n"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        const char *arguments[4]; /* values after =, C++ as it is */
    } cases[] = {
        {"k<<<1, 1>>>(x)", "k", {0}},
        {"ns::k<<<1, 1>>>(x)", "ns::k", {0}},
        {"a::b::k<><<<1, 1>>>(x)", "a::b::k", {0}},
        {"k<B, float><<<1, 1>>>(x)", "k", {"=B", "float"}},
        {"k< 2 * B + 1 , TYPE ><<<1, 1>>>(x)", "k", {"=2 * B + 1", "=TYPE"}},
        {"k<(B if n > 4 else 1), true, -1><<<1, 1>>>(x)", "k", {"=(B if n > 4 else 1)", "=true", "=-1"}},
        {"k<min(B, 4), max, device.sm_count><<<1, 1>>>(x)", "k", {"=min(B, 4)", "max", "=device.sm_count"}},
        {"ns::k<A<B<int>>><<<1, 1>>>(x)", "ns::k", {"A<B<int>>"}},
        {"k<std::pair<int, const float *>, 4><<<1, 1>>>(x)", "k", {"std::pair<int,const float*>", "=4"}},
        {"k<unsigned int, uint, ulong, long><<<1, 1>>>(x)",
         "k",
         {"unsigned int", "unsigned int", "unsigned long long", "long"}},
        {"k<\"ops::plus<(1)>\", half><<<1, 1>>>(x)", "k", {"ops::plus<(1)>", "half"}},
        {"copy<64><<<1, 1>>>(x)", "copy", {"=64"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char whole[1024];
        snprintf(whole, sizeof whole, HEAD "launch { %s }\n", cases[i].text);
        struct template *t = parse_template_text(whole);
        const struct statement *s = t->launch.body.statements;
        assert_int_equal(t->launch.body.count, 1);
        assert_string_equal(s->name, cases[i].name);
        assert_int_equal(s->is_template, strchr(strstr(cases[i].text, cases[i].name), '<')[1] != '<');
        assert_int_equal(s->argument_count, 1);
        for (size_t j = 0; j < 4; j++) {
            const char *wanted = cases[i].arguments[j];
            assert_int_equal(j < s->template_argument_count, wanted != NULL);
            if (wanted && *wanted == '=')
                expect_expr(s->template_arguments[j].value, wanted + 1);
            else if (wanted)
                assert_string_equal(s->template_arguments[j].text, wanted);
        }
        template_free(t);
    }
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "launch { k<x><<<1, 1>>>(x) }\n", "x is a buffer, not a value");
    expect_refused(HEAD "launch { k<B > 4><<<1, 1>>>(x) }\n", "expected '<<<', found '4'");
    expect_refused(HEAD "launch { k<B == 4><<<1, 1>>>(x) }\n", "expected '>', found '=='");
    expect_refused(HEAD "launch { k<float; int><<<1, 1>>>(x) }\n", "unexpected character ;");
    expect_refused(HEAD "launch { k<float(int)><<<1, 1>>>(x) }\n", "expected '(', found ')'");
    expect_refused(HEAD "launch { k<\"a, b\"><<<1, 1>>>(x) }\n", "this is no template argument");
    expect_refused(HEAD "launch { k<A\n><<<1, 1>>>(x) }\n",
                   "expected the rest of a C++ type, found the end of the line");
    expect_refused(HEAD "launch { ns:k<<<1, 1>>>(x) }\n", "unknown statement ns");
    expect_refused(HEAD "launch { ns::<<<1, 1>>>(x) }\n", "expected the name of a kernel, found '<<<'");
    char name[1200];
    memset(name, 'a', sizeof name);
    for (size_t i = 100; i < sizeof name; i += 100)
        memcpy(name + i, "::", 2);
    char whole[2048];
    snprintf(whole, sizeof whole, HEAD "launch { %.1150s<<<1, 1>>>(x) }\n", name);
    expect_refused(whole, "a kernel's name is longer than 1000 characters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
