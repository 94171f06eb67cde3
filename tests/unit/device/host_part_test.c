/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of two compilers, images of two parts, and calls of the host from another thread. */
#include "tests/unit/device/cpu_fixture.h"

#include "tuner/device/host_part.h"

#include <pthread.h>

static const char *const names[] = {"own", HOST_KERNEL "scale<2>", HOST_KERNEL "stop"};

static struct compile_request request_of(const struct cpu_fixture *fixture, const char *text)
{
    struct compile_request request = request_for(fixture, text, names);
    request.kernel_count = 3;
    request.symbols = (const char *const[]){"table"};
    request.symbol_count = 1;
    return request;
}

static const char source[] = "struct pair { double a; int b; };\n"
                             "template <int N> __global__ void scale(float *x, pair by, int n)\n"
                             "{ for (int i = blockIdx.x; i < n; i += gridDim.x) x[i] = N * x[i] * by.a + by.b; }\n"
                             "__global__ void stop(int when) { if (when == 7) __trap(); }\n";

/* What the other compiler is asked for, and answers. */
static struct {
    bool refuses;
    size_t kernels, symbols;
} other;

static bool compile_own(const struct device_description *description, const struct compile_request *request,
                        struct compile_result *result, struct error *error)
{
    (void)description, (void)error;
    other.kernels = request->kernel_count;
    other.symbols = request->symbol_count;
    assert_string_equal(request->kernels[0], "own");
    *result = (struct compile_result){.compiled = !other.refuses,
                                      .image = other.refuses ? NULL : strdup("OWN"),
                                      .image_bytes = other.refuses ? 0 : 4,
                                      .log = strdup(other.refuses ? "own: no" : ""),
                                      .seconds = 1,
                                      .spill_bytes = 8};
    return true;
}

static struct compile_result compile(struct cpu_fixture *fixture, const char *text)
{
    struct compile_result result;
    const struct compile_request request = request_of(fixture, text);
    assert_success(host_compile(compile_own, &fixture->description, &request, &result, &fixture->error),
                   &fixture->error);
    return result;
}

static void clear(struct compile_result *result)
{
    free(result->image);
    free(result->log);
}

static void names_with_and_without(void **state)
{
    struct cpu_fixture *fixture = *state;
    struct compile_request request = request_of(fixture, "");
    assert_null(host_kernel_name("hostess"));
    assert_string_equal(host_kernel_name(names[1]), "scale<2>");
    assert_true(host_is_wanted(&request));
    request.kernel_count = 1;
    assert_false(host_is_wanted(&request));
    char compiler[64];
    host_compiler(compiler, sizeof compiler);
    assert_string_equal(compiler, fixture->description.compiler);
}

static void either_compiler_may_refuse(void **state)
{
    struct cpu_fixture *fixture = *state;
    struct compile_result result = compile(fixture, source);
    struct host_image parts;
    assert_true(result.compiled && result.seconds > 1);
    assert_int_equal(result.spill_bytes, 8);
    assert_true(other.kernels == 1 && other.symbols == 1);
    assert_true(host_image_split(result.image, result.image_bytes, &parts, &fixture->error));
    assert_string_equal(parts.own, "OWN");
    assert_int_equal(parts.own_bytes, 4);
    assert_int_equal(parts.own_bytes + parts.host_bytes + 16, result.image_bytes);
    assert_false(host_image_split(result.image, 19, &parts, &fixture->error)); /* within the first part */
    assert_false(host_image_split(result.image, 15, &parts, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_WORK);
    assert_true(host_image_split("OWN", 4, &parts, &fixture->error));
    assert_null(parts.host);
    assert_int_equal(parts.own_bytes, 4);
    clear(&result);

    result = compile(fixture, "template <int N> __global__ void scale() { wrong(); }\n__global__ void stop() {}\n");
    assert_false(result.compiled);
    assert_null(result.image);
    assert_non_null(strstr(result.log, "wrong"));
    assert_int_equal(result.spill_bytes, -1);
    clear(&result);

    other.refuses = true;
    result = compile(fixture, source);
    other.refuses = false;
    assert_false(result.compiled);
    assert_string_equal(result.log, "own: no");
    clear(&result);
}

static void *run(void *call)
{
    host_call_run(call);
    return NULL;
}

static void run_aside(struct host_call *call)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, call), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Arguments are those of the moment of queueing. After a fault nothing runs any more. */
static void calls_from_another_thread(void **state)
{
    struct cpu_fixture *fixture = *state;
    struct error *error = &fixture->error;
    struct compile_result result = compile(fixture, source);
    struct host_image parts;
    struct host *host;
    struct host_module *module;
    struct host_kernel *scale, *stop;
    struct host_call *call, *later;
    const struct launch_shape *shape = SHAPE(.grid = {2, 1, 1}, .block = {1, 1, 1});
    float x[] = {1, 2, 3};
    struct {
        double a;
        int b;
    } by = {10, 5};
    uint64_t at = (uint64_t)(uintptr_t)x, count = 3, seven = 7;
    void *arguments[] = {&at, &by, &count};
    assert_success(host_open(false, &host, error), error);
    assert_success(host_image_split(result.image, result.image_bytes, &parts, error), error);
    assert_success(host_load(host, &parts, &module, error), error);
    assert_success(host_find(host, module, "scale<2>", &scale, error), error);
    assert_success(host_find(host, module, "stop", &stop, error), error);
    clear(&result);
    assert_false(host_find(host, module, "own", &scale, error));
    assert_false(host_call_create(host, scale, shape, arguments, 2, &call, error));
    assert_success(host_call_create(host, scale, shape, arguments, 3, &call, error), error);
    by.a = 0;
    count = 0;
    run_aside(call);
    assert_true(x[0] == 25 && x[1] == 45 && x[2] == 65);
    assert_true(host_check(host, error));

    *error = (struct error){0};
    count = 3;
    assert_success(host_call_create(host, stop, shape, (void *[]){&seven}, 1, &call, error), error);
    assert_success(host_call_create(host, scale, shape, arguments, 3, &later, error), error);
    run_aside(call);
    assert_false(host_check(host, error));
    assert_int_equal(error->code, ERROR_FAULT);
    run_aside(later);
    assert_true(x[0] == 25);
    assert_false(host_check(host, error));
    assert_int_equal(error->code, ERROR_FAULT);
    assert_success(host_call_create(host, scale, shape, arguments, 3, &call, error), error);
    host_call_drop(call);
    assert_true(host_check(host, error)); /* it is said once */
    assert_success(host_call_create(host, scale, shape, arguments, 3, &call, error), error);
    run_aside(call); /* but the device is dead */
    assert_true(x[0] == 25);
    assert_false(host_check(host, error));
    host_unload(host, module);
    host_close(host);
    assert_true(host_check(NULL, error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_with_and_without, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(either_compiler_may_refuse, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(calls_from_another_thread, cpu_fixture_open, cpu_fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
