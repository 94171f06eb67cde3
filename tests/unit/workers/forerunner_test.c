/* SPDX-License-Identifier: Apache-2.0 */
/* A measuring worker that describes its device before there is a crew, which then takes it over. */
#include "tests/unit/workers/crew_fixture.h"
#include "tuner/workers/forerunner.h"

static const char *const good[] = {"good", "good"};

static struct forerunner *sent_to(int ordinal)
{
    struct error error;
    struct forerunner *forerunner;
    setenv(busy_compilers, getenv("TMPDIR"), 0); /* fake workers look there, and there is no crew yet */
    if (!forerunner_start("cuda", ordinal, NULL, false, &forerunner, &error))
        fail_msg("%s", error.text);
    return forerunner;
}

static void describe(struct forerunner *forerunner)
{
    struct device_description found;
    assert_true(forerunner_describe(forerunner, &found));
    assert_string_equal(found.kind, "cuda");
    assert_string_equal(found.name, "fake device");
}

/* Run candidates through a crew that has this forerunner; how many workers have opened a device. */
static size_t opened_by(struct forerunner *forerunner, const char *const *paths, size_t count,
                        const enum outcome *outcomes)
{
    struct crew_fixture fixture;
    struct candidate *finished[8];
    struct error error;
    crew_fixture_prepare(&fixture, "cuda", 1, 20); /* one compiler: they are measured in order */
    fixture.plan.forerunner = forerunner;
    crew_fixture_open(&fixture);
    if (!run_through(fixture.crew, paths, count, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(finished[i]->evaluation.outcome, outcomes[finished[i]->index]);
    size_t workers = opened();
    free_all(finished, count);
    crew_free(fixture.crew); /* and the forerunner's worker, which was there before */
    fixture.crew = NULL;
    fixture.before = remains_now();
    fixture.before.folders -= 3; /* the fixture's own */
    crew_fixture_free(&fixture);
    return workers;
}

static void test_a_crew_takes_it_over(void **state)
{
    (void)state;
    static const enum outcome outcomes[] = {OUTCOME_OK, OUTCOME_OK};
    const struct remains before = remains_now();
    struct forerunner *forerunner = sent_to(0);
    assert_true(forerunner_is_on(forerunner, "cuda", 0));
    assert_false(forerunner_is_on(forerunner, "cuda", 1) || forerunner_is_on(forerunner, "cpu", 0) ||
                 forerunner_is_on(NULL, "cuda", 0));
    describe(forerunner);
    assert_int_equal(opened_by(forerunner, good, 2, outcomes), 0); /* it began before there was this folder */
    assert_false(forerunner_is_on(forerunner, "cuda", 0));
    assert_null(forerunner_take(forerunner));

    /* The next crew has a worker of its own. */
    assert_int_equal(opened_by(forerunner, good, 2, outcomes), 1);
    forerunner_end(forerunner);
    remains_equal(before, remains_now());
}

static void test_it_is_replaced_like_any_other(void **state)
{
    (void)state;
    static const char *const paths[] = {"good", "kernel segfaults", "good"};
    static const enum outcome outcomes[] = {OUTCOME_OK, OUTCOME_FAULT, OUTCOME_OK};
    struct forerunner *forerunner = sent_to(0);
    describe(forerunner);
    assert_int_equal(opened_by(forerunner, paths, 3, outcomes), 1);
    forerunner_end(forerunner);
}

static void test_one_on_another_device_is_not_taken(void **state)
{
    (void)state;
    static const enum outcome outcomes[] = {OUTCOME_OK, OUTCOME_OK};
    const struct remains before = remains_now();
    struct forerunner *forerunner = sent_to(1);
    describe(forerunner);
    assert_int_equal(opened_by(forerunner, good, 2, outcomes), 1);
    assert_true(forerunner_is_on(forerunner, "cuda", 1));
    forerunner_end(forerunner);
    remains_equal(before, remains_now());
}

static void test_devices_that_do_not_work(void **state)
{
    (void)state;
    static const char *const modes[] = {"fail", "die"};
    const struct remains before = remains_now();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct device_description found;
        setenv(open_mode, modes[i], 1);
        struct forerunner *forerunner = sent_to(0);
        assert_false(forerunner_describe(forerunner, &found));
        assert_false(forerunner_is_on(forerunner, "cuda", 0));
        assert_null(forerunner_take(forerunner));
        forerunner_end(forerunner);
    }
    setenv(open_mode, "", 1);
    remains_equal(before, remains_now());
    forerunner_end(NULL);
    assert_null(forerunner_take(NULL));
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_crew_takes_it_over),
        cmocka_unit_test(test_it_is_replaced_like_any_other),
        cmocka_unit_test(test_one_on_another_device_is_not_taken),
        cmocka_unit_test(test_devices_that_do_not_work),
    };
    return crew_tests_main(count, arguments, "forerunner", tests, sizeof tests / sizeof *tests);
}
