/* SPDX-License-Identifier: Apache-2.0 */
/* What a timing shows, and what is subtracted from it, on a fake GPU. */
#include "fake_cuda.h"

#include "tuner/device/cuda/timer.h"

struct stage {
    struct context context;
    struct module module;
    struct blocking_kernel blocking;
    struct cache_flush flush;
    struct timer timer;
    struct error error;
};

static int open_stage(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->context = fake_context();
    stage->blocking = fake_blocking(&stage->context, &stage->module);
    assert_true(timer_open(&stage->timer, &stage->context, &stage->blocking, &stage->flush, &stage->error));
    *state = stage;
    return 0;
}

static int close_stage(void **state)
{
    struct stage *stage = *state;
    timer_close(&stage->timer);
    cache_flush_close(&stage->flush, &stage->context);
    fake_blocking_close(&stage->blocking);
    assert_int_equal(fake.allocations, 0);
    free(stage);
    return 0;
}

/* A timing of work that takes so long. */
static double time_work(struct stage *stage, double nanoseconds)
{
    double shown = -1;
    assert_true(timer_start(&stage->timer, &stage->error));
    fake.now_ns += nanoseconds;
    assert_true(timer_stop(&stage->timer, &shown, &stage->error));
    return shown;
}

/* The events show 3,200 ns too much of everything; a float of milliseconds has 24 bits. */
static void the_overhead_is_subtracted_once(void **state)
{
    struct stage *stage = *state;
    static const double durations[] = {5e3, 2e4, 1e6, 5e7};
    fake.overhead_ns = 3200;
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        double shown = time_work(stage, durations[i]);
        assert_true(shown > durations[i] * (1 - 1e-6) - 2 && shown < durations[i] * (1 + 1e-6) + 2);
    }
    assert_true(stage->timer.launch_ns > 3198 && stage->timer.launch_ns < 3202);
}

static void an_empty_kernel_takes_a_tick(void **state)
{
    struct stage *stage = *state;
    fake.overhead_ns = 3200;
    assert_true(time_work(stage, 0) == TIMER_TICK_NS);
    assert_true(time_work(stage, 100) == TIMER_TICK_NS);
    assert_true(time_work(stage, 2 * TIMER_TICK_NS) > 1.9 * TIMER_TICK_NS);
}

/* Events that show less than the spin took would add time to every sample. */
static void an_overhead_is_never_negative(void **state)
{
    struct stage *stage = *state;
    fake.overhead_ns = -50;
    double shown = time_work(stage, 10000);
    assert_true(stage->timer.launch_ns == 0);
    assert_true(shown > 9945 && shown < 9955);
}

/* Each calibrating spin is timed as a sample is: flushed, blocked, between two events. */
static void calibration_happens_once_as_samples_do(void **state)
{
    struct stage *stage = *state;
    fake.call_count = 0;
    assert_true(timer_calibrate(&stage->timer, &stage->error));
    assert_memory_equal(fake.calls, "afl+l+=dwfl+l+=dw", 17);
    size_t calls = fake.call_count;
    assert_true(timer_calibrate(&stage->timer, &stage->error));
    assert_int_equal(fake.call_count, calls);
    fake.call_count = 0;
    time_work(stage, 1000);
    assert_string_equal(fake.calls, "++=");
    assert_false(stage->blocking.blocked);
}

static void stopping_unblocks(void **state)
{
    struct stage *stage = *state;
    double shown;
    assert_true(timer_calibrate(&stage->timer, &stage->error));
    assert_true(blocking_kernel_block(&stage->blocking, &stage->error));
    assert_true(timer_start(&stage->timer, &stage->error));
    assert_true(stage->blocking.blocked);
    assert_true(timer_stop(&stage->timer, &shown, &stage->error));
    assert_false(stage->blocking.blocked);
}

/* Also where recording the event fails, or the stream would stay blocked. */
static void a_fault_unblocks_too(void **state)
{
    struct stage *stage = *state;
    double shown;
    assert_true(timer_calibrate(&stage->timer, &stage->error));
    assert_true(blocking_kernel_block(&stage->blocking, &stage->error));
    assert_true(timer_start(&stage->timer, &stage->error));
    fake.failing_from = fake.call_count + 1;
    fake.result = 700;
    assert_false(timer_stop(&stage->timer, &shown, &stage->error));
    assert_int_equal(stage->error.code, ERROR_FAULT);
    assert_false(stage->blocking.blocked);
    fake.failing_from = 0;
}

static void without_a_spin_nothing_is_subtracted(void **state)
{
    struct stage *stage = *state;
    stage->blocking.unavailable = true;
    fake.overhead_ns = 3200;
    double shown = time_work(stage, 10000);
    assert_true(shown > 13199 && shown < 13201);
}

#define timer_test(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        timer_test(the_overhead_is_subtracted_once),
        timer_test(an_empty_kernel_takes_a_tick),
        timer_test(an_overhead_is_never_negative),
        timer_test(calibration_happens_once_as_samples_do),
        timer_test(stopping_unblocks),
        timer_test(a_fault_unblocks_too),
        timer_test(without_a_spin_nothing_is_subtracted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
