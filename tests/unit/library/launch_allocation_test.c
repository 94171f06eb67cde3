/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that are loaded and launched while one allocation fails, each in its turn: an error, and nothing is lost.
 */
#include "launched.h"

#include "tests/unit/failing_allocator.h"

enum { N = 40 };

static struct device_driver driver;
static bool compiles;

/* Allocations that fail in the cache make it forget: then there is nothing to be loaded. */
static bool compile_once(const struct device_description *description, const struct compile_request *request,
                         struct compile_result *result, struct error *why)
{
    return compiles ? device_driver_find("cpu")->compile(description, request, result, why)
                    : error_out_of_memory(why);
}

/* Load, prepare and launch; the first error is returned. */
static enum tune_code load_and_launch(const struct launched *l, int *y, struct tune_error *why)
{
    const struct code_request request = {.attached = l->attached, .problem = l->problem};
    struct variant *variant;
    struct code *code;
    int x[N];
    for (int i = 0; i < N; i++)
        x[i] = 3 * i + 1;
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    enum tune_code result = code_load(&request, &code, why);
    if (result != TUNE_OK)
        return result;
    result = variant_create(code, l->template, &variant, why);
    if (result != TUNE_OK)
        return result;
    if (variant_steps(variant, VARIANT_PREPARE)->count > 0)
        result = variant_run(variant, VARIANT_PREPARE, NULL, buffers, why);
    if (result == TUNE_OK)
        result = variant_run(variant, VARIANT_LAUNCH, NULL, buffers, why);
    variant_free(variant);
    return result;
}

static void fail_each(const char *template, const char *source, int last)
{
    struct launched l;
    struct tune_error why;
    int y[N] = {0};
    launched_write(&l, template, source);
    driver = *l.attached->driver;
    driver.compile = compile_once;
    l.attached->driver = &driver;
    compiles = true;
    assert_int_equal(load_and_launch(&l, y, &why), TUNE_OK);
    assert_int_equal(y[N - 1], last);
    compiles = false;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        memset(y, 0, sizeof y);
        failing_allocator_begin(n);
        enum tune_code code = load_and_launch(&l, y, &why);
        failed = failing_allocator_end();
        if (code == TUNE_OK)
            assert_int_equal(y[N - 1], last);
        else
            assert_int_equal(code, TUNE_ERROR_MEMORY);
        assert_true(failed || code == TUNE_OK);
    }
    launched_close(&l);
}

static void plans(void **state)
{
    (void)state;
    fail_each("template t \"t\"\nsize n = 40\nsource \"t.cu\"\n"
              "buffer x : int[n] in index()\nbuffer half : int[n] temp\nbuffer y : int[n] out\n"
              "launch {\n    fill half = 0\n    add<<<2, 32>>>(x, half, int2(4, 5), n)\n"
              "    add<<<2, 32>>>(half, y, int2(0, 6), n)\n}\ncheck y exact\n",
              "extern \"C\" __global__ void add(const int *x, int *y, int2 by, int n)\n"
              "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + by.x + by.y; }\n"
              "extern \"C\" __global__ void zero(double *y, int n) { }\n",
              3 * (N - 1) + 1 + 15);
}

static void what_is_interpreted(void **state)
{
    (void)state;
    fail_each(
        "template t \"t\"\nsize n = 40\nsource \"t.cu\"\ncount m at most 100\n"
        "buffer x : int[n] in index()\nbuffer ones : int[n] scratch index()\n"
        "buffer late : int[m] temp\nbuffer y : int[n] out\n"
        "prepare {\n    add<<<2, 32>>>(x, ones, n)\n    read m = ones[3]\n    first<<<1, 1>>>(late, m)\n}\n"
        "launch { look<<<1, 1>>>(texture(x), late, y, m, n) }\ncheck y exact\n",
        "extern \"C\" __global__ void add(const int *x, int *y, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }\n"
        "extern \"C\" __global__ void first(int *late, int m) { for (int i = 0; i < m; i++) late[i] = 100 * i; }\n"
        "extern \"C\" __global__ void look(cudaTextureObject_t x, const int *late, int *y, int m, int n)\n"
        "{ for (int i = 0; i < n; i++) y[i] = tex1Dfetch<int>(x, i) + late[m - 1]; }\n"
        "extern \"C\" __global__ void zero(double *y, int n) { }\n",
        3 * (N - 1) + 1 + 100 * (3 + 10 - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans),
        cmocka_unit_test(what_is_interpreted),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
