/* SPDX-License-Identifier: Apache-2.0 */
/* A sample of a space: every variant and, in each, the smallest and largest value of every parameter. */
#include "tests/unit/fixture.h"

#include "tuner/check/sample.h"

#include <jansson.h>
#include <stdlib.h>

static const char template_text[] = "template kernel \"a kernel\"\n"
                                    "size n = 1000\n"
                                    "parameter VARIANT \"which\"\n"
                                    "parameter BLOCK \"threads\"\n"
                                    "parameter ITEMS \"of a thread\"\n"
                                    "source \"kernel.cu\"\n"
                                    "buffer y : float[n] out\n"
                                    "launch {\n"
                                    "    kernel<<<ceil_div(n, BLOCK), BLOCK>>>(y)\n"
                                    "}\n"
                                    "reference \"reference.cu\" {\n"
                                    "    reference<<<1, 1>>>(ref(y))\n"
                                    "}\n"
                                    "check y exact\n";
static const char space_text[] = "space all of kernel\n"
                                 "param VARIANT = [\"one\", \"two\", \"three\"]\n"
                                 "param BLOCK = [32, 64, 96, 128, 160, 192, 224, 256]\n"
                                 "param ITEMS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                                 "where VARIANT != \"two\" or BLOCK <= 128\n";

struct corners {
    int64_t block_low, block_high, items_low, items_high;
    size_t count;
};

static void widen(struct corners *corners, int64_t block, int64_t items)
{
    if (corners->count++ == 0)
        *corners = (struct corners){block, block, items, items, 1};
    corners->block_low = block < corners->block_low ? block : corners->block_low;
    corners->block_high = block > corners->block_high ? block : corners->block_high;
    corners->items_low = items < corners->items_low ? items : corners->items_low;
    corners->items_high = items > corners->items_high ? items : corners->items_high;
}

static void look(const struct problem *problem, const size_t *list, size_t count, const char *variant,
                 struct corners *corners)
{
    for (size_t i = 0; i < count; i++) {
        char *text = problem_configuration_text(problem, list[i]);
        const char *name;
        json_int_t block, items;
        json_t *json = json_loads(text, 0, NULL);
        assert_int_equal(json_unpack(json, "{s:s, s:I, s:I}", "VARIANT", &name, "BLOCK", &block, "ITEMS", &items), 0);
        if (strcmp(name, variant) == 0)
            widen(corners, block, items);
        json_decref(json);
        free(text);
    }
}

static void variants_and_corners_are_there(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t block_high;
    } variants[] = {{"one", 256}, {"two", 128}, {"three", 256}};
    struct fixture fixture;
    size_t *list, count;
    fixture_create(&fixture, template_text, space_text);
    assert_success(sample_choose(fixture.problem, 0, 1, &list, &count, &fixture.error), &fixture.error);
    assert_true(count <= SAMPLE_USUAL);
    for (size_t i = 0; i < 3; i++) {
        struct corners corners = {0};
        look(fixture.problem, list, count, variants[i].name, &corners);
        assert_int_equal(corners.block_low, 32);
        assert_int_equal(corners.block_high, variants[i].block_high);
        assert_int_equal(corners.items_low, 1);
        assert_int_equal(corners.items_high, 10);
    }
    free(list);
    fixture_free(&fixture);
}

static void as_many_as_wanted_and_none_twice(void **state)
{
    (void)state;
    struct fixture fixture;
    size_t *list, count;
    fixture_create(&fixture, template_text, space_text);
    assert_success(sample_choose(fixture.problem, 150, 1, &list, &count, &fixture.error), &fixture.error);
    assert_int_equal(count, 150);
    for (size_t i = 0; i < count; i++) {
        assert_true(list[i] < problem_configuration_count(fixture.problem));
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(list[i], list[j]);
    }
    free(list);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_and_corners_are_there),
        cmocka_unit_test(as_many_as_wanted_and_none_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
