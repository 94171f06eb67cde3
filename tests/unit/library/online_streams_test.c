/* SPDX-License-Identifier: Apache-2.0 */
/* Online tuning on a device with streams, whose work is done when the test says so. */
#include "online_program.h"

struct device_mark {
    double time;
};

static struct {
    bool captures, reached, fails, gone;
    size_t marks, set, asked;
} stream;

static bool mark_create(struct device *device, struct device_mark **mark, struct error *why)
{
    (void)device, (void)why;
    *mark = calloc(1, sizeof **mark);
    stream.marks++;
    return *mark != NULL;
}

static void mark_destroy(struct device *device, struct device_mark *mark)
{
    (void)device;
    stream.marks--;
    free(mark);
}

static bool mark(struct device *device, void *in, struct device_mark *mark, struct error *why)
{
    (void)device, (void)why;
    assert_false(stream.captures);
    assert_ptr_equal(in, NULL);
    stream.set++;
    mark->time = read_clock(NULL);
    return true;
}

static bool mark_reached(struct device *device, struct device_mark *mark, bool *reached, struct error *why)
{
    (void)device, (void)mark;
    *reached = stream.reached && stream.asked++ % 3 == 2;
    return !stream.fails || error_set(why, ERROR_FAULT, "an illegal address");
}

static bool mark_between(struct device *device, struct device_mark *from, struct device_mark *to, double *nanoseconds,
                         struct error *why)
{
    (void)device, (void)why;
    *nanoseconds = to->time - from->time;
    return true;
}

static bool capturing(struct device *device, void *in, bool *captured, struct error *why)
{
    (void)device, (void)in, (void)why;
    *captured = stream.captures;
    return true;
}

static bool enter(struct device *device, bool anyway, bool *entered, struct error *why)
{
    (void)device, (void)anyway;
    *entered = !stream.gone;
    return *entered || error_set(why, ERROR_DEVICE, "no context");
}

static void leave(struct device *device, bool entered)
{
    (void)device, (void)entered;
}

static bool load_module(struct device *device, const void *image, size_t bytes, struct module **module,
                        struct error *why)
{
    return stream.fails ? error_set(why, ERROR_FAULT, "an illegal address")
                        : device_driver_find("cpu")->load(device, image, bytes, module, why);
}

static struct device_driver driver;
static struct device_guest guest;

/* The CPU device, as if it had streams whose work is done when the test says so. */
static void open_streams(struct user *program, const char *name)
{
    driver = *device_driver_find("cpu");
    guest = *driver.guest;
    guest.mark_create = mark_create;
    guest.mark_destroy = mark_destroy;
    guest.mark = mark;
    guest.mark_reached = mark_reached;
    guest.mark_between = mark_between;
    guest.capturing = capturing;
    guest.enter = enter;
    guest.leave = leave;
    driver.guest = &guest;
    driver.load = load_module;
    memset(&stream, 0, sizeof stream);
    open_program(program, name, 0);
    program->kernel->versions[0].variant->code->attached->driver = &driver;
    tune_by_steps(program, 0.5);
}

static void close_streams(struct user *program)
{
    program->kernel->versions[0].variant->code->attached->driver = &driver;
    close_program(program);
    assert_int_equal(stream.marks, 0);
}

static void times_are_read_at_a_later_call(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "marks.db");
    launch(&program, program.kernel);
    assert_int_equal(stream.set, 2); /* around the first call, */
    for (int i = 0; i < 20; i++)
        launch(&program, program.kernel);
    assert_int_equal(stream.set, 2); /* which is not through */
    stream.reached = true;
    run(&program, 1, 5000);
    assert_int_equal(variant_in_use(program.kernel), FAST);
    assert_int_equal(state_of(program.kernel).wrong, 4);
    close_streams(&program);
}

static void nothing_is_tried_in_a_capture(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "capture.db");
    stream.captures = stream.reached = true;
    for (int i = 0; i < 50; i++) {
        while (online_step(program.kernel->online))
            ;
        launch(&program, program.kernel);
    }
    assert_int_equal(stream.set, 0);
    assert_int_equal(state_of(program.kernel).calls, 0);
    close_streams(&program);
}

static void a_device_that_fails_ends_it(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "fails.db");
    launch(&program, program.kernel);
    stream.fails = true;
    launch(&program, program.kernel);
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_string_equal(info.why, "the device fails");
    launch(&program, program.kernel);
    close_streams(&program);
}

/* The next run is to try what this one could not load. */
static void a_device_that_fails_says_nothing_about_candidates(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "lost.db");
    stream.fails = true;
    while (online_step(program.kernel->online))
        ;
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_string_equal(info.why, "the device fails");
    assert_int_equal(info.tried, 0);
    close_streams(&program);
}

/* The call that reads that a race was won launches the winner. */
static void the_winner_is_launched_at_once(void **state)
{
    (void)state;
    struct user program;
    double before = 0;
    open_streams(&program, "winner.db");
    stream.reached = true;
    while (atomic_load(&program.kernel->newest) == 0 && program.turn < 5000) {
        while (online_step(program.kernel->online))
            ;
        before = read_clock(NULL);
        launch(&program, program.kernel);
    }
    assert_true(read_clock(NULL) - before == costs[FAST]);
    close_streams(&program);
}

static void a_context_that_is_gone_ends_it(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "gone.db");
    stream.gone = true;
    online_work(program.kernel->online);
    stream.gone = false;
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_REFUSED);
    assert_string_equal(info.why, "the device's context is not there");
    launch(&program, program.kernel);
    close_streams(&program);
}

static void what_is_freed_does_not_begin(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "freed.db");
    struct online *online = program.kernel->online;
    const size_t marks = stream.marks;
    online_end(online);
    assert_false(online_begin(online)); /* by a thread that has loaded the kernel meanwhile */
    assert_false(online_is_on(online));
    assert_int_equal(stream.marks, marks);
    close_streams(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read_at_a_later_call),
        cmocka_unit_test(nothing_is_tried_in_a_capture),
        cmocka_unit_test(a_device_that_fails_ends_it),
        cmocka_unit_test(the_winner_is_launched_at_once),
        cmocka_unit_test(a_device_that_fails_says_nothing_about_candidates),
        cmocka_unit_test(a_context_that_is_gone_ends_it),
        cmocka_unit_test(what_is_freed_does_not_begin),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
