/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

/* Parameters are in the template's order, columns in the space's; a set parameter has none. */
static void test_order(void **state)
{
    (void)state;
    struct space_fixture fixture;
    const uint16_t start[] = {2, 1};
    uint16_t point[] = {2, 1};
    space_fixture_create(&fixture, "param D = [7, 8, 9]\nset B = n + 1\nparam A = [1, 2]\n");
    const struct domain *domain = &fixture.domain;
    static const char *const names[] = {"A", "B", "D"};
    static const int64_t values[] = {2, 7, 9};
    static const size_t indices[] = {1, 0, 2};
    assert_int_equal(domain->parameter_count, 3);
    assert_int_equal(domain->depth, 2);
    assert_true(domain_cartesian(domain) == 6);
    for (size_t i = 0; i < 3; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        assert_string_equal(parameter->declaration->name, names[i]);
        assert_int_equal(parameter->fixed, i == 1);
        assert_int_equal(domain_value(parameter, point).integer, values[i]);
        assert_int_equal(domain_get(parameter, point), indices[i]);
        assert_ptr_equal(domain_parameter_of_slot(domain, parameter->declaration->slot), parameter);
        domain_put(parameter, point, 0);
        assert_int_equal(domain_get(parameter, point), 0);
        domain_put(parameter, point, indices[i]);
    }
    assert_memory_equal(point, start, sizeof point);
    assert_null(domain_parameter_of_slot(domain, 9999));
    space_fixture_free(&fixture);
}

/* The first of equal values stays. Numbers of different kinds may be equal; strings and numbers mix. */
static void test_duplicates(void **state)
{
    (void)state;
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param A = [3, \"b\", 1, 3.0, true, \"a\", 0.5, \"b\", 1, -0.0, 0]\n");
    const struct domain_parameter *parameter = space_fixture_variable(&fixture, 0);
    const struct value expected[] = {value_integer(3),  value_string("b"), value_integer(1),
                                     value_string("a"), value_float(0.5),  value_float(0)};
    assert_int_equal(parameter->count, 6);
    for (size_t i = 0; i < 6; i++) {
        size_t index;
        assert_int_equal(parameter->values[i].kind, expected[i].kind);
        assert_true(value_equal(parameter->values[i], expected[i]));
        assert_true(domain_index(parameter, expected[i], &index));
        assert_int_equal(index, i);
    }
    size_t ignored;
    assert_true(domain_index(parameter, value_float(3), &ignored));
    assert_false(domain_index(parameter, value_integer(4), &ignored));
    assert_false(domain_index(parameter, value_string("1"), &ignored));
    space_fixture_free(&fixture);
}

/* Slots hold the device, the tuned or awkward sizes and the point's values, but no lets. */
static void test_slots(void **state)
{
    (void)state;
    struct space_fixture fixture;
    const uint16_t point[] = {1};
    size_t slot;
    space_fixture_create(&fixture, "param A = [1, 2]\nset B = \"x\"\nlet q = A\nwhere A > 1 and n > 5\n"
                                   "where 1 // (A - 2) > 0\n");
    const struct domain *domain = &fixture.domain;
    const struct scope *scope = domain->space->scope;
    struct value *slots = calloc(domain->slot_count, sizeof *slots);
    static const int64_t sizes[] = {6, 5};
    for (size_t which = 0; which < SIZES_COUNT; which++) {
        domain_slots(domain, point, which, slots);
        assert_true(scope_find(scope, "n", &slot));
        assert_int_equal(slots[slot].integer, sizes[which]);
        assert_true(scope_find(scope, "A", &slot));
        assert_int_equal(slots[slot].integer, 2);
        assert_true(scope_find(scope, "B", &slot));
        assert_string_equal(slots[slot].string, "x");
        assert_true(scope_find(scope, "device.sm_count", &slot));
        assert_int_equal(slots[slot].integer, 132);
        assert_true(scope_find(scope, "q", &slot));
        assert_int_equal(slots[slot].kind, VALUE_UNSET);
        assert_int_equal(domain_judge(domain, 0, slots), which == SIZES_TUNED ? VERDICT_PASSED : VERDICT_REMOVED);
        assert_int_equal(domain_judge(domain, 1, slots), VERDICT_UNDECIDED);
    }
    free(slots);
    space_fixture_free(&fixture);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"param A = range(3, 3)\n", "parameter A has no values"},
        {"param A = range(65536)\n", "parameter A has 65536 values; at most 65535 are supported"},
        {"param A = [1, n // 0]\n", "division by zero"},
        {"set A = n // 0\n", "division by zero"},
        {"param A = [1]\ndefault A = 1 // 0\n", "division by zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture parsed;
        struct domain domain;
        struct size_setting sizes[SIZES_COUNT][1] = {{{"n", 6}}, {{"n", 5}}};
        struct size_setting *const pointers[] = {sizes[0], sizes[1]};
        char text[200];
        snprintf(text, sizeof text, "space s of t\n%s", cases[i].text);
        fixture_parse(&parsed, SPACE_TEMPLATE, text);
        assert_false(domain_prepare(&domain, parsed.template, parsed.space, &parsed.device, pointers, &parsed.error));
        assert_mentions(parsed.error.text, cases[i].message);
        assert_true(parsed.error.line >= 2);
        domain_clear(&domain);
        fixture_free(&parsed);
    }
}

/* 65535 values are allowed. */
static void test_most_values(void **state)
{
    (void)state;
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param A = range(65535, 0, -1)\n");
    assert_int_equal(space_fixture_variable(&fixture, 0)->count, 65535);
    assert_int_equal(space_fixture_variable(&fixture, 0)->values[0].integer, 65535);
    space_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),  cmocka_unit_test(test_duplicates),  cmocka_unit_test(test_slots),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_most_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
