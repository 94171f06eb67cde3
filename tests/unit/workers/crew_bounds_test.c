/* SPDX-License-Identifier: Apache-2.0 */
/* What a crew holds has bounds: images that wait, and what dead workers leave. */
#include "tests/unit/workers/crew_fixture.h"

/* While nothing can be measured compiling goes on until 32 MiB of images wait. */
static void test_images_that_wait_are_bounded(void **state)
{
    (void)state;
    enum { COUNT = 8, ENOUGH = (32 << 20) / LARGE_IMAGE, COMPILERS = 3 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_stage(&stage, "cuda", COMPILERS, 20);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    assert_true(crew_room(stage.crew) >= COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate("large image", i);
        free(given->job->program.defines);
        assert_true(asprintf(&given->job->program.defines, "%zu", i) > 0);
        crew_submit(stage.crew, given);
    }
    while (remains_entries(stage.traces, "compiled") < ENOUGH)
        work_for(&stage, 0.05);
    work_for(&stage, 0.5);
    /* What was under way when the last one came is compiled to its end. */
    assert_in_range(remains_entries(stage.traces, "compiled"), ENOUGH, ENOUGH + COMPILERS - 1);
    device_lock_free(lock);
    finish_all(stage.crew, finished, COUNT);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

/* Each live worker has a socket and a pipe; nothing is left of dead ones. */
static size_t other_descriptors(void)
{
    return remains_entries("/proc/self/fd", "") - 2 * remains_children(getpid(), "--worker", NULL, 0);
}

static void test_dead_workers_leave_nothing_open(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = i % 2 ? "kernel segfaults" : "compiler crashes";
    set_stage(&stage, "cuda", 2, 20);
    size_t before = other_descriptors();
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    assert_int_equal(other_descriptors(), before + 3); /* the device's lock: its folder and two files */
    free_all(finished, COUNT);
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_that_wait_are_bounded),
        cmocka_unit_test(test_dead_workers_leave_nothing_open),
    };
    return crew_tests_main(count, arguments, "crew, bounds", tests, sizeof tests / sizeof *tests);
}
