/* SPDX-License-Identifier: Apache-2.0 */
/* What calls are refused, what a kernel says of itself, when a newer version takes over, and many threads at once. */
#include "callers.h"
#include "launched.h"

#include "tuner/library/kernel.h"

enum { N = 100 };

/* y = x + K, in two launches and with memory of its own. */
static const char two_steps[] = "template t \"t\"\nsize n = 100\nparameter K \"k\"\nsource \"t.cu\"\n"
                                "buffer x : int[n] in index()\nbuffer half : int[n] temp\nbuffer y : int[n] out\n"
                                "launch {\n    add<<<(4, 2), (32, 2), 64>>>(x, half, K, n)\n"
                                "    add<<<2, 64, cooperative>>>(half, y, 1000, n)\n}\n"
                                "check y exact\n";
static const char add_source[] = "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                                 "{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    if (i < n && blockIdx.y == 0 && threadIdx.y == 0) y[i] = x[i] + by;\n"
                                 "}\n"
                                 "extern \"C\" __global__ void zero(double *y, int n) { }\n";

static void open_kernel(struct launched *l, struct tune_kernel *kernel, const char *template, const char *source)
{
    launched_write_for(l, template, source, "{\"K\":5}");
    must_launch(launched_load(l), l);
    *kernel = (struct tune_kernel){.versions = {{.variant = l->variant}}};
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    struct launched l;
    struct tune_kernel kernel;
    struct tune_error failure;
    int x[N] = {0}, y[N] = {0};
    open_kernel(&l, &kernel, two_steps, add_source);
    const struct {
        struct tune_buffer buffers[3];
        size_t count;
        const char *text;
    } wrong[] = {
        {{{x, 0}}, 1, "1 buffers are passed, and the kernel takes 2"},
        {{{x, 0}, {y, 0}, {y, 0}}, 3, "3 buffers"},
        {{{x, 0}, {NULL, 0}}, 2, "buffer 1, y, is a null pointer"},
        {{{x, 399}, {y, 0}}, 2, "buffer 0, x, has 399 bytes, and the kernel needs 400"},
        {{{x, 400}, {&y[1], 0}}, 2, "buffer 1, y, is at 0x"},
        {{{x, 400}, {&y[3], 400}}, 2, ", and the kernel needs a multiple of 16"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tune_launch(&kernel, NULL, wrong[i].buffers, wrong[i].count, &failure), TUNE_ERROR_ARGUMENT);
        assert_non_null(strstr(failure.text, wrong[i].text));
        assert_int_equal(tune_prepare(&kernel, NULL, wrong[i].buffers, wrong[i].count, NULL), TUNE_ERROR_ARGUMENT);
        assert_int_equal(tune_finish(&kernel, NULL, wrong[i].buffers, wrong[i].count, NULL), TUNE_ERROR_ARGUMENT);
    }
    assert_int_equal(tune_launch(&kernel, NULL, NULL, 2, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_launch(NULL, NULL, NULL, 0, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(y[0], 0);
    assert_int_equal(tune_launch(&kernel, NULL, (struct tune_buffer[]){{x, 400}, {y, 401}}, 2, &failure), TUNE_OK);
    assert_int_equal(y[0], 1005);
    launched_close(&l);
}

static void a_kernel_describes_itself(void **state)
{
    (void)state;
    struct launched l;
    struct tune_kernel kernel;
    struct tune_error failure;
    struct tune_kernel_info info = {.bytes = sizeof info};
    struct tune_buffer_info buffer = {.bytes = sizeof buffer};
    struct tune_launch_info launch = {.bytes = sizeof launch};
    open_kernel(&l, &kernel, two_steps, add_source);
    tune_kernel_describe(&kernel, &info);
    assert_int_equal(info.bytes, sizeof info);
    assert_int_equal(info.buffer_count, 2);
    assert_int_equal(info.workspace, N * sizeof(int));
    assert_int_equal(info.launch_count, 2);
    assert_false(info.must_prepare || info.must_finish || info.waits);
    assert_true(info.image_bytes > 100 && memcmp(info.image, "\177ELF", 4) == 0);
    info = (struct tune_kernel_info){.bytes = offsetof(struct tune_kernel_info, workspace)}; /* of an older program */
    tune_kernel_describe(&kernel, &info);
    assert_int_equal(info.buffer_count, 2);
    assert_int_equal(info.workspace, 0);

    assert_int_equal(tune_kernel_buffer(&kernel, 1, &buffer, &failure), TUNE_OK);
    assert_string_equal(buffer.name, "y");
    assert_string_equal(buffer.type, "int");
    assert_int_equal(buffer.role, TUNE_OUT);
    assert_int_equal(buffer.elements, N);
    assert_int_equal(buffer.size, N * sizeof(int));
    assert_false(buffer.on_host);
    assert_int_equal(tune_kernel_buffer(&kernel, 2, &buffer, &failure), TUNE_ERROR_ARGUMENT);

    assert_int_equal(tune_kernel_launch(&kernel, 0, &launch, &failure), TUNE_OK);
    assert_string_equal(launch.kernel, "add");
    assert_null(launch.function);
    assert_true(launch.grid[0] == 4 && launch.grid[1] == 2 && launch.grid[2] == 1);
    assert_true(launch.block[0] == 32 && launch.block[1] == 2 && launch.block[2] == 1 && launch.cluster[0] == 0);
    assert_int_equal(launch.shared_bytes, 64);
    assert_false(launch.cooperative);
    assert_int_equal(tune_kernel_launch(&kernel, 1, &launch, &failure), TUNE_OK);
    assert_true(launch.cooperative);
    assert_int_equal(tune_kernel_launch(&kernel, 2, &launch, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_kernel_launch(&kernel, 0, NULL, &failure), TUNE_ERROR_ARGUMENT);
    launched_close(&l);
}

static const char prepared[] = "template t \"t\"\nsize n = 100\nparameter K \"k\"\nsource \"t.cu\"\n"
                               "count m at most 1000\n"
                               "buffer x : int[n] in index()\nbuffer kept : int[n] temp\nbuffer y : int[n] out\n"
                               "prepare { add<<<4, 32>>>(x, kept, K, n) }\n"
                               "launch {\n    read m = kept[1]\n    add<<<4, 32>>>(kept, y, m, n)\n}\n"
                               "finish { add<<<4, 32>>>(y, y, 7, n) }\n"
                               "check y exact\n";

static void newer_versions_take_over(void **state)
{
    (void)state;
    struct launched l;
    struct tune_kernel kernel;
    struct variant *other;
    int x[N] = {0}, y[N];
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    open_kernel(&l, &kernel, two_steps, add_source);
    must_launch(variant_create(code_share(l.variant->code), l.template, &other, &l.error), &l);
    kernel.versions[1].variant = other;
    must_launch(tune_launch(&kernel, NULL, buffers, 2, &l.error), &l);
    assert_ptr_equal(kernel_version(&kernel)->variant, l.variant);
    kernel.newest = 1;
    assert_ptr_equal(kernel_version(&kernel)->variant, l.variant);
    must_launch(tune_launch(&kernel, NULL, buffers, 2, &l.error), &l);
    assert_ptr_equal(kernel_version(&kernel)->variant, other);
    variant_free(other);
    launched_close(&l);
}

static void what_is_prepared_stays_in_use(void **state)
{
    (void)state;
    struct launched l;
    struct tune_kernel kernel;
    struct tune_error failure;
    struct variant *other;
    struct tune_kernel_info info = {.bytes = sizeof info};
    int x[N] = {0}, y[N];
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    open_kernel(&l, &kernel, prepared, add_source);
    tune_kernel_describe(&kernel, &info);
    assert_true(info.must_prepare && info.must_finish && info.waits && info.launch_count == 0);
    must_launch(variant_create(code_share(l.variant->code), l.template, &other, &l.error), &l);
    kernel.versions[1].variant = other;
    assert_int_equal(tune_launch(&kernel, NULL, buffers, 2, &failure), TUNE_ERROR_ARGUMENT);
    assert_non_null(strstr(failure.text, "tune_prepare"));
    must_launch(tune_prepare(&kernel, NULL, buffers, 2, &l.error), &l);
    kernel.newest = 1;
    must_launch(tune_launch(&kernel, NULL, buffers, 2, &l.error), &l);
    must_launch(tune_finish(&kernel, NULL, buffers, 2, &l.error), &l);
    assert_int_equal(y[50], 5 + 5 + 7);
    assert_ptr_equal(kernel_version(&kernel)->variant, l.variant);
    must_launch(tune_prepare(&kernel, NULL, buffers, 2, &l.error), &l);
    assert_ptr_equal(kernel_version(&kernel)->variant, other);
    must_launch(tune_launch(&kernel, NULL, buffers, 2, &l.error), &l);
    assert_int_equal(y[50], 5 + 5);
    variant_free(other);
    launched_close(&l);
}

/* ---- threads ---- */

static const char one_step[] = "template t \"t\"\nsize n = 100\nparameter K \"k\"\nsource \"t.cu\"\n"
                               "buffer x : int[n] in index()\nbuffer y : int[n] out\n"
                               "launch { add<<<4, 32>>>(x, y, K, n) }\ncheck y exact\n";
static void many_threads_launch_one_kernel(void **state)
{
    (void)state;
    struct launched l;
    struct tune_kernel kernel;
    static struct caller callers[64];
    const size_t count = sizeof callers / sizeof *callers;
    open_kernel(&l, &kernel, one_step, add_source);
    callers_begin(callers, count,
                  &(struct caller){.kernel = &kernel, .numbers = N, .rounds = 10, .factor = 1, .summand = 5});
    for (size_t i = 0; i < count; i++)
        caller_end(&callers[i]);
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_calls_are_refused),        cmocka_unit_test(a_kernel_describes_itself),
        cmocka_unit_test(newer_versions_take_over),       cmocka_unit_test(what_is_prepared_stays_in_use),
        cmocka_unit_test(many_threads_launch_one_kernel),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
