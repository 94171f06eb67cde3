/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions evaluated for a configuration: absent ones, errors, and lets that have no value. */
#include "tests/unit/fixture.h"

#include "tuner/job/lowering.h"
#include "tuner/lang/scope.h"

#include <stdlib.h>

/* The options' conditions are the expressions. */
static const char template_text[] = "template t\nsize n = 7\nparameter A\n"
                                    "let broken = n // (A - 5)\nlet twice = 2 * A\n"
                                    "source \"k.cu\"\noption \"0\" if A + n\noption \"1\" if A / 2\n"
                                    "option \"2\" if A > n\noption \"3\" if broken + 1\noption \"4\" if twice\n"
                                    "option \"5\" if device.kind\n"
                                    "buffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                                    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n";

struct made {
    struct fixture fixture;
    struct lowering lowering;
    struct error error;
};

static void make(struct made *made)
{
    fixture_create(&made->fixture, template_text, "space s of t\nset A = 5\n");
    made->lowering =
        (struct lowering){.template = made->fixture.template, .space = made->fixture.space, .error = &made->error};
    made->lowering.slots = calloc(scope_count(made->fixture.space->scope) + 1, sizeof *made->lowering.slots);
    assert_non_null(made->lowering.slots);
    assert_success(problem_slots(made->fixture.problem, 0, false, made->lowering.slots, &made->error), &made->error);
}

static void clear(struct made *made)
{
    free(made->lowering.slots);
    fixture_free(&made->fixture);
}

static const struct expr *expr_of(const struct made *made, size_t index)
{
    return made->fixture.template->options[index].condition;
}

static void test_values(void **state)
{
    (void)state;
    struct made made;
    struct value value;
    int64_t integer;
    double number;
    bool truth;
    make(&made);
    assert_true(lowering_value(&made.lowering, expr_of(&made, 0), &value) && value.integer == 12);
    assert_true(lowering_integer(&made.lowering, expr_of(&made, 0), 99, &integer) && integer == 12);
    assert_true(lowering_number(&made.lowering, expr_of(&made, 1), 99, &number) && number == 2.5);
    assert_true(lowering_truth(&made.lowering, expr_of(&made, 2), true, &truth) && !truth);
    assert_true(lowering_integer(&made.lowering, expr_of(&made, 4), 99, &integer) && integer == 10);
    clear(&made);
}

static void test_absent(void **state)
{
    (void)state;
    struct made made;
    int64_t integer;
    double number;
    bool truth;
    make(&made);
    assert_true(lowering_integer(&made.lowering, NULL, -3, &integer) && integer == -3);
    assert_true(lowering_number(&made.lowering, NULL, 0.25, &number) && number == 0.25);
    assert_true(lowering_truth(&made.lowering, NULL, true, &truth) && truth);
    assert_true(lowering_truth(&made.lowering, NULL, false, &truth) && !truth);
    clear(&made);
}

/* An expression fails with its own error; one that reads a let without a value, with the let's, at its place (line
 * 4). */
static void test_errors(void **state)
{
    (void)state;
    struct made made;
    int64_t integer;
    double number;
    bool truth;
    struct value value;
    make(&made);
    assert_false(lowering_integer(&made.lowering, expr_of(&made, 1), 0, &integer)); /* 2.5 */
    assert_int_equal(made.error.line, 8);
    assert_false(lowering_number(&made.lowering, expr_of(&made, 5), 0, &number));
    assert_int_equal(made.error.line, 12);
    for (size_t i = 0; i < 4; i++) {
        made.error = (struct error){0};
        assert_false(i == 0   ? lowering_value(&made.lowering, expr_of(&made, 3), &value)
                     : i == 1 ? lowering_integer(&made.lowering, expr_of(&made, 3), 0, &integer)
                     : i == 2 ? lowering_number(&made.lowering, expr_of(&made, 3), 0, &number)
                              : lowering_truth(&made.lowering, expr_of(&made, 3), true, &truth));
        assert_mentions(made.error.text, "zero");
        assert_int_equal(made.error.line, 4);
    }
    clear(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
