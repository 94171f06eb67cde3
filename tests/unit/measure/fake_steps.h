/* SPDX-License-Identifier: Apache-2.0 */
/* Steps on a fake device that writes down what is asked of it. */
#ifndef TUNE_TESTS_FAKE_STEPS_H
#define TUNE_TESTS_FAKE_STEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- the device ---- */

struct device_kernel {
    struct kernel_resources resources;
};

static struct {
    char log[1024];
    uint64_t flags[8]; /* what downloads give, in turn */
    size_t downloads;
    size_t pieces;
} fake;

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    size_t used = strlen(fake.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake.log + used, sizeof fake.log - used, format, arguments);
    va_end(arguments);
}

static bool launch(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                   void *const *arguments, size_t count, struct error *failure)
{
    struct dimensions grid = shape->grid, block = shape->block;
    (void)device, (void)failure;
    if (!kernel) {
        note("validation;"); /* a kernel of ours */
        return true;
    }
    note("launch %u,%u,%u x %u,%u,%u + %zu (", grid.x, grid.y, grid.z, block.x, block.y, block.z,
         shape->dynamic_shared);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, arguments[i], sizeof value);
        note("%s%llx", i ? "," : "", (unsigned long long)value);
    }
    note(");");
    return true;
}

static bool copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *failure)
{
    (void)device, (void)failure;
    note("copy %llx %llx %zu;", (unsigned long long)to, (unsigned long long)from, bytes);
    return true;
}

static bool fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *failure)
{
    (void)device, (void)failure;
    note("fill %llx %x %zu;", (unsigned long long)address, byte, bytes);
    return true;
}

static bool download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *failure)
{
    (void)device, (void)from, (void)failure;
    note("flag;");
    memcpy(to, &fake.flags[fake.downloads++], bytes);
    return true;
}

static bool resources(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *found, struct error *failure)
{
    (void)device, (void)failure;
    *found = kernel->resources;
    found->shared_bytes += (int64_t)shape->dynamic_shared;
    return true;
}

static bool block(struct device *device, struct error *failure)
{
    (void)device, (void)failure;
    note("block;");
    return true;
}

static bool start(struct device *device, struct error *failure)
{
    (void)device, (void)failure;
    note("start;");
    return true;
}

/* Pieces take 10 ns, 20 ns, ... */
static bool stop(struct device *device, double *nanoseconds, struct error *failure)
{
    (void)device, (void)failure;
    note("stop;");
    *nanoseconds = (double)(10 * ++fake.pieces);
    return true;
}

static const struct device_driver driver = {.kind = "fake",
                                            .launch = launch,
                                            .copy = copy,
                                            .fill = fill,
                                            .download = download,
                                            .resources = resources,
                                            .blocking_kernel = block,
                                            .start = start,
                                            .stop = stop};

/* ---- what is run on it ---- */

enum { FLOATS, INTS, DOUBLES, BUFFERS };

static struct validation_kernels validation;
static struct device_kernel kernels[2];
static struct device_kernel *kernel_list[] = {&kernels[0], &kernels[1]};
static struct symbol symbol;
static struct program program;
static struct instance_buffer buffers[BUFFERS];
static char buffer_names[][8] = {"floats", "ints", "doubles"};
static struct instance instance;

static inline int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    memset(kernels, 0, sizeof kernels);
    error = (struct error){0};
    validation = (struct validation_kernels){.driver = &driver};
    symbol = (struct symbol){.address = 0x9000, .bytes = 40};
    program = (struct program){.kernels = kernel_list, .symbols = &symbol, .kernel_count = 2, .symbol_count = 1};
    buffers[FLOATS] = (struct instance_buffer){.layout = &scalar_layouts[ELEMENT_FLOAT],
                                               .name = buffer_names[FLOATS],
                                               .extent = 100,
                                               .memory = {.address = 0x1000},
                                               .reference = 0x2000};
    buffers[INTS] = (struct instance_buffer){.name = buffer_names[INTS],
                                             .layout = &scalar_layouts[ELEMENT_INT],
                                             .extent = 10,
                                             .memory = {.address = 0x3000}};
    buffers[DOUBLES] = (struct instance_buffer){.layout = &scalar_layouts[ELEMENT_DOUBLE],
                                                .extent = 10,
                                                .memory = {.address = 0x4000},
                                                .reference = 0x5000,
                                                .magnitude = 0x6000};
    instance = (struct instance){.buffers = buffers, .buffer_count = BUFFERS};
    return 0;
}

static inline bool run(const struct job_step *step)
{
    const struct job_steps steps = {(struct job_step *)(uintptr_t)step, 1};
    return steps_run(&validation, &program, &steps, &instance, &error);
}

static inline void assert_run(const struct job_step *step, const char *expected)
{
    if (!run(step))
        fail_msg("%s", error.text);
    assert_string_equal(fake.log, expected);
    fake.log[0] = '\0';
}

static inline void assert_refused(const struct job_step *step, enum error_code code, const char *part)
{
    assert_false(run(step));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", error.text, part);
    assert_string_equal(fake.log, "");
}

#endif
