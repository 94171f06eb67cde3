/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/slots.h"

static struct value value_of(const struct space_fixture *fixture, const struct value *slots, const char *name)
{
    size_t slot;
    assert_true(scope_find(fixture->domain.space->scope, name, &slot));
    return slots[slot];
}

static size_t slot_of(const struct space_fixture *fixture, const char *name)
{
    size_t slot;
    assert_true(scope_find(fixture->domain.space->scope, name, &slot));
    return slot;
}

static void test_device(void **state)
{
    (void)state;
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param A = [1]\n");
    struct value *slots = calloc(fixture.domain.slot_count, sizeof *slots);
    slots_set_device(fixture.domain.space->scope, &fixture.parsed.device, slots);
    assert_string_equal(value_of(&fixture, slots, "device.kind").string, "cuda");
    assert_string_equal(value_of(&fixture, slots, "device.name").string, "Test GPU");
    assert_string_equal(value_of(&fixture, slots, "device.architecture").string, "sm_90");
    assert_int_equal(value_of(&fixture, slots, "device.max_block_z").integer, 64);
    assert_int_equal(value_of(&fixture, slots, "device.memory_bytes").integer, 1 << 30);
    assert_int_equal(value_of(&fixture, slots, "A").kind, VALUE_UNSET);
    free(slots);
    space_fixture_free(&fixture);
}

/* A let that cannot be evaluated has no value, nor does one that needs it. */
static void test_lets(void **state)
{
    (void)state;
    struct space_fixture fixture;
    const uint16_t point[] = {0};
    space_fixture_create(&fixture, "param A = [0]\nlet broken = half // A\nlet reads = broken + 1\n"
                                   "let avoids = 5 if A == 0 else reads\n");
    const struct domain *domain = &fixture.domain;
    struct value *slots = calloc(domain->slot_count, sizeof *slots);
    domain_slots(domain, point, SIZES_TUNED, slots);
    assert_int_equal(slots_let_count(domain->template, NULL), 1);
    assert_int_equal(slots_let_count(domain->template, domain->space), 4);
    assert_string_equal(slots_let(domain->template, domain->space, 0)->name, "half");
    assert_string_equal(slots_let(domain->template, domain->space, 3)->name, "avoids");
    slots[slot_of(&fixture, "broken")] = value_integer(77); /* left from before */
    slots_set_lets(domain->template, domain->space, slots);
    assert_int_equal(value_of(&fixture, slots, "half").integer, 3);
    assert_int_equal(value_of(&fixture, slots, "broken").kind, VALUE_UNSET);
    assert_int_equal(value_of(&fixture, slots, "reads").kind, VALUE_UNSET);
    assert_int_equal(value_of(&fixture, slots, "avoids").integer, 5);
    free(slots);
    space_fixture_free(&fixture);
}

/* Directly, and through lets that read lets. */
static void test_reads(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool first, second;
    } cases[] = {{"A", true, false},    {"B", false, true}, {"C", false, false}, {"n", true, false},
                 {"half", true, false}, {"p", true, false}, {"q", true, false}};
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param A = [1]\nparam B = [1]\nparam C = [1]\nlet p = A + half\nlet q = p * 2\n"
                                   "let unread = C\nwhere q > 0\nwhere B > 0\n");
    const struct domain *domain = &fixture.domain;
    bool *first = calloc(domain->slot_count, sizeof *first), *second = calloc(domain->slot_count, sizeof *second);
    slots_mark(domain->template, domain->space, domain->space->constraints[0].condition, first);
    slots_mark(domain->template, domain->space, domain->space->constraints[1].condition, second);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t slot = slot_of(&fixture, cases[i].name);
        assert_int_equal(first[slot], cases[i].first);
        assert_int_equal(second[slot], cases[i].second);
    }
    free(first);
    free(second);
    space_fixture_free(&fixture);
}

/* The error is that of the let at the root of the failure. */
static void test_blame(void **state)
{
    (void)state;
    struct space_fixture fixture;
    struct error error;
    struct value value;
    const uint16_t point[] = {0};
    space_fixture_create(&fixture, "param A = [0]\nlet root = 6 // A\nlet middle = root + 1\nlet other = 7 % A\n"
                                   "where middle > 2\n");
    const struct domain *domain = &fixture.domain;
    const struct expr *condition = domain->space->constraints[0].condition;
    struct value *slots = calloc(domain->slot_count, sizeof *slots);
    domain_slots(domain, point, SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    assert_false(expr_evaluate(condition, slots, &value, &error));
    assert_int_equal(error.line, 6);
    assert_false(slots_blame(domain->template, domain->space, condition, slots, &error));
    assert_mentions(error.text, "division by zero");
    assert_int_equal(error.line, 3);
    free(slots);
    space_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_lets),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_blame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
