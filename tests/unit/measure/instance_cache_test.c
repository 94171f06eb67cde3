/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of instances: an allocation on the device shows that one was made, none that it was still there. */
#include "tests/unit/measure/cpu_fixture.h"

#include "tuner/measure/instance_cache.h"

static struct instance_cache *cache;
static struct program_cache *programs;

/* Jobs with one buffer; the key tells them apart. */
static struct job_buffer buffer;
static struct job job;

static uint64_t bytes_of_one(void)
{
    return 400 + 2 * BUFFER_GUARD_BYTES;
}

static int begin(void **state)
{
    (void)state;
    buffer = (struct job_buffer){(char *)"x", &scalar_layouts[ELEMENT_FLOAT], 100, BUFFER_IN, INITIAL_UNIFORM, 0, 1};
    job = (struct job){.seed = 1};
    job.cases[JOB_TUNED].buffers = &buffer;
    job.cases[JOB_TUNED].buffer_count = 1;
    return instance_cache_create(&cache, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    instance_cache_free(cache, &validation);
    instance_cache_free(NULL, &validation);
    return 0;
}

static int open_all(void **state)
{
    return cpu_fixture_open(state) == 0 && program_cache_create(&programs, &error) ? 0 : -1;
}

static int close_all(void **state)
{
    program_cache_free(programs, validation.driver, validation.device);
    return cpu_fixture_close(state);
}

/* Half of the memory is for instances. */
static void set_room(uint64_t instances)
{
    validation.description.memory_bytes = (int64_t)(2 * instances * bytes_of_one());
}

/* Get the instance of a key; was it made? */
static bool get(uint64_t key)
{
    struct instance *instance = NULL;
    size_t before = allocations.total;
    job.reference_key = key;
    must(instance_cache_get(cache, &validation, programs, &job, JOB_TUNED, &instance, &error));
    assert_non_null(instance);
    assert_int_equal(instance->reference_key, key);
    return allocations.total > before;
}

static void what_was_made_is_kept(void **state)
{
    (void)state;
    set_room(100);
    get(1); /* and the reports, which are kept */
    assert_false(get(1));
    assert_true(get(2));
    assert_false(get(1));
    instance_cache_clear(cache, &validation);
    assert_true(get(1));
}

static void the_least_recently_used_goes(void **state)
{
    (void)state;
    set_room(3);
    get(1);
    get(2);
    get(3);
    assert_false(get(1));
    assert_true(get(4)); /* in place of 2 */
    assert_false(get(1));
    assert_false(get(3));
    assert_true(get(2));
}

static void one_that_is_too_large_stands_alone(void **state)
{
    (void)state;
    set_room(3);
    get(1);
    get(2);
    buffer.extent = 1000000;
    assert_true(get(3)); /* takes more than there is, and still */
    buffer.extent = 100;
    assert_true(get(1));
}

/* 16 entries, however much memory there is. */
static void entries_are_bounded(void **state)
{
    (void)state;
    set_room(1000);
    for (uint64_t key = 1; key <= 17; key++)
        get(key);
    assert_true(get(1));
    assert_false(get(17));
    assert_false(get(3));
}

/* The device is full of what is only kept for later: it makes room. */
static void a_full_device_is_cleared_and_tried_again(void **state)
{
    (void)state;
    set_room(100);
    get(1);
    get(2);
    fail_allocation(1, ERROR_DOES_NOT_FIT);
    assert_true(get(3));
    fail_allocation(0, ERROR_NONE);
    assert_true(get(1)); /* gone */
    assert_false(get(3));
}

static void other_errors_are_passed_on(void **state)
{
    (void)state;
    struct instance *instance;
    set_room(100);
    get(1);
    fail_allocation(1, ERROR_FAULT);
    job.reference_key = 2;
    assert_false(instance_cache_get(cache, &validation, programs, &job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    fail_allocation(0, ERROR_NONE);
    assert_false(get(1));
}

static void a_temporary_is_fitted_in_place(void **state)
{
    (void)state;
    set_room(100);
    buffer.role = BUFFER_TEMP;
    buffer.initial = INITIAL_NONE;
    get(1);
    buffer.extent = 50;
    assert_false(get(1));
    buffer.extent = 1000;
    assert_true(get(1));
    fail_allocation(1, ERROR_DOES_NOT_FIT); /* no room to grow: made anew */
    buffer.extent = 2000;
    assert_true(get(1));
    fail_allocation(0, ERROR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_made_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(the_least_recently_used_goes, begin, end),
        cmocka_unit_test_setup_teardown(one_that_is_too_large_stands_alone, begin, end),
        cmocka_unit_test_setup_teardown(entries_are_bounded, begin, end),
        cmocka_unit_test_setup_teardown(a_full_device_is_cleared_and_tried_again, begin, end),
        cmocka_unit_test_setup_teardown(other_errors_are_passed_on, begin, end),
        cmocka_unit_test_setup_teardown(a_temporary_is_fitted_in_place, begin, end),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
