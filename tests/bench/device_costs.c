/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_costs - how long the host waits in each driver call that surrounds the launches of an evaluation, on the
 * first GPU while it is idle: medians of many calls, in microseconds.
 *
 *     device_costs
 */
#include "tuner/device/device.h"
#include "tuner/device/monotonic.h"
#include "tuner/measure/sampling.h"

#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 101 };

static const char text[] = "__global__ void nothing(int *out) { *out = 1; }\n";

struct costs {
    const struct device_driver *driver;
    struct device *device;
    struct compile_result compiled;
    struct module *module;
    struct device_kernel *kernel;
    uint64_t memory, allocated;
};

static bool load(struct costs *costs, struct error *error)
{
    return costs->driver->load(costs->device, costs->compiled.image, costs->compiled.image_bytes, &costs->module,
                               error);
}

static bool find(struct costs *costs, struct error *error)
{
    return costs->driver->kernel(costs->module, "nothing", &costs->kernel, error);
}

static bool launch(struct costs *costs, struct error *error)
{
    void *arguments[] = {&costs->memory};
    const struct launch_shape one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    return costs->driver->launch(costs->device, costs->kernel, &one, arguments, 1, error);
}

static bool wait(struct costs *costs, struct error *error)
{
    return costs->driver->synchronize(costs->device, error);
}

static bool read_back(struct costs *costs, struct error *error)
{
    char bytes[1024];
    return costs->driver->download(costs->device, bytes, costs->memory, sizeof bytes, error);
}

static bool flush(struct costs *costs, struct error *error)
{
    return costs->driver->flush_cache(costs->device, error) && wait(costs, error);
}

static bool allocate(struct costs *costs, struct error *error)
{
    return costs->driver->allocate(costs->device, 1 << 20, &costs->allocated, error);
}

static bool release(struct costs *costs, struct error *error)
{
    (void)error;
    costs->driver->release(costs->device, costs->allocated);
    return true;
}

static bool unload(struct costs *costs, struct error *error)
{
    (void)error;
    costs->driver->unload(costs->device, costs->module);
    costs->module = NULL;
    return true;
}

/* In this order in each round, so that each call finds what it needs. */
static const struct {
    const char *name;
    bool (*call)(struct costs *costs, struct error *error);
} calls[] = {
    {"load a module", load},      {"find its kernel", find}, {"first launch", launch},
    {"wait for it", wait},        {"second launch", launch}, {"wait for it", wait},
    {"wait for nothing", wait},   {"read 1 KiB", read_back}, {"flush the cache and wait", flush},
    {"allocate 1 MiB", allocate}, {"release it", release},   {"unload the module", unload},
};
enum { CALLS = sizeof calls / sizeof *calls };

static bool measure(struct costs *costs, double taken[CALLS][TIMES], struct error *error)
{
    for (size_t time = 0; time < TIMES; time++) {
        for (size_t i = 0; i < CALLS; i++) {
            double before = monotonic_seconds();
            if (!calls[i].call(costs, error))
                return false;
            taken[i][time] = monotonic_seconds() - before;
        }
    }
    return true;
}

static bool prepare(struct costs *costs, struct error *error)
{
    static const char *const name = "nothing";
    struct device_description description;
    const struct compile_request request = {
        .path = "nothing.cu", .text = text, .length = sizeof text - 1, .kernels = &name, .kernel_count = 1};
    return costs->driver->open(0, &costs->device, error) &&
           costs->driver->describe(costs->device, &description, error) &&
           costs->driver->compile(&description, &request, &costs->compiled, error) &&
           (costs->compiled.compiled || error_set(error, ERROR_WORK, "%s", costs->compiled.log)) &&
           costs->driver->allocate(costs->device, 1024, &costs->memory, error);
}

int main(void)
{
    static double taken[CALLS][TIMES];
    struct costs costs = {.driver = device_driver_find("cuda")};
    struct error error = {0};
    bool done = prepare(&costs, &error) && measure(&costs, taken, &error);
    for (size_t i = 0; done && i < CALLS; i++) {
        struct median median = median_of(taken[i], TIMES);
        printf("%-25s %8.1f us (%.1f to %.1f)\n", calls[i].name, 1e6 * median.value, 1e6 * median.low,
               1e6 * median.high);
    }
    if (!done)
        error_print(&error, stderr);
    free(costs.compiled.image);
    free(costs.compiled.log);
    if (costs.device)
        costs.driver->close(costs.device);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
