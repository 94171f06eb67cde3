/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device with streams, contexts and captures, as far as the library is concerned: the CPU device behind a driver
 * that pretends and notes what it is asked for.
 */
#include "launched.h"

#include "tuner/library/kernel.h"

enum { N = 100 };

/* l launch, ! one at once, ? that was refused, f fill, c copy; < and > are a context that is entered and left; [a>b]
 * what streams wait for, by bits. */
static struct {
    char calls[256];
    void *stream; /* of the last launch, copy or fill */
    unsigned current;
    void *main;
    bool other_context, captures, refuses;
} noted;

static struct device_driver driver;
static struct device_guest guest;

static void note(const char *text)
{
    assert_true(strlen(noted.calls) + strlen(text) < sizeof noted.calls);
    strcat(noted.calls, text);
}

static void expect_calls(const char *calls)
{
    assert_string_equal(noted.calls, calls);
    noted.calls[0] = '\0';
}

static const struct device_driver *cpu(void)
{
    return device_driver_find("cpu");
}

static bool enter(struct device *device, bool anyway, bool *entered, struct error *why)
{
    (void)device;
    *entered = false;
    if (noted.other_context && !anyway)
        return error_set(why, ERROR_INPUT, "another context is current");
    note("<");
    *entered = true;
    return true;
}

static void leave(struct device *device, bool entered)
{
    (void)device;
    if (entered)
        note(">");
}

static bool capturing(struct device *device, void *stream, bool *result, struct error *why)
{
    (void)device, (void)stream, (void)why;
    *result = noted.captures;
    return true;
}

static void program_stream(struct device *device, void *stream)
{
    (void)device;
    noted.main = stream;
}

static bool launch_in(struct device *device, void *stream, struct device_kernel *kernel,
                      const struct launch_shape *shape, void *const *arguments, size_t count, struct error *why)
{
    note("l");
    noted.stream = stream;
    return cpu()->guest->launch(device, stream, kernel, shape, arguments, count, why);
}

static bool launch_at_once(struct device *device, void *stream, struct device_kernel *kernel,
                           const struct launch_shape *shape, void *const *arguments)
{
    note(noted.refuses ? "?" : "!");
    noted.stream = stream;
    return !noted.refuses && cpu()->guest->launch(device, stream, kernel, shape, arguments, 4, NULL);
}

static bool copy_in(struct device *device, void *stream, uint64_t to, uint64_t from, size_t bytes, struct error *why)
{
    note("c");
    noted.stream = stream;
    return cpu()->guest->copy(device, stream, to, from, bytes, why);
}

static bool fill_in(struct device *device, void *stream, uint64_t address, uint8_t byte, size_t bytes,
                    struct error *why)
{
    note("f");
    noted.stream = stream;
    return cpu()->guest->fill(device, stream, address, byte, bytes, why);
}

static bool launch_now(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                       void *const *arguments, size_t count, struct error *why)
{
    char text[8];
    snprintf(text, sizeof text, "l%u", noted.current);
    note(text);
    return cpu()->launch(device, kernel, shape, arguments, count, why);
}

static bool use_stream(struct device *device, unsigned stream, struct error *why)
{
    (void)device, (void)why;
    noted.current = stream;
    return true;
}

static bool wait_for(struct device *device, uint32_t waiters, uint32_t awaited, struct error *why)
{
    char text[32];
    (void)device, (void)why;
    snprintf(text, sizeof text, "[%x>%x]", awaited, waiters);
    note(text);
    return true;
}

static void open_pretending(struct launched *l, const char *template)
{
    static const char source[] = "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                                 "{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    if (i < n) y[i] = x[i] + by;\n"
                                 "}\n"
                                 "extern \"C\" __global__ void bend(cudaTextureObject_t x, int *y, int n)\n"
                                 "{ for (int i = 0; i < n; i++) y[i] = tex1Dfetch<int>(x, n - 1 - i); }\n"
                                 "extern \"C\" __global__ void zero(double *y, int n) { }\n";
    memset(&noted, 0, sizeof noted);
    launched_write(l, template, source);
    guest = *cpu()->guest;
    guest.enter = enter;
    guest.leave = leave;
    guest.capturing = capturing;
    guest.program_stream = program_stream;
    guest.launch = launch_in;
    guest.launch_at_once = launch_at_once;
    guest.copy = copy_in;
    guest.fill = fill_in;
    driver = *cpu();
    driver.guest = &guest;
    driver.launch = launch_now;
    driver.use_stream = use_stream;
    driver.wait = wait_for;
    l->attached->driver = &driver;
    must_launch(launched_load(l), l);
    noted.calls[0] = '\0';
}

#define HEAD "template t \"t\"\nsize n = 100\nsource \"t.cu\"\nbuffer x : int[n] in index()\nbuffer y : int[n] out\n"

static int x[N], y[N], mark;

static enum tune_code launch(struct launched *l)
{
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    for (int i = 0; i < N; i++)
        x[i] = 13 * i + 2;
    memset(y, 0, sizeof y);
    return variant_run(l->variant, VARIANT_LAUNCH, &mark, buffers, &l->error);
}

static void plans_go_to_the_programs_stream(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "buffer half : int[n] temp\nlaunch {\n    fill half = 0\n    copy half <- x\n"
                             "    add<<<4, 32>>>(half, y, 9, n)\n}\ncheck y exact\n");
    must_launch(launch(&l), &l);
    expect_calls("<fcl>");
    assert_ptr_equal(noted.stream, &mark);
    assert_int_equal(y[99], x[99] + 9);
    noted.captures = true; /* a graph takes it as it is */
    must_launch(launch(&l), &l);
    noted.other_context = true;
    assert_int_equal(launch(&l), TUNE_ERROR_ARGUMENT);
    assert_int_equal(y[99], 0);
    noted.other_context = false;
    launched_close(&l);
}

