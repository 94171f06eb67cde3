/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_fixture.h - common to the tests of the CPU device: an open device, and a kernel from its source in one call.
 */
#ifndef TUNE_TESTS_CPU_FIXTURE_H
#define TUNE_TESTS_CPU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"

#include "tuner/device/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct device_driver *const cpu = &cpu_driver;

struct cpu_fixture {
    struct device *device;
    struct device_description description;
    struct module *module;
    struct device_kernel *kernel;
    char scratch[64];
    struct error error;
};

static inline int cpu_fixture_open(void **state)
{
    struct cpu_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    strcpy(fixture->scratch, "/tmp/tune-cpu-XXXXXX");
    assert_non_null(mkdtemp(fixture->scratch));
    assert_success(cpu->open(0, &fixture->device, &fixture->error), &fixture->error);
    assert_success(cpu->describe(fixture->device, &fixture->description, &fixture->error), &fixture->error);
    *state = fixture;
    return 0;
}

static inline int cpu_fixture_close(void **state)
{
    struct cpu_fixture *fixture = *state;
    if (fixture->module)
        cpu->unload(fixture->device, fixture->module);
    cpu->close(fixture->device);
    assert_int_equal(rmdir(fixture->scratch), 0); /* compiling leaves nothing behind */
    free(fixture);
    return 0;
}

static inline struct compile_request request_for(const struct cpu_fixture *fixture, const char *text,
                                                 const char *const *kernel)
{
    return (struct compile_request){
        .path = "kernels/test.cu",
        .text = text,
        .length = strlen(text),
        .folder = "/tmp",
        .defines = "",
        .kernels = kernel,
        .kernel_count = 1,
        .scratch_folder = fixture->scratch,
    };
}

static inline void load_request(struct cpu_fixture *fixture, const struct compile_request *request)
{
    struct compile_result result;
    assert_success(cpu->compile(&fixture->description, request, &result, &fixture->error), &fixture->error);
    if (!result.compiled)
        fail_msg("does not compile:\n%s", result.log);
    assert_string_equal(result.log, "");
    assert_true(result.seconds > 0);
    assert_success(cpu->load(fixture->device, result.image, result.image_bytes, &fixture->module, &fixture->error),
                   &fixture->error);
    free(result.image);
    free(result.log);
    assert_success(cpu->kernel(fixture->module, request->kernels[0], &fixture->kernel, &fixture->error),
                   &fixture->error);
}

/* Compile and load `text`; launches then run its kernel `name`. */
static inline void load_kernel(struct cpu_fixture *fixture, const char *text, const char *name)
{
    struct compile_request request = request_for(fixture, text, &name);
    load_request(fixture, &request);
}

static inline uint64_t device_copy(struct cpu_fixture *fixture, const void *from, size_t bytes)
{
    uint64_t address;
    assert_success(cpu->allocate(fixture->device, bytes, &address, &fixture->error), &fixture->error);
    assert_int_equal(address % 4096, 0);
    assert_success(cpu->upload(fixture->device, address, from, bytes, &fixture->error), &fixture->error);
    return address;
}

/* `bytes` bytes of 0xAA on the device. */
static inline uint64_t device_room(struct cpu_fixture *fixture, size_t bytes)
{
    uint64_t address;
    assert_success(cpu->allocate(fixture->device, bytes, &address, &fixture->error), &fixture->error);
    assert_success(cpu->fill(fixture->device, address, 0xAA, bytes, &fixture->error), &fixture->error);
    return address;
}

#define D(...)         ((struct dimensions){__VA_ARGS__})
#define SHAPE(...)     (&(const struct launch_shape){__VA_ARGS__})
#define ARGUMENTS(...) (void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *)

static inline void launch(struct cpu_fixture *fixture, struct dimensions grid, struct dimensions block, size_t shared,
                          void *const *arguments, size_t count)
{
    assert_success(cpu->launch(fixture->device, fixture->kernel,
                               SHAPE(.grid = grid, .block = block, .dynamic_shared = shared), arguments, count,
                               &fixture->error),
                   &fixture->error);
    assert_success(cpu->synchronize(fixture->device, &fixture->error), &fixture->error);
}

static inline void fetch(struct cpu_fixture *fixture, void *to, uint64_t from, size_t bytes)
{
    assert_success(cpu->download(fixture->device, to, from, bytes, &fixture->error), &fixture->error);
}

/* A launch that must fault; fixture->error holds the fault. */
static inline void launch_faulting(struct cpu_fixture *fixture, struct dimensions grid, struct dimensions block,
                                   void *const *arguments, size_t count)
{
    assert_success(cpu->launch(fixture->device, fixture->kernel, SHAPE(.grid = grid, .block = block), arguments,
                               count, &fixture->error),
                   &fixture->error);
    assert_false(cpu->synchronize(fixture->device, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_FAULT);
}

/* Uniform in [-1, 1), reproducible. */
static inline float pseudo_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

#define cpu_test(f) cmocka_unit_test_setup_teardown(f, cpu_fixture_open, cpu_fixture_close)

#endif
