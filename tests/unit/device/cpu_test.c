/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU device's table of functions: refused launches, resources, its description, faults. */
#include "cpu_fixture.h"

#include <stdio.h>

static void assert_refused(struct cpu_fixture *fixture, struct dimensions grid, struct dimensions block,
                           size_t shared, size_t arguments, enum error_code code)
{
    int x = 0;
    void *values[2] = {&x, &x};
    assert_false(cpu->launch(fixture->device, fixture->kernel,
                             SHAPE(.grid = grid, .block = block, .dynamic_shared = shared), values, arguments,
                             &fixture->error));
    assert_int_equal(fixture->error.code, code);
    assert_success(cpu->synchronize(fixture->device, &fixture->error), &fixture->error); /* refusing does no harm */
}

static void launches_beyond_the_limits_are_refused(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture, "__global__ void k(int x) {}\n", "k");
    assert_refused(fixture, D(0, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 65536, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 1, 1), D(1025, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 1, 1), D(32, 33, 1), 0, 1, ERROR_RESOURCES);
    int x = 0;
    launch(fixture, D(1, 1, 1), D(32, 32, 1), 0, ARGUMENTS(&x)); /* just fits */
    assert_refused(fixture, D(1, 1, 1), D(1, 1, 65), 0, 1, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 1, 1), D(32, 1, 1), (227 << 10) + 1, 1, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 1, 1), D(32, 1, 1), 0, 2, ERROR_INPUT);
}

