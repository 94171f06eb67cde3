/* SPDX-License-Identifier: Apache-2.0 */
/* Types of a job: each once, and the same again behind JSON; damaged ones are refused. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/layouts.h"

#include <jansson.h>
#include <stdlib.h>

static const struct leaf leaves[] = {{ELEMENT_FLOAT, 0, ".position.x"}, {ELEMENT_CHAR, 4, ".kind"}};
static const struct layout particle = {"particle", "particle", 8, 4, 2, leaves};

static void each_type_is_kept_once(void **state)
{
    (void)state;
    struct job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    const struct layout *kept = layouts_add(job, &particle);
    assert_true(kept != &particle && layout_equal(kept, &particle));
    assert_ptr_equal(layouts_add(job, &particle), kept);
    assert_int_equal(job->layout_count, 1);
    struct layout *scalar = layout_copy(&scalar_layouts[ELEMENT_HALF]);
    assert_ptr_equal(layouts_add(job, scalar), &scalar_layouts[ELEMENT_HALF]);
    assert_int_equal(job->layout_count, 1);
    free(scalar);
    job_free(job);
}

static void json_keeps_them(void **state)
{
    (void)state;
    struct job *job = calloc(1, sizeof *job), *other = calloc(1, sizeof *other);
    struct error error;
    const struct layout *found;
    assert_true(job && other && layouts_add(job, &particle));
    json_t *json = layouts_write(job);
    assert_success(layouts_read(json, other, &error), &error);
    assert_int_equal(other->layout_count, 1);
    assert_true(layout_equal(other->layouts[0], &particle));
    assert_string_equal(other->layouts[0]->leaves[0].path, ".position.x");
    static const struct {
        const char *name;
        bool found;
    } names[] = {{"particle", true}, {"half", true}, {"float4", false}, {"", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *name = json_string(names[i].name);
        assert_int_equal(layouts_find(name, other, &found, &error), names[i].found);
        json_decref(name);
    }
    assert_false(layouts_find(NULL, other, &found, &error));
    json_decref(json);
    job_free(job);
    job_free(other);
}

static void damaged_ones_are_refused(void **state)
{
    (void)state;
    static const char *const damaged[] = {
        "{}",
        "[1]",
        "[[]]",
        "[[\"p\", \"p\", 4, 4, []]]",
        "[[\"p\", \"p\", 4, 4, [[\".x\", \"float\", 4]]]]",
        "[[\"p\", \"p\", 4, 4, [[\".x\", \"float\", -4]]]]",
        "[[\"p\", \"p\", 4, 4, [[\".x\", \"string\", 0]]]]",
        "[[\"p\", \"p\", 4, 4, [[7, \"float\", 0]]]]",
        "[[\"p\", \"p\", 4, 3, [[\".x\", \"float\", 0]]]]",
        "[[\"p\", \"p\", -4, 4, [[\".x\", \"float\", 0]]]]",
        "[[\"p\", \"p\", \"4\", 4, [[\".x\", \"float\", 0]]]]",
        "[[\"p\", \"p\", 100000000, 4, [[\".x\", \"float\", 0]]]]",
        "[[\"p\", 0, 4, 4, [[\".x\", \"float\", 0]]]]",
        "[[\"float\", \"float\", 4, 4, [[\"\", \"float\", 0]]]]",
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct job *job = calloc(1, sizeof *job);
        struct error error = {0};
        json_t *json = json_loads(damaged[i], 0, NULL);
        assert_true(job && json);
        if (layouts_read(json, job, &error))
            fail_msg("read: %s", damaged[i]);
        assert_mentions(error.text, "damaged job");
        json_decref(json);
        job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_type_is_kept_once), cmocka_unit_test(json_keeps_them),
                                       cmocka_unit_test(damaged_ones_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