static void a_single_launch_leaves_the_context_to_the_driver(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "launch { add<<<4, 32>>>(x, y, 41, n) }\ncheck y exact\n");
    must_launch(launch(&l), &l);
    expect_calls("!");
    assert_ptr_equal(noted.stream, &mark);
    assert_int_equal(y[99], x[99] + 41);
    noted.refuses = true; /* there is no context, or what is wrong has to be found */
    must_launch(launch(&l), &l);
    expect_calls("?<l>");
    assert_int_equal(y[99], x[99] + 41);
    noted.other_context = true;
    assert_int_equal(launch(&l), TUNE_ERROR_ARGUMENT);
    expect_calls("?");
    assert_int_equal(y[99], 0);
    launched_close(&l);
}

static void several_launches_do_not(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "buffer half : int[n] temp\nlaunch {\n    add<<<4, 32>>>(x, half, 41, n)\n"
                             "    add<<<4, 32>>>(half, y, 600, n)\n}\ncheck y exact\n");
    must_launch(launch(&l), &l);
    expect_calls("<ll>");
    assert_int_equal(y[99], x[99] + 641);
    launched_close(&l);
}

static void streams_begin_and_end_in_the_programs(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "buffer a : int[n] temp\nbuffer b : int[n] temp\nlaunch {\n"
                             "    add<<<4, 32, stream = 1>>>(x, a, 30, n)\n"
                             "    add<<<4, 32, stream = 2>>>(x, b, 500, n)\n"
                             "    wait 2 after 1\n"
                             "    add<<<4, 32, stream = 2>>>(a, b, 7, n)\n"
                             "    wait 0 after 2\n"
                             "    add<<<4, 32>>>(b, y, 1000, n)\n}\ncheck y exact\n");
    assert_null(l.variant->plans[VARIANT_LAUNCH]);
    must_launch(launch(&l), &l);
    expect_calls("<[1>6]l1l2[2>4]l2[4>1]l0[6>1]>");
    assert_ptr_equal(noted.main, &mark);
    assert_int_equal(y[99], x[99] + 1037);
    noted.captures = true; /* waits between streams are part of a graph */
    must_launch(launch(&l), &l);
    launched_close(&l);
}

static void what_waits_cannot_be_captured(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "count m at most 100\nlaunch {\n    read m = x[0]\n"
                             "    add<<<4, 32>>>(x, y, m, n)\n}\ncheck y exact\n");
    must_launch(launch(&l), &l);
    assert_int_equal(y[50], x[50] + 2);
    noted.captures = true;
    assert_int_equal(launch(&l), TUNE_ERROR_CAPTURING);
    assert_non_null(strstr(l.error.text, "depends on data"));
    assert_int_equal(y[50], 0);
    launched_close(&l);
}

static void textures_are_made_before_a_capture(void **state)
{
    (void)state;
    struct launched l;
    open_pretending(&l, HEAD "launch { bend<<<1, 1>>>(texture(x), y, n) }\ncheck y exact\n");
    noted.captures = true;
    assert_int_equal(launch(&l), TUNE_ERROR_CAPTURING);
    noted.captures = false;
    must_launch(launch(&l), &l);
    noted.captures = true;
    must_launch(launch(&l), &l);
    assert_int_equal(y[1], x[98]);
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_go_to_the_programs_stream),
        cmocka_unit_test(a_single_launch_leaves_the_context_to_the_driver),
        cmocka_unit_test(several_launches_do_not),
        cmocka_unit_test(streams_begin_and_end_in_the_programs),
        cmocka_unit_test(what_waits_cannot_be_captured),
        cmocka_unit_test(textures_are_made_before_a_capture),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
