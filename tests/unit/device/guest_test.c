/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU in a program of others, by a fake driver: which context is current, which stream is used, what is captured.
 */
#include "fake_cuda.h"

#include "tuner/device/cuda/guest.h"
#include "tuner/device/cuda/result.h"

#include <math.h>

static struct program {
    cuda_context current; /* of the calling thread */
    cuda_context pushed;
    size_t pops, releases;
    int capture;        /* the status of any stream */
    cuda_result asking; /* what asking for it yields */
    cuda_stream stream; /* of the last launch, copy or fill */
} program;

#define OURS   ((cuda_context)(void *)&program.pops)
#define THEIRS ((cuda_context)(void *)&program.releases)
#define STREAM ((cuda_stream)(void *)&program.capture)

static cuda_result context_current(cuda_context *context)
{
    *context = program.current;
    return CUDA_SUCCESS;
}

static cuda_result context_push(cuda_context context)
{
    program.current = program.pushed = context;
    return fake_note('(');
}

static cuda_result context_pop(cuda_context *context)
{
    *context = program.current;
    program.current = NULL;
    program.pops++;
    return CUDA_SUCCESS;
}

static cuda_result context_release(cuda_device id)
{
    assert_int_equal(id, 3);
    program.releases++;
    return CUDA_SUCCESS;
}

static cuda_result stream_capturing(cuda_stream stream, int *status)
{
    assert_ptr_equal(stream, STREAM);
    *status = program.capture;
    return program.asking;
}

static cuda_result copy_any(uint64_t to, uint64_t from, size_t bytes, cuda_stream stream)
{
    assert_true(to == 100 && from == 200 && bytes == 8);
    program.stream = stream;
    return fake_note('m');
}

static cuda_result fill_in(cuda_address address, unsigned char byte, size_t bytes, cuda_stream stream)
{
    assert_true(address == 300 && byte == 5 && bytes == 16);
    program.stream = stream;
    return fake_note('f');
}