static void shared_memory_is_counted_for_each_kernel(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *names[] = {"small", "large", "third"};
    struct compile_request request = request_for(
        fixture,
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
    load_request(fixture, &request);
    struct kernel_resources resources;
    assert_success(
        cpu->resources(fixture->device, fixture->kernel, SHAPE(.block = D(256, 1, 1)), &resources, &fixture->error),
        &fixture->error);
    assert_int_equal(resources.shared_bytes, 440);
    assert_int_equal(resources.max_threads, 1024);
    assert_int_equal(resources.registers, -1);
    assert_true(resources.occupancy == 0.25); /* of 1024 threads */
    assert_success(
        cpu->resources(fixture->device, fixture->kernel, SHAPE(.block = D(1025, 1, 1)), &resources, &fixture->error),
        &fixture->error);
    assert_true(resources.occupancy == 0);

    struct device_kernel *third, *missing;
    assert_success(cpu->kernel(fixture->module, "third", &third, &fixture->error), &fixture->error);
    assert_success(cpu->resources(fixture->device, third, SHAPE(.block = D(256, 1, 1), .dynamic_shared = 1000),
                                  &resources, &fixture->error),
                   &fixture->error);
    assert_int_equal(resources.shared_bytes, 1040);

    assert_success(cpu->kernel(fixture->module, "large", &fixture->kernel, &fixture->error), &fixture->error);
    assert_false(
        cpu->resources(fixture->device, fixture->kernel, SHAPE(.block = D(32, 1, 1)), &resources, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_RESOURCES);
    assert_refused(fixture, D(1, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);

    assert_false(cpu->kernel(fixture->module, "smal", &missing, &fixture->error));
    assert_non_null(strstr(fixture->error.hint, "small"));
}

static void the_description_is_filled_in(void **state)
{
    struct cpu_fixture *fixture = *state;
    const struct device_description *d = &fixture->description;
    assert_string_equal(d->kind, "cpu");
    assert_true(d->name[0] && d->architecture[0] && d->driver[0]);
    assert_int_equal(strlen(d->uuid), 20);
    assert_non_null(strpbrk(d->compiler, "0123456789"));
    assert_int_equal(d->sm_count, sysconf(_SC_NPROCESSORS_ONLN));
    /* The memory is part of a row's identity, so it must not depend on other programs. */
    FILE *meminfo = fopen("/proc/meminfo", "r");
    long long total_kib = 0;
    assert_true(meminfo && fscanf(meminfo, "MemTotal: %lld kB", &total_kib) == 1);
    fclose(meminfo);
    assert_int_equal(d->memory_bytes, total_kib * 1024 / 2);
    assert_true(d->peak_bandwidth > 1e8 && d->l2_bytes >= 0);
    struct device *second;
    assert_false(cpu->open(1, &second, &fixture->error));
    uint64_t address;
    assert_false(cpu->allocate(fixture->device, (size_t)1 << 60, &address, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_DOES_NOT_FIT);
}

static void the_bandwidth_is_measured_once(void **state)
{
    struct cpu_fixture *fixture = *state;
    const struct device_description *first = &fixture->description;
    struct device_description again, earlier = {.sm_count = first->sm_count, .peak_bandwidth = 5};
    assert_success(cpu->describe(fixture->device, &again, &fixture->error), &fixture->error);
    assert_true(again.peak_bandwidth == first->peak_bandwidth);
    cpu->recall(&earlier);
    assert_success(cpu->describe(fixture->device, &again, &fixture->error), &fixture->error);
    assert_true(again.peak_bandwidth == 5);
    earlier.sm_count++; /* of another machine */
    cpu->recall(&earlier);
    assert_success(cpu->describe(fixture->device, &again, &fixture->error), &fixture->error);
    assert_true(again.peak_bandwidth > 1e8);
}

static void time_passes(void **state)
{
    struct cpu_fixture *fixture = *state;
    double nanoseconds = 0;
    uint64_t address;
    assert_success(cpu->allocate(fixture->device, (size_t)4 << 20, &address, &fixture->error), &fixture->error);
    assert_success(cpu->fill(fixture->device, address, 1, (size_t)4 << 20, &fixture->error), &fixture->error);
    assert_success(cpu->start(fixture->device, &fixture->error), &fixture->error);
    assert_success(cpu->flush_cache(fixture->device, &fixture->error), &fixture->error);
    assert_success(cpu->stop(fixture->device, &nanoseconds, &fixture->error), &fixture->error);
    assert_true(nanoseconds > 1e4 && nanoseconds < 1e10);
    cpu->release(fixture->device, address);
}

/* After a fault the device refuses everything with the same error, as a GPU's context does. */
static void a_fault_kills_the_device(void **state)
{
    struct cpu_fixture *fixture = *state;
    char text[sizeof fixture->error.text];
    uint64_t address;
    double unused;
    load_kernel(fixture, "__global__ void k(int x) { if (x) __trap(); }\n", "k");
    address = device_room(fixture, 16);
    int x = 0;
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&x));
    x = 1;
    launch_faulting(fixture, D(1, 1, 1), D(1, 1, 1), ARGUMENTS(&x));
    strcpy(text, fixture->error.text);
    assert_non_null(strstr(text, "kernel 'k': __trap() at line 1"));
    struct {
        const char *what;
        bool done;
    } calls[] = {
        {"launch", cpu->launch(fixture->device, fixture->kernel, SHAPE(.grid = D(1, 1, 1), .block = D(1, 1, 1)),
                               ARGUMENTS(&x), NULL)},
        {"synchronize", cpu->synchronize(fixture->device, NULL)},
        {"fill", cpu->fill(fixture->device, address, 0, 16, NULL)},
        {"copy", cpu->copy(fixture->device, address, address, 16, NULL)},
        {"upload", cpu->upload(fixture->device, address, &x, sizeof x, NULL)},
        {"download", cpu->download(fixture->device, &x, address, sizeof x, NULL)},
        {"flush_cache", cpu->flush_cache(fixture->device, NULL)},
        {"start", cpu->start(fixture->device, NULL)},
        {"stop", cpu->stop(fixture->device, &unused, NULL)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].done)
            fail_msg("%s works on a dead device", calls[i].what);
    }
    assert_false(cpu->synchronize(fixture->device, &fixture->error));
    assert_string_equal(fixture->error.text, text);
}

static void memory_is_copied_and_filled(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char text[] = "0123456789";
    char got[sizeof text];
    uint64_t a = device_copy(fixture, text, sizeof text), b = device_room(fixture, sizeof text);
    assert_success(cpu->copy(fixture->device, b, a, sizeof text, &fixture->error), &fixture->error);
    assert_success(cpu->copy(fixture->device, b + 2, b, 5, &fixture->error), &fixture->error); /* overlapping */
    assert_success(cpu->fill(fixture->device, b + 9, 'x', 1, &fixture->error), &fixture->error);
    fetch(fixture, got, b, sizeof got);
    assert_string_equal(got, "010123478x");
    cpu->release(fixture->device, a);
    cpu->release(fixture->device, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(launches_beyond_the_limits_are_refused),
        cpu_test(shared_memory_is_counted_for_each_kernel),
        cpu_test(the_description_is_filled_in),
        cpu_test(the_bandwidth_is_measured_once),
        cpu_test(time_passes),
        cpu_test(a_fault_kills_the_device),
        cpu_test(memory_is_copied_and_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
