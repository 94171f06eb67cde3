/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/sizes.h"

#include <stdlib.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 100 if device.kind == \"cpu\" else 4096\nsize m = 2 * n\nsize k = 3\nawkward m = n // 3\n" \
    "awkward n = 7\nparameter A\nsource \"k.cu\"\nbuffer y : float[n * m] out\nbuffer z : float[n // (A - A)] "      \
    "temp\n"                                                                                                         \
    "launch { k<<<1, 1>>>(y, z) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

struct evaluated {
    struct fixture fixture;
    struct size_setting sizes[SIZES_COUNT][3];
};

static bool evaluate_given(struct evaluated *e, const struct given_sizes *given)
{
    struct size_setting *const sizes[] = {e->sizes[0], e->sizes[1]};
    return sizes_evaluate(e->fixture.template, &e->fixture.device, given, sizes, &e->fixture.error);
}

static bool evaluate(struct evaluated *e, const struct size_setting *settings, size_t count)
{
    return evaluate_given(e, &(struct given_sizes){.settings = settings, .count = count});
}

/* Settings in any order; defaults and awkward sizes read the sizes before them. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        struct size_setting settings[2];
        size_t count;
        const char *kind;
        int64_t tuned[3], awkward[3];
    } cases[] = {
        {{{0}}, 0, "cuda", {4096, 8192, 3}, {7, 2, 3}},
        {{{0}}, 0, "cpu", {100, 200, 3}, {7, 2, 3}},
        {{{"n", 50}}, 1, "cuda", {50, 100, 3}, {7, 2, 3}},
        {{{"k", 9}, {"m", 1}}, 2, "cuda", {4096, 1, 9}, {7, 2, 9}},
    };
    static const char *const names[] = {"n", "m", "k"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct evaluated e;
        fixture_parse(&e.fixture, TEMPLATE, NULL);
        snprintf(e.fixture.device.kind, sizeof e.fixture.device.kind, "%s", cases[i].kind);
        assert_success(evaluate(&e, cases[i].settings, cases[i].count), &e.fixture.error);
        for (size_t s = 0; s < 3; s++) {
            assert_string_equal(e.sizes[SIZES_TUNED][s].name, names[s]);
            assert_string_equal(e.sizes[SIZES_AWKWARD][s].name, names[s]);
            assert_int_equal(e.sizes[SIZES_TUNED][s].value, cases[i].tuned[s]);
            assert_int_equal(e.sizes[SIZES_AWKWARD][s].value, cases[i].awkward[s]);
        }
        fixture_free(&e.fixture);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        struct size_setting settings[2];
        size_t count;
        const char *text, *hint;
    } cases[] = {
        {{{"n", 0}}, 1, "size n is 0", "sizes must be positive integers"},
        {{{"width", 4}}, 1, "template t has no size width", "its sizes are n, m, k"},
        {{{"n", 4}, {"n", 4}}, 2, "size n is given twice", ""},
        {{{"n", INT64_MAX}}, 1, "too large", ""},                    /* twice that */
        {{{"n", (int64_t)1 << 32}}, 1, "too large", "m=8589934592"}, /* 2^65 elements */
        {{{"n", 1 << 30}, {"m", (int64_t)1 << 31}}, 2, "buffer y has 2305843009213693952 elements", "n=1073741824"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct evaluated e;
        fixture_parse(&e.fixture, TEMPLATE, NULL);
        assert_false(evaluate(&e, cases[i].settings, cases[i].count));
        assert_int_equal(e.fixture.error.code, ERROR_INPUT);
        assert_mentions(e.fixture.error.text, cases[i].text);
        assert_mentions(e.fixture.error.hint, cases[i].hint);
        fixture_free(&e.fixture);
    }
}

/* A default that is below 1. */
static void test_bad_default(void **state)
{
    (void)state;
    struct evaluated e;
    fixture_parse(&e.fixture,
                  "template t\nsize n = 4\nsize m = n - 4\nparameter A\nsource \"k.cu\"\nbuffer y : float[n] out\n"
                  "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
                  NULL);
    assert_false(evaluate(&e, NULL, 0));
    assert_string_equal(e.fixture.error.text, "size m is 0; sizes must be positive integers");
    assert_int_equal(e.fixture.error.line, 3);
    fixture_free(&e.fixture);
}

