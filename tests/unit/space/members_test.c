/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/solution_fixture.h"

#include "tuner/space/members.h"
#include "tuner/space/solve.h"

enum { MEMBERS = 3 };

/* One varies A and B, one varies A and sets B, one varies C. */
static const char *const TEXTS[MEMBERS] = {
    "param B = [1, 2]\nparam A = [8, 2, 4]\nwhere A % B == 0\nwhere A * B != 8\n",
    "param A = [4, 16]\nset B = 3\n",
    "param C = [\"y\", \"x\"]\n",
};

/* The value of a template's parameter at a member's point; unset if the member does not have it. */
static struct value value_in(const struct domain *domain, size_t slot, const uint16_t *point)
{
    const struct domain_parameter *parameter = domain_parameter_of_slot(domain, slot);
    return parameter ? domain_value(parameter, point) : (struct value){.kind = VALUE_UNSET};
}

static void test_union(void **state)
{
    (void)state;
    static struct space_fixture fixtures[MEMBERS];
    struct domain domains[MEMBERS];
    struct search_space *space;
    static const char *const names[] = {"A", "B", "C"};
    static const size_t positions[] = {5, 4, 3}; /* 2 4 8 16 -; 1 2 3 -; y x - */
    size_t total = 0;
    for (size_t i = 0; i < MEMBERS; i++) {
        space_fixture_create(&fixtures[i], TEXTS[i]);
        assert_true(solve(&fixtures[i].domain, NULL, 0, 1000, NULL));
        domains[i] = fixtures[i].domain;
    }
    assert_true(members_search_space(fixtures[0].parsed.template, domains, MEMBERS, &space, NULL));
    assert_int_equal(search_space_dimensions(space), 3);
    for (size_t d = 0; d < 3; d++) {
        assert_string_equal(search_space_name(space, d), names[d]);
        assert_int_equal(search_space_positions(space, d), positions[d]);
        assert_int_equal(search_space_value(space, d, positions[d] - 1).kind, VALUE_UNSET);
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        for (size_t k = 0; k < domains[i].count; k++, total++) {
            uint16_t own[8], point[3];
            size_t index;
            domain_point(&domains[i], k, own);
            search_space_point(space, total, point);
            for (size_t d = 0; d < 3; d++) {
                struct value value = search_space_value(space, d, point[d]);
                struct value expected = value_in(&domains[i], fixtures[0].parsed.template->parameters[d].slot, own);
                assert_int_equal(value.kind, expected.kind);
                assert_true(value.kind == VALUE_UNSET || value_equal(value, expected));
            }
            assert_true(search_space_find(space, point, &index));
            assert_int_equal(index, total);
        }
    }
    assert_int_equal(total, 4 + 2 + 2);
    assert_int_equal(search_space_count(space), total);
    search_space_free(space);
    for (size_t i = 0; i < MEMBERS; i++)
        space_fixture_free(&fixtures[i]);
}

/* Each member has few enough values of A, but together they have one too many. */
static void test_too_many_values(void **state)
{
    (void)state;
    static struct space_fixture fixtures[2];
    struct domain domains[2];
    struct search_space *space;
    struct error error;
    space_fixture_create(&fixtures[0], "param A = range(65530)\n");
    space_fixture_create(&fixtures[1], "param A = range(65525, 65536)\n");
    for (size_t i = 0; i < 2; i++) {
        assert_true(solve(&fixtures[i].domain, NULL, 0, 100000, NULL));
        domains[i] = fixtures[i].domain;
    }
    assert_false(members_search_space(fixtures[0].parsed.template, domains, 2, &space, &error));
    assert_mentions(error.text, "parameter A 65536 values in all; at most 65535");
    assert_true(members_search_space(fixtures[0].parsed.template, domains, 1, &space, &error));
    assert_int_equal(search_space_count(space), 65530);
    search_space_free(space);
    space_fixture_free(&fixtures[0]);
    space_fixture_free(&fixtures[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_union),
        cmocka_unit_test(test_too_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
