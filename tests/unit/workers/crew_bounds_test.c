/* SPDX-License-Identifier: Apache-2.0 */
/* A crew's resources are bounded: waiting images are limited and dead workers leak nothing. */
#include "tests/unit/workers/crew_fixture.h"

/* While nothing can be measured, compilation continues until 32 MiB of images are waiting. */
static void test_waiting_images_are_bounded(void **state)
{
    (void)state;
    enum { COUNT = 8, ENOUGH = (32 << 20) / LARGE_IMAGE, COMPILERS = 3 };
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    crew_fixture_create(&fixture, "cuda", COMPILERS, 20);
    struct device_lock *lock = lock_of(&fixture);
    assert_true(device_lock_attempt(lock));
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate("large image", i);
        free(given->job->program.defines);
        assert_true(asprintf(&given->job->program.defines, "%zu", i) > 0);
        crew_submit(fixture.crew, given);
    }
    while (remains_entries(fixture.traces, "compiled") < ENOUGH)
        work_for(&fixture, 0.05);
    work_for(&fixture, 0.5);
    /* Compilations in progress when the limit is reached still finish. */
    assert_in_range(remains_entries(fixture.traces, "compiled"), ENOUGH, ENOUGH + COMPILERS - 1);
    device_lock_free(lock);
    finish_all(fixture.crew, finished, COUNT);
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

/* Open descriptors, less the socket and pipe of each live worker. */
static size_t other_descriptors(void)
{
    return remains_entries("/proc/self/fd", "") - 2 * remains_children(getpid(), "--worker", NULL, 0);
}

static void test_dead_workers_leak_no_descriptors(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = i % 2 ? "kernel segfaults" : "compiler crashes";
    crew_fixture_create(&fixture, "cuda", 2, 20);
    size_t before = other_descriptors();
    if (!run_through(fixture.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    assert_int_equal(other_descriptors(), before + 3); /* the device lock: its folder and two files */
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waiting_images_are_bounded),
        cmocka_unit_test(test_dead_workers_leak_no_descriptors),
    };
    return crew_tests_main(count, arguments, "crew, bounds", tests, sizeof tests / sizeof *tests);
}