/* It follows from the others at both sizes; --size may only repeat it. */
static void test_derived(void **state)
{
    (void)state;
    static const char text[] =
        "template t\nsize n = 100\nsize e = 3 * n\nawkward n = 7\nparameter A\nsource \"k.cu\"\n"
        "buffer s : int[n + 1] in\nbuffer c : int[e] in\nmatrix M[n, n, e] = csr(s, c)\n"
        "setup \"s.cu\" { if not given(M) { k<<<1, 1>>>(s, c) } }\nlaunch { k<<<1, 1>>>(s, c) }\n";
    static const struct {
        struct size_setting settings[2];
        size_t count;
        int64_t tuned;
        const char *text;
    } cases[] = {
        {{{0}}, 0, 300, NULL},
        {{{"n", 5}}, 1, 15, NULL},
        {{{"n", 5}, {"e", 15}}, 2, 15, NULL},
        {{{"e", 300}}, 1, 300, NULL},
        {{{"n", 5}, {"e", 300}}, 2, 0, "size e is 15 here, not 300"},
        {{{"width", 5}}, 1, 0, "template t has no size width"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct evaluated e;
        fixture_parse(&e.fixture, text, NULL);
        if (cases[i].text) {
            assert_false(evaluate(&e, cases[i].settings, cases[i].count));
            assert_string_equal(e.fixture.error.text, cases[i].text);
            assert_true(i != 5 || strcmp(e.fixture.error.hint, "its sizes are n") == 0); /* those to set */
        } else {
            assert_success(evaluate(&e, cases[i].settings, cases[i].count), &e.fixture.error);
            assert_int_equal(e.sizes[SIZES_TUNED][1].value, cases[i].tuned);
            assert_int_equal(e.sizes[SIZES_AWKWARD][1].value, 21);
        }
        fixture_free(&e.fixture);
    }
}

/* A program says what its own matrix has: all of it, and nothing that no matrix has. */
static void test_own_matrix(void **state)
{
    (void)state;
    static const char text[] =
        "template t\nsize n = 100\nsize e = 3 * n\nsize l = 2 * e\nawkward n = 7\nparameter A\nsource \"k.cu\"\n"
        "buffer s : int[n + 1] in\nbuffer c : int[e] in\nmatrix M[n, 2 * n, e, l] = csr(s, c)\n"
        "setup \"s.cu\" { if not given(M) { k<<<1, 1>>>(s, c) } }\nlaunch { k<<<1, 1>>>(s, c) }\n";
    static const struct {
        struct size_setting settings[3];
        size_t count;
        int64_t entries, longest;
        const char *text;
    } cases[] = {
        {{{"n", 5}}, 1, 15, 30, NULL},
        {{{"n", 5}, {"e", 15}, {"l", 30}}, 3, 15, 30, NULL}, /* as the template says, which may be a bound */
        {{{"l", 9}, {"e", 42}, {"n", 5}}, 3, 42, 9, NULL},
        {{{"e", 20000}, {"l", 200}}, 2, 20000, 200, NULL}, /* every place */
        {{{"e", 1}, {"l", 1}}, 2, 1, 1, NULL},
        {{{"e", 300}}, 1, 0, 0, "size l of matrix M is not given, but e is"},
        {{{"l", 9}}, 1, 0, 0, "size e of matrix M is not given, but l is"},
        {{{"e", 0}, {"l", 1}}, 2, 0, 0, "size e is 0"},
        {{{"e", 20001}, {"l", 200}}, 2, 0, 0, "size e is 20001, but matrix M, 100 x 200, has no room for so many"},
        {{{"e", 20000}, {"l", 201}}, 2, 0, 0, "size l is 201, but a row of matrix M has at most 200 entries"},
        {{{"e", 8}, {"l", 9}}, 2, 0, 0, "size l is 9, but a row of matrix M has at most 8 entries"},
        {{{"e", 801}, {"l", 8}}, 2, 0, 0, "size l is 8, but 100 rows of matrix M have 801 entries"},
        {{{"e", INT64_MAX}, {"l", INT64_MAX}}, 2, 0, 0, "size e is 9223372036854775807, but matrix M"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct evaluated e;
        const struct given_sizes given = {cases[i].settings, cases[i].count, .own_matrices = true};
        fixture_parse(&e.fixture, text, NULL);
        if (cases[i].text) {
            assert_false(evaluate_given(&e, &given));
            assert_mentions(e.fixture.error.text, cases[i].text);
        } else {
            assert_success(evaluate_given(&e, &given), &e.fixture.error);
            assert_int_equal(e.sizes[SIZES_TUNED][1].value, cases[i].entries);
            assert_int_equal(e.sizes[SIZES_TUNED][2].value, cases[i].longest);
            assert_int_equal(e.sizes[SIZES_AWKWARD][1].value, 21); /* setup makes that one */
        }
        fixture_free(&e.fixture);
    }
}

static void test_settable(void **state)
{
    (void)state;
    struct evaluated e;
    struct size_setting settable[3];
    fixture_parse(&e.fixture,
                  "template t\nsize n = 100\nsize e = 3 * n\nsize m = 2\nparameter A\nsource \"k.cu\"\n"
                  "buffer s : int[n + 1] in\nbuffer c : int[e] in\nmatrix M[n, n, e] = csr(s, c)\n"
                  "setup \"s.cu\" { if not given(M) { k<<<1, 1>>>(s, c) } }\nlaunch { k<<<1, 1>>>(s, c) }\n",
                  NULL);
    assert_success(evaluate(&e, NULL, 0), &e.fixture.error);
    assert_int_equal(sizes_settable(e.fixture.template, e.sizes[SIZES_TUNED], settable), 2);
    assert_true(strcmp(settable[0].name, "n") == 0 && settable[0].value == 100);
    assert_true(strcmp(settable[1].name, "m") == 0 && settable[1].value == 2);
    fixture_free(&e.fixture);
}

static void test_text(void **state)
{
    (void)state;
    static const struct size_setting sizes[] = {{"M", 4096}, {"N", 1}, {"K", INT64_MAX}};
    static const char *const expected[] = {"", "M=4096", "M=4096,N=1", "M=4096,N=1,K=9223372036854775807"};
    for (size_t count = 0; count <= 3; count++) {
        char *text = sizes_text(sizes, count);
        assert_string_equal(text, expected[count]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_errors),     cmocka_unit_test(test_bad_default),
        cmocka_unit_test(test_derived), cmocka_unit_test(test_own_matrix), cmocka_unit_test(test_settable),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
