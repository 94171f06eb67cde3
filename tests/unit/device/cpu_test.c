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
    assert_refused(bench, D(1, 1, 1), D(32, 33, 1), 0, 1, ERROR_RESOURCES);
    int x = 0;
    launch(bench, D(1, 1, 1), D(32, 32, 1), 0, ARGUMENTS(&x)); /* just fits */
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
    assert_true(resources.occupancy == 0.25); /* of 1024 threads */
    ok(cpu->resources(bench->device, bench->kernel, 1025, 0, &resources, &bench->error));
    assert_true(resources.occupancy == 0);

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

/* A device whose kernel faulted refuses everything with the same words, as a GPU's context does. */
static void a_fault_kills_the_device(void **state)
{
    struct bench *bench = *state;
    char text[sizeof bench->error.text];
    uint64_t address;
    double unused;
    load_kernel(bench, "__global__ void k(int x) { if (x) __trap(); }\n", "k");
    address = device_room(bench, 16);
    int x = 0;
    launch(bench, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&x));
    x = 1;
    launch_faulting(bench, D(1, 1, 1), D(1, 1, 1), ARGUMENTS(&x));
    strcpy(text, bench->error.text);
    assert_non_null(strstr(text, "kernel 'k': __trap() at line 1"));
    struct {
        const char *what;
        bool done;
    } calls[] = {
        {"launch", cpu->launch(bench->device, bench->kernel, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&x), NULL)},
        {"synchronize", cpu->synchronize(bench->device, NULL)},
        {"fill", cpu->fill(bench->device, address, 0, 16, NULL)},
        {"copy", cpu->copy(bench->device, address, address, 16, NULL)},
        {"upload", cpu->upload(bench->device, address, &x, sizeof x, NULL)},
        {"download", cpu->download(bench->device, &x, address, sizeof x, NULL)},
        {"flush_cache", cpu->flush_cache(bench->device, NULL)},
        {"start", cpu->start(bench->device, NULL)},
        {"stop", cpu->stop(bench->device, &unused, NULL)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].done)
            fail_msg("%s works on a dead device", calls[i].what);
    }
    assert_false(cpu->synchronize(bench->device, &bench->error));
    assert_string_equal(bench->error.text, text);
}

static void memory_is_copied_and_filled(void **state)
{
    struct bench *bench = *state;
    const char text[] = "0123456789";
    char got[sizeof text];
    uint64_t a = device_copy(bench, text, sizeof text), b = device_room(bench, sizeof text);
    ok(cpu->copy(bench->device, b, a, sizeof text, &bench->error));
    ok(cpu->copy(bench->device, b + 2, b, 5, &bench->error)); /* overlapping */
    ok(cpu->fill(bench->device, b + 9, 'x', 1, &bench->error));
    fetch(bench, got, b, sizeof got);
    assert_string_equal(got, "010123478x");
    cpu->release(bench->device, a);
    cpu->release(bench->device, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(launches_beyond_the_limits_are_refused),
        cpu_test(shared_memory_is_counted_for_each_kernel),
        cpu_test(the_description_is_filled_in),
        cpu_test(time_passes),
        cpu_test(a_fault_kills_the_device),
        cpu_test(memory_is_copied_and_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
