/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spaces of 10^12 configurations and more, whose numbers are known: products of groups that have no constraint in
 * common, each counted by loops here. Nothing of them is listed.
 */
#include "tests/unit/fixture.h"

#include "tuner/space/neighbours.h"

#include <stdio.h>
#include <stdlib.h>

#define REST                                                                                                         \
    "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

enum { GROUPS = 5, DIMENSIONS = 3 * GROUPS };

/* Groups of three parameters X, Y, Z: X divides Y, and X * Z is at most 500. */
static size_t group_count(void)
{
    size_t count = 0;
    for (int x = 1; x <= 40; x++) {
        for (int y = 1; y <= 64; y++) {
            for (int z = 0; z < 7; z++)
                count += y % x == 0 && x * (1 << z) <= 500;
        }
    }
    return count;
}

static void create(struct fixture *fixture)
{
    char *template, *space;
    size_t lengths[2];
    FILE *t = open_memstream(&template, &lengths[0]), *s = open_memstream(&space, &lengths[1]);
    assert_true(t && s);
    fprintf(t, "template t\nsize n = 1\n");
    fprintf(s, "space s of t\n");
    for (const char *name = "XYZ"; *name; name++) {
        for (int g = 0; g < GROUPS; g++) {
            fprintf(t, "parameter %c%d\n", *name, g);
            fprintf(s, "param %c%d = %s\n", *name, g,
                    *name == 'X'   ? "range(40, 0, -1)"
                    : *name == 'Y' ? "range(1, 65)"
                                   : "pow2(1, 64)");
        }
    }
    for (int g = 0; g < GROUPS; g++)
        fprintf(s, "where Y%d %% X%d == 0 and X%d * Z%d <= 500\n", g, g, g, g);
    fputs(REST, t);
    assert_true(fclose(t) == 0 && fclose(s) == 0);
    fixture_create(fixture, template, space);
    free(template);
    free(space);
}

static int64_t value_at(const struct search_space *space, const uint16_t *point, char letter, int group)
{
    char name[8];
    size_t d;
    snprintf(name, sizeof name, "%c%d", letter, group);
    assert_true(search_space_dimension(space, name, &d));
    return search_space_value(space, d, point[d]).integer;
}

static bool is_valid(const struct search_space *space, const uint16_t *point)
{
    for (int g = 0; g < GROUPS; g++) {
        int64_t x = value_at(space, point, 'X', g);
        if (value_at(space, point, 'Y', g) % x != 0 || x * value_at(space, point, 'Z', g) > 500)
            return false;
    }
    return true;
}

