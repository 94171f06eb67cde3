/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/lint.h"

#include <stdio.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 4\nparameter A\nparameter B\nparameter C\nlet whole = n * 2\n"                             \
    "source \"k.cu\"\nbuffer y : float[n] out\n"                                                                     \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

struct notes {
    size_t count;
    enum lint_kind kinds[16];
    char texts[16][512];
};

static void note(void *context, enum lint_kind kind, struct place place, const char *text)
{
    struct notes *notes = context;
    assert_non_null(place.file);
    assert_true(notes->count < 16);
    notes->kinds[notes->count] = kind;
    snprintf(notes->texts[notes->count++], sizeof *notes->texts, "%s", text);
}

/* The one finding of a space, or none if `expected` is NULL. */
static void check(const char *text, enum lint_kind kind, const char *expected)
{
    struct fixture fixture;
    struct notes notes = {0};
    char space[1000];
    snprintf(space, sizeof space, "space s of t\n%s", text);
    fixture_parse(&fixture, TEMPLATE, space);
    fixture.device.l2_bytes = 0;
    assert_success(fixture_try(&fixture), &fixture.error);
    assert_success(lint_problem(fixture.problem, note, &notes, &fixture.error), &fixture.error);
    if (notes.count != (expected != NULL))
        fail_msg("%zu findings, the first \"%s\", in\n%s", notes.count, notes.texts[0], text);
    if (expected) {
        assert_int_equal(notes.kinds[0], kind);
        assert_string_equal(notes.texts[0], expected);
    }
    fixture_free(&fixture);
}

static void test_nothing_to_find(void **state)
{
    (void)state;
    check("param A = [1, 2, 4]\nparam B = [4, 2, 1]\nset C = 7\nlet p = A * B\nwhere p <= 4\n", LINT_KINDS, NULL);
    check("param A = [1]\n", LINT_KINDS, NULL); /* a single value is written down, not left over */
}

static void test_each(void **state)
{
    (void)state;
    check("param A = [4, 2, 4]\n", LINT_REPEATED_VALUE, "A has the value 4 more than once");
    check("param A = [1, 1.0]\n", LINT_REPEATED_VALUE, "A has the value 1.0 more than once");
    check("param A = [1, 2]\nlet q = A + 1\n", LINT_UNUSED_LET, "q is never used");
    check("param A = [1, 2]\nparam B = [1, 2]\nwhere A > 1\n", LINT_SINGLE_VALUE,
          "A has no effect: it is 2 in every valid configuration");
    check("param A = [1, 2, 3]\nwhere A != 2\n", LINT_DEAD_VALUE, "no valid configuration has A = 2");
    check("param A = [1, 2, 3]\nwhere A < whole\n", LINT_IDLE,
          "this constraint has no effect: those before it remove all that it would");
    check("param A = [1, 2]\nparam B = [1, 2]\nwhere A * B - device.l2_bytes < 4\n", LINT_UNKNOWN_LIMIT,
          "this constraint reads device.l2_bytes, which is unknown (0) for Test GPU");
}

/* In the template, of which every configuration fails. */
static void test_unwritten(void **state)
{
    (void)state;
    struct fixture fixture;
    struct notes notes = {0};
    fixture_create(&fixture,
                   TEMPLATE "buffer z : float[n] out\ncheck z below 1\nbuffer w : float[n] inout index()\n"
                            "check w below 1\n",
                   NULL);
    assert_true(lint_problem(fixture.problem, note, &notes, NULL));
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.kinds[0], LINT_UNWRITTEN);
    assert_string_equal(notes.texts[0], "nothing writes z: no launch passes it to a kernel");
    fixture_free(&fixture);
}

/* Dead values are listed as far as they fit. */
static void test_many_dead_values(void **state)
{
    (void)state;
    struct fixture fixture;
    struct notes notes = {0};
    size_t listed = 1, more;
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = range(1000)\nwhere A % 500 == 0\n");
    assert_true(lint_problem(fixture.problem, note, &notes, NULL));
    assert_int_equal(notes.count, 1);
    for (const char *at = notes.texts[0]; *at; at++)
        listed += *at == ',';
    assert_int_equal(sscanf(strstr(notes.texts[0], " and "), " and %zu more", &more), 1);
    assert_int_equal(listed + more, 998);
    fixture_free(&fixture);
}

/* A problem without a space has no findings. All kinds have different names. */
static void test_edges(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE, NULL);
    assert_true(lint_problem(fixture.problem, note, NULL, NULL));
    fixture_free(&fixture);
    for (enum lint_kind a = 0; a < LINT_KINDS; a++) {
        for (enum lint_kind b = 0; b < a; b++)
            assert_string_not_equal(lint_kind_name(a), lint_kind_name(b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_find),  cmocka_unit_test(test_each),  cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_many_dead_values), cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
