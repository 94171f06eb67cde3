/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spaces whose configurations have little in common: a hash of all parameters decides. They are counted by loops
 * here, take no more memory than their list, and are found, numbered and walked like others.
 */
#include "tests/unit/fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 3 };

struct sparse {
    const char *text;
    size_t positions[DIMENSIONS];
    bool (*valid)(uint16_t a, uint16_t b, uint16_t c);
};

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 1\nparameter A\nparameter B\nparameter C\n"                                                \
    "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

static bool hashed(uint16_t a, uint16_t b, uint16_t c)
{
    return ((a * a * 7919 ^ b * 104729 ^ c * 1299709) + a * c) % 101 == 1;
}

static bool hashed_wide(uint16_t a, uint16_t b, uint16_t c)
{
    return (a * 7919 + b * b * 31 + c) % 503 == 1;
}

static bool hashed_in_half(uint16_t a, uint16_t b, uint16_t c)
{
    return (a * 7919 ^ b * b * 31) % 11 == 1 && (c * 5 + a) % 4 < 3;
}

static const struct sparse SPARSE[] = {
    {"param A = range(64)\nparam B = range(60)\nparam C = range(50)\n"
     "where ((A * A * 7919 ^ B * 104729 ^ C * 1299709) + A * C) % 101 == 1\n",
     {64, 60, 50},
     hashed},
    {"param A = range(300)\nparam B = range(290)\nparam C = range(3)\n"
     "where (A * 7919 + B * B * 31 + C) % 503 == 1\n",
     {300, 290, 3},
     hashed_wide},
    {"param C = range(20)\nparam A = range(70)\nparam B = range(80)\n"
     "where (A * 7919 ^ B * B * 31) % 11 == 1 and (C * 5 + A) % 4 < 3\n",
     {70, 80, 20},
     hashed_in_half},
};

static size_t packed_bytes(const struct sparse *sparse)
{
    size_t bytes = 0;
    for (int d = 0; d < DIMENSIONS; d++)
        bytes += sparse->positions[d] > 256 ? 2 : 1;
    return bytes;
}

/* Values are positions here. */
static void check_points(const struct search_space *space, const struct sparse *sparse)
{
    size_t count = search_space_count(space), found = 0;
    bool *seen = calloc(count + 1, sizeof *seen);
    for (uint16_t a = 0; a < sparse->positions[0]; a++) {
        for (uint16_t b = 0; b < sparse->positions[1]; b++) {
            for (uint16_t c = 0; c < sparse->positions[2]; c++) {
                uint16_t point[DIMENSIONS] = {a, b, c}, back[DIMENSIONS];
                size_t index;
                bool valid = sparse->valid(a, b, c);
                assert_int_equal(search_space_find(space, point, &index), valid);
                if (!valid)
                    continue;
                found++;
                assert_true(index < count && !seen[index]);
                seen[index] = true;
                search_space_point(space, index, back);
                assert_memory_equal(point, back, sizeof point);
            }
        }
    }
    assert_int_equal(found, count);
    free(seen);
}

static void check_lines(const struct search_space *space, const struct sparse *sparse)
{
    size_t indices[512];
    for (size_t trial = 0; trial < 200; trial++) {
        uint16_t point[DIMENSIONS];
        for (size_t d = 0; d < DIMENSIONS; d++)
            point[d] = (uint16_t)(trial * (13 + 8 * d) % sparse->positions[d]);
        for (size_t d = 0; d < DIMENSIONS; d++) {
            uint16_t other[DIMENSIONS];
            memcpy(other, point, sizeof other);
            search_space_line(space, point, d, indices);
            for (other[d] = 0; other[d] < sparse->positions[d]; other[d]++) {
                size_t index = SEARCH_SPACE_NONE;
                if (sparse->valid(other[0], other[1], other[2]))
                    assert_true(search_space_find(space, other, &index));
                assert_true(indices[other[d]] == index);
            }
        }
    }
}

static void test_sparse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SPARSE / sizeof *SPARSE; i++) {
        struct fixture fixture;
        char text[400];
        snprintf(text, sizeof text, "space s of t\n%s", SPARSE[i].text);
        fixture_create(&fixture, TEMPLATE, text);
        const struct search_space *space = problem_search_space(fixture.problem);
        assert_true(search_space_count(space) > 400);
        assert_true(2 * search_space_bytes(space) < 3 * packed_bytes(&SPARSE[i]) * search_space_count(space));
        check_points(space, &SPARSE[i]);
        check_lines(space, &SPARSE[i]);
        fixture_free(&fixture);
    }
}

/* `possible`: some configuration has these values, so they can be the default. */
static void check_default(uint16_t b, uint16_t c, bool possible)
{
    struct fixture fixture;
    char text[400];
    size_t index;
    bool named;
    snprintf(text, sizeof text, "space s of t\n%sdefault B = %u, C = %u\n", SPARSE[0].text, (unsigned)b, (unsigned)c);
    fixture_create(&fixture, TEMPLATE, text);
    assert_true(problem_default(fixture.problem, &index, &named));
    assert_int_equal(named, possible);
    uint16_t point[DIMENSIONS];
    search_space_point(problem_search_space(fixture.problem), index, point);
    assert_true(hashed(point[0], point[1], point[2]));
    if (possible)
        assert_true(point[1] == b && point[2] == c);
    fixture_free(&fixture);
}

static void test_defaults(void **state)
{
    (void)state;
    for (uint16_t b = 0; b < 60; b += 7) {
        for (uint16_t c = 0; c < 50; c += 9) {
            bool possible = false;
            for (uint16_t a = 0; a < 64; a++)
                possible = possible || hashed(a, b, c);
            check_default(b, c, possible);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