static cuda_result launch_in(cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                             cuda_stream stream, void **arguments, void **extra)
{
    (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z, (void)dynamic_shared;
    (void)function, (void)arguments, (void)extra;
    program.stream = stream;
    return fake_note('l');
}

/* A guest in context OURS, as `attach` leaves it. */
static struct device *make_guest(bool retained)
{
    struct device *device = calloc(1, sizeof *device);
    assert_non_null(device);
    program = (struct program){.current = OURS};
    device->context = fake_context();
    device->context.id = 3;
    device->context.primary = OURS;
    struct cuda_library *cuda = &device->context.cuda;
    cuda->context_current = context_current;
    cuda->context_push = context_push;
    cuda->context_pop = context_pop;
    cuda->context_release = context_release;
    cuda->stream_capturing = stream_capturing;
    cuda->copy_any = copy_any;
    cuda->fill = fill_in;
    cuda->launch = launch_in;
    device->guest = true;
    device->retained = retained;
    device->blocking.context = &device->context;
    device->streams = (struct streams){.context = &device->context, .blocking = &device->blocking};
    return device;
}

static void contexts_are_entered_if_none_is(void **state)
{
    (void)state;
    struct device *device = make_guest(false);
    struct error error = {0};
    bool entered = true;
    assert_true(cuda_guest.enter(device, false, &entered, &error));
    assert_false(entered);
    cuda_guest.leave(device, entered);
    assert_int_equal(program.pops, 0);

    program.current = NULL;
    assert_true(cuda_guest.enter(device, false, &entered, &error));
    assert_true(entered);
    assert_ptr_equal(program.current, OURS);
    cuda_guest.leave(device, entered);
    assert_int_equal(program.pops, 1);
    assert_null(program.current);

    program.current = THEIRS;
    assert_false(cuda_guest.enter(device, false, &entered, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_false(entered);
    assert_ptr_equal(program.current, THEIRS);
    assert_true(cuda_guest.enter(device, true, &entered, &error));
    assert_true(entered);
    assert_ptr_equal(program.current, OURS);
    cuda_guest.leave(device, entered);
    assert_int_equal(program.pops, 2);

    program.current = NULL;
    fake.failing_from = 1;
    fake.result = 709; /* CUDA_ERROR_CONTEXT_IS_DESTROYED */
    fake.call_count = 0;
    assert_false(cuda_guest.enter(device, false, &entered, &error));
    assert_false(entered);
    assert_int_equal(error.code, ERROR_DEVICE);
    program.current = THEIRS;
    cuda_driver.close(device);
    assert_int_equal(program.releases, 0);
}

static void work_goes_to_the_given_stream(void **state)
{
    (void)state;
    struct device *device = make_guest(false);
    struct module module = {.context = &device->context};
    struct device_kernel *kernel = fake_kernel(&module, (cuda_function)(void *)&module, 0);
    const struct launch_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    struct error error = {0};
    assert_true(cuda_guest.launch(device, STREAM, kernel, &shape, NULL, 0, &error));
    assert_ptr_equal(program.stream, STREAM);
    program.stream = NULL;
    assert_true(cuda_guest.copy(device, STREAM, 100, 200, 8, &error));
    assert_ptr_equal(program.stream, STREAM);
    program.stream = NULL;
    assert_true(cuda_guest.fill(device, STREAM, 300, 5, 16, &error));
    assert_ptr_equal(program.stream, STREAM);
    assert_string_equal(fake.calls, "lmf");
    assert_ptr_equal(cuda_guest.function(kernel), &module);
    fake.failing_from = 4;
    fake.result = 700;
    assert_false(cuda_guest.copy(device, STREAM, 100, 200, 8, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    error = (struct error){0};
    assert_false(cuda_guest.launch(device, STREAM, kernel, &shape, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    free(kernel);
    cuda_driver.close(device);
}

static void launches_at_once_are_the_drivers_call_alone(void **state)
{
    (void)state;
    struct device *device = make_guest(false);
    struct module module = {.context = &device->context};
    struct device_kernel *kernel = fake_kernel(&module, (cuda_function)(void *)&module, 0);
    struct launch_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    assert_true(cuda_guest.launch_at_once(device, STREAM, kernel, &shape, NULL));
    assert_ptr_equal(program.stream, STREAM);
    shape.cooperative = true; /* takes more than that */
    assert_false(cuda_guest.launch_at_once(device, STREAM, kernel, &shape, NULL));
    shape.cooperative = false;
    fake.failing_from = 2;
    fake.result = 400; /* CUDA_ERROR_INVALID_HANDLE: another context is current */
    assert_false(cuda_guest.launch_at_once(device, STREAM, kernel, &shape, NULL));
    assert_string_equal(fake.calls, "ll");
    free(kernel);
    cuda_driver.close(device);
}

static void views_have_streams_of_their_own(void **state)
{
    (void)state;
    struct device *device = make_guest(true), *first, *second;
    struct error error = {0};
    assert_true(cuda_guest.view(device, &first, &error));
    assert_true(cuda_guest.view(device, &second, &error));
    cuda_guest.program_stream(first, STREAM);
    assert_true(cuda_driver.fill(first, 300, 5, 16, &error));
    assert_ptr_equal(program.stream, STREAM);
    assert_true(cuda_driver.use_stream(first, 1, &error));
    assert_true(cuda_driver.fill(first, 300, 5, 16, &error));
    assert_ptr_not_equal(program.stream, STREAM);
    assert_true(cuda_driver.use_stream(first, 0, &error));
    assert_true(cuda_driver.copy(first, 100, 200, 8, &error)); /* wherever the program's memory is */
    assert_ptr_equal(program.stream, STREAM);
    assert_true(cuda_driver.wait(first, 2, 1, &error));
    assert_ptr_not_equal(fake.waiter, STREAM);
    assert_true(cuda_driver.wait(first, 1, 2, &error));
    assert_ptr_equal(fake.waiter, STREAM);
    assert_true(cuda_driver.fill(second, 300, 5, 16, &error));
    assert_null(program.stream);
    cuda_driver.close(first);
    cuda_driver.close(second);
    assert_int_equal(fake.stream_count, 0);
    assert_int_equal(program.releases, 0);
    program.current = NULL; /* another thread closes it */
    cuda_driver.close(device);
    assert_int_equal(program.releases, 1);
    assert_null(program.current);
}

static int capture_modes[8];
static size_t capture_mode_count;
static cuda_result query;

/* As the driver exchanges it; the thread's is 0, global. */
static cuda_result capture_mode(int *mode)
{
    static int of_thread;
    const int before = of_thread;
    assert_true(capture_mode_count < 8);
    capture_modes[capture_mode_count++] = of_thread = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

static cuda_result event_query(cuda_event event)
{
    assert_non_null(event);
    assert_int_equal(capture_modes[capture_mode_count - 1], CUDA_CAPTURE_RELAXED);
    return query;
}

static void marks_disturb_no_capture(void **state)
{
    (void)state;
    struct device *device = make_guest(false);
    struct device_mark *from = NULL, *to = NULL;
    struct error error = {0};
    bool reached = true;
    double nanoseconds = 0;
    device->context.cuda.capture_mode = capture_mode;
    device->context.cuda.event_query = event_query;
    capture_mode_count = 0;
    assert_true(cuda_guest.mark_create(device, &from, &error) && cuda_guest.mark_create(device, &to, &error));
    fake.now_ns = 5000;
    assert_true(cuda_guest.mark(device, STREAM, from, &error));
    fake.now_ns = 12000;
    assert_true(cuda_guest.mark(device, STREAM, to, &error));
    query = CUDA_NOT_READY;
    assert_true(cuda_guest.mark_reached(device, to, &reached, &error));
    assert_false(reached);
    query = CUDA_SUCCESS;
    assert_true(cuda_guest.mark_reached(device, to, &reached, &error) && reached);
    assert_true(cuda_guest.mark_between(device, from, to, &nanoseconds, &error));
    assert_true(fabs(nanoseconds - 7000 - fake.overhead_ns) < 1);
    assert_int_equal(capture_mode_count, 6); /* relaxed, and as before */
    assert_int_equal(capture_modes[5], 0);
    query = 700;
    assert_false(cuda_guest.mark_reached(device, to, &reached, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    cuda_guest.mark_destroy(device, from);
    cuda_guest.mark_destroy(device, to);
    cuda_guest.mark_destroy(device, NULL);
    cuda_driver.close(device);
}

static void a_thread_aside_has_a_stream_of_its_own(void **state)
{
    (void)state;
    struct device *device = make_guest(false), *view;
    struct error error = {0};
    device->context.cuda.capture_mode = capture_mode;
    capture_mode_count = 0;
    assert_true(cuda_guest.view(device, &view, &error));
    cuda_guest.keep_quiet(device);
    assert_int_equal(capture_mode_count, 1);
    assert_int_equal(capture_modes[0], CUDA_CAPTURE_RELAXED);
    assert_true(cuda_guest.aside(view, &error));
    assert_int_equal(fake.stream_count, 1);
    assert_true(cuda_driver.fill(view, 300, 5, 16, &error));
    assert_non_null(program.stream);
    int before = 0;
    capture_mode(&before);
    cuda_driver.close(view);
    assert_int_equal(fake.stream_count, 0);
    cuda_driver.close(device);
}

static void captures_are_seen(void **state)
{
    (void)state;
    struct device *device = make_guest(false);
    struct error error = {0};
    bool capturing = true;
    assert_true(cuda_guest.capturing(device, STREAM, &capturing, &error));
    assert_false(capturing);
    program.capture = 1;
    assert_true(cuda_guest.capturing(device, STREAM, &capturing, &error) && capturing);
    program.capture = 2; /* that has failed */
    assert_true(cuda_guest.capturing(device, STREAM, &capturing, &error) && capturing);
    program.capture = 0;
    program.asking = CUDA_CAPTURING_ELSEWHERE;
    assert_true(cuda_guest.capturing(device, STREAM, &capturing, &error) && capturing);
    program.asking = 700;
    assert_false(cuda_guest.capturing(device, STREAM, &capturing, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    cuda_driver.close(device);
}

static void attaching_needs_a_gpu(void **state)
{
    (void)state;
    struct device *device = NULL;
    struct device_description description;
    struct error error = {0};
    assert_false(cuda_guest.attach(100000, &device, &description, &error));
    assert_null(device);
    assert_int_equal(error.code, ERROR_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_entered_if_none_is),
        cmocka_unit_test(work_goes_to_the_given_stream),
        cmocka_unit_test(launches_at_once_are_the_drivers_call_alone),
        cmocka_unit_test(views_have_streams_of_their_own),
        cmocka_unit_test(captures_are_seen),
        cmocka_unit_test(marks_disturb_no_capture),
        cmocka_unit_test(a_thread_aside_has_a_stream_of_its_own),
        cmocka_unit_test(attaching_needs_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