static size_t power(size_t base, int exponent)
{
    size_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

static void test_factored(void **state)
{
    (void)state;
    struct fixture fixture;
    create(&fixture);
    const struct search_space *space = problem_search_space(fixture.problem);
    size_t count = power(group_count(), GROUPS);
    assert_true(count > (size_t)1000000000000);
    assert_true(problem_configuration_count(fixture.problem) == count);
    assert_true(search_space_count(space) == count);
    assert_true(search_space_bytes(space) < 100000);
    for (size_t i = 0; i < 2000; i++) {
        uint16_t point[DIMENSIONS];
        size_t wanted = i < 1000 ? (count / 1000) * i + i * i : count - 1 - (i - 1000), index = 0;
        search_space_point(space, wanted, point);
        assert_true(is_valid(space, point));
        assert_true(search_space_find(space, point, &index));
        assert_true(index == wanted);
        size_t d = i % DIMENSIONS;
        point[d] = (uint16_t)((point[d] + 1 + i % 5) % search_space_positions(space, d));
        assert_int_equal(search_space_find(space, point, &index), is_valid(space, point));
    }
    for (size_t d = 0; d < DIMENSIONS; d++) {
        for (size_t p = 1; p < search_space_positions(space, d); p++)
            assert_true(search_space_value(space, d, p - 1).integer < search_space_value(space, d, p).integer);
    }
    double left = problem_cartesian_count(fixture.problem);
    for (size_t i = 0; i < GROUPS; i++) {
        struct constraint_report report;
        problem_constraint_report(fixture.problem, i, &report);
        left *= (double)group_count() / (40 * 64 * 7);
        double before = left / ((double)group_count() / (40 * 64 * 7));
        assert_true(report.removed > (before - left) * 0.999999 && report.removed < (before - left) * 1.000001);
    }
    fixture_free(&fixture);
}

/* Neighbours by definition: each other position of each dimension, judged by the constraints. */
static size_t expected_neighbours(const struct search_space *space, enum neighbourhood kind, const uint16_t *point,
                                  size_t *expected)
{
    uint16_t other[DIMENSIONS];
    size_t count = 0;
    for (size_t d = 0; d < DIMENSIONS; d++) {
        size_t line[128], valid = 0, below = 0;
        memcpy(other, point, sizeof other);
        for (size_t p = 0; p < search_space_positions(space, d); p++) {
            other[d] = (uint16_t)p;
            if (p == point[d] || !is_valid(space, other))
                continue;
            assert_true(search_space_find(space, other, &line[valid++]));
            below += p < point[d];
        }
        for (size_t i = 0; i < valid; i++) {
            if (kind == NEIGHBOURS_HAMMING || i + 1 == below || i == below)
                expected[count++] = line[i];
        }
    }
    return count;
}

static void test_neighbours(void **state)
{
    (void)state;
    struct fixture fixture;
    create(&fixture);
    const struct search_space *space = problem_search_space(fixture.problem);
    size_t total = search_space_count(space);
    for (int i = 0; i < 20; i++) {
        size_t index = (total / 20) * (size_t)i + (size_t)i * 12345;
        uint16_t point[DIMENSIONS];
        for (int kind = NEIGHBOURS_HAMMING; kind <= NEIGHBOURS_ADJACENT; kind++) {
            size_t most = neighbours_most(space, (enum neighbourhood)kind);
            size_t *found = calloc(most, sizeof *found), *expected = calloc(most, sizeof *expected);
            size_t count = neighbours_list(space, (enum neighbourhood)kind, index, point, found);
            assert_int_equal(count, expected_neighbours(space, (enum neighbourhood)kind, point, expected));
            assert_memory_equal(found, expected, count * sizeof *found);
            free(found);
            free(expected);
        }
    }
    fixture_free(&fixture);
}

/* More than 2^63 configurations cannot be numbered, and work is limited: both are errors. */
static void test_too_large(void **state)
{
    (void)state;
    struct fixture fixture;
    char template[1024] = "template t\nsize n = 1\n", space[2048] = "space s of t\n";
    for (const char *name = "ABCDEFG"; *name; name++) {
        snprintf(template + strlen(template), sizeof template - strlen(template), "parameter %c\n", *name);
        snprintf(space + strlen(space), sizeof space - strlen(space), "param %c = range(1, 1025)\n", *name);
    }
    snprintf(template + strlen(template), sizeof template - strlen(template), "%s", REST);
    fixture_parse(&fixture, template, space);
    assert_false(fixture_try(&fixture));
    assert_mentions(fixture.error.text, "1.18e+21 valid configurations");
    fixture_free(&fixture);

    snprintf(space + strlen(space), sizeof space - strlen(space),
             "where (A * 7919 + B * 104729 + C * 1299709 + D * 15485863) %% 1000003 == 1\n"
             "where (D * 7919 + E * 104729 + F * 1299709 + G * 15485863) %% 1000003 == 1\n");
    fixture_parse(&fixture, template, space);
    assert_false(problem_create_within(fixture.template, fixture.space, &fixture.device, NULL, 0, 1000000,
                                       &fixture.problem, &fixture.error));
    assert_mentions(fixture.error.text, "cannot be counted");
    assert_mentions(fixture.error.text, "1 million");
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factored),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
