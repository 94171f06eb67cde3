/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU device's table of functions: what launches it refuses, what it says of kernels and of itself. */
#include "cpu_fixture.h"

#include <stdio.h>

static void assert_refused(struct bench *bench, struct dimensions grid, struct dimensions block, size_t shared,
                           size_t arguments, enum error_code code)
{
    int x = 0;
    void *values[2] = {&x, &x};
    assert_false(cpu->launch(bench->device, bench->kernel, grid, block, shared, values, arguments, &bench->error));
    assert_int_equal(bench->error.code, code);
    ok(cpu->synchronize(bench->device, &bench->error)); /* refusing does no harm */
}

static void launches_beyond_the_limits_are_refused(void **state)
{
    struct bench *bench = *state;
    load_kernel(bench, "__global__ void k(int x) {}\n", "k");
    assert_refused(bench, D(0, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 65536, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(1025, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(64, 32, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(1, 1, 65), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), (227 << 10) + 1, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), 0, 2, ERROR_INPUT);
}

static void shared_memory_is_counted_for_each_kernel(void **state)
{
    struct bench *bench = *state;
    const char *names[] = {"small", "large", "third"};
    struct compile_request request = request_for(
        bench,
        "__device__ int helper(int i) { __shared__ int common[10]; common[i] = i; __syncthreads(); return common[0]; "
        "}\n"
        "__global__ void small(int *x) { __shared__ float a[100]; a[threadIdx.x] = *x; __syncthreads();\n"
        "                                *x = helper(0) + (int)a[1]; }\n"
        "extern \"C\" __global__ void large(int *x) { __shared__ int b[12289]; b[*x] = 1; __syncthreads(); *x = "
        "b[1]; }\n"
        "__global__ void third(int *x) { extern __shared__ int s[]; s[0] = *x; __syncthreads(); *x = s[0]; }\n"
        "__global__ void not_asked_for(int *x) { __shared__ int c[9999]; c[*x] = 1; __syncthreads(); *x = c[1]; }\n",
        names);
    request.kernel_count = 3;
    load_request(bench, &request);
    struct kernel_resources resources;
    ok(cpu->resources(bench->device, bench->kernel, 256, 0, &resources, &bench->error));
    assert_int_equal(resources.shared_bytes, 440);
    assert_int_equal(resources.max_threads, 1024);
    assert_int_equal(resources.registers, -1);

    struct device_kernel *third, *missing;
    ok(cpu->kernel(bench->module, "third", &third, &bench->error));
    ok(cpu->resources(bench->device, third, 256, 1000, &resources, &bench->error));
    assert_int_equal(resources.shared_bytes, 1040);

    ok(cpu->kernel(bench->module, "large", &bench->kernel, &bench->error));
    assert_false(cpu->resources(bench->device, bench->kernel, 32, 0, &resources, &bench->error));
    assert_int_equal(bench->error.code, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);

    assert_false(cpu->kernel(bench->module, "smal", &missing, &bench->error));
    assert_non_null(strstr(bench->error.hint, "small"));
}

static void the_description_is_filled_in(void **state)
{
    struct bench *bench = *state;
    const struct device_description *d = &bench->description;
    assert_string_equal(d->kind, "cpu");
    assert_true(d->name[0] && d->architecture[0] && d->driver[0]);
    assert_int_equal(strlen(d->uuid), 20);
    assert_non_null(strpbrk(d->compiler, "0123456789"));
    assert_int_equal(d->sm_count, sysconf(_SC_NPROCESSORS_ONLN));
    /* The memory is part of a row's identity: it must not follow what other programs take. */
    FILE *meminfo = fopen("/proc/meminfo", "r");
    long long total_kib = 0;
    assert_true(meminfo && fscanf(meminfo, "MemTotal: %lld kB", &total_kib) == 1);
    fclose(meminfo);
    assert_int_equal(d->memory_bytes, total_kib * 1024 / 2);
    assert_true(d->peak_bandwidth > 1e8 && d->l2_bytes >= 0);
    struct device *second;
    assert_false(cpu->open(1, &second, &bench->error));
    uint64_t address;
    assert_false(cpu->allocate(bench->device, (size_t)1 << 60, &address, &bench->error));
    assert_int_equal(bench->error.code, ERROR_DOES_NOT_FIT);
}

static void time_passes(void **state)
{
    struct bench *bench = *state;
    double nanoseconds = 0;
    uint64_t address;
    ok(cpu->allocate(bench->device, (size_t)4 << 20, &address, &bench->error));
    ok(cpu->fill(bench->device, address, 1, (size_t)4 << 20, &bench->error));
    ok(cpu->start(bench->device, &bench->error));
    ok(cpu->flush_cache(bench->device, &bench->error));
    ok(cpu->stop(bench->device, &nanoseconds, &bench->error));
    assert_true(nanoseconds > 1e4 && nanoseconds < 1e10);
    cpu->release(bench->device, address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(launches_beyond_the_limits_are_refused),
        cpu_test(shared_memory_is_counted_for_each_kernel),
        cpu_test(the_description_is_filled_in),
        cpu_test(time_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
