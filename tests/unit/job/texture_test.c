/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of textures as a job holds them, through JSON, and what they are refused for. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/texture.h"

#include <jansson.h>

static void expect_shapes(const struct job *job)
{
    const struct job_step *step = &job->cases[JOB_TUNED].launch.steps[0];
    static const struct texture_shape shapes[] = {
        {.dimensions = 0, .extent = {64, 1, 1}},
        {.dimensions = 2, .extent = {9, 7, 1}, .linear = true, .normalized = true, .address = ADDRESS_MIRROR},
        {.surface = true, .dimensions = 3, .extent = {4, 4, 4}},
    };
    assert_int_equal(step->argument_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct texture_shape *shape = &step->arguments[i].texture, *wanted = &shapes[i];
        assert_int_equal(shape->surface, wanted->surface);
        assert_int_equal(shape->dimensions, wanted->dimensions);
        assert_int_equal(shape->extent.x, wanted->extent.x);
        assert_int_equal(shape->extent.y, wanted->extent.y);
        assert_int_equal(shape->extent.z, wanted->extent.z);
        assert_int_equal(shape->linear, wanted->linear);
        assert_int_equal(shape->normalized, wanted->normalized);
        assert_int_equal(shape->address, wanted->address);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("", "k<<<1, 1>>>(texture(y), texture(x, A, 7, address = \"mirror\", "
                                           "normalized = true, filter = \"linear\"), surface(y, 4, 4, 4))"),
                                 "space s of t\nset A = 9\n");
    expect_shapes(job);
    json_t *json = job_to_json(job);
    struct job *again;
    assert_success(job_from_json(json, &again, &fixture.error), &fixture.error);
    expect_shapes(again);
    job_free(again);
    json_t *steps = json_object_get(json_object_get(json, "tuned"), "launch");
    json_t *texture = json_array_get(json_array_get(json_array_get(steps, 0), 5), 1);
    json_array_set_new(json_array_get(texture, 4), 0, json_integer(10)); /* 70 texels of 64 */
    assert_false(job_from_json(json, &again, &fixture.error));
    json_array_set_new(json_array_get(texture, 4), 0, json_integer(9));
    json_array_set_new(texture, 7, json_integer(4));
    assert_false(job_from_json(json, &again, &fixture.error));
    json_decref(json);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<1, 1>>>(y, texture(x, A, 8))"), ERROR_INPUT, "72 texels, but x has 64 elements"},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, A - 9))"), ERROR_INPUT, "a texture or surface of 0 texels"},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, 131073))"), ERROR_RESOURCES,
         "131073 texels; a texture of 1 dimension has 131072 at most there"},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, 8, 8, 16385))"), ERROR_RESOURCES, "has 16384 at most there"},
        {SMALL("", "k<<<1, 1>>>(texture(y, 64))"), ERROR_INPUT, "it needs an input"},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, filter = \"linear\"))"), ERROR_INPUT, "for tex1Dfetch, has no options"},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, 64, filter = \"cubic\"))"), ERROR_INPUT,
         "this is none of \"point\", \"linear\""},
        {SMALL("", "k<<<1, 1>>>(y, texture(x, 64, address = \"wrap\"))"), ERROR_INPUT, "need normalized coordinates"},
        {SMALL("", "k<<<1, 1>>>(surface(y))"), ERROR_INPUT, "a surface needs its width"},
        {SMALL("buffer d : double[n] in index()\n", "k<<<1, 1>>>(y, texture(d))"), ERROR_INPUT, "texels are floats"},
        {SMALL("buffer i : int[n] in index()\n", "k<<<1, 1>>>(y, texture(i, 64, filter = \"linear\"))"), ERROR_INPUT,
         "only floats can be filtered"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
