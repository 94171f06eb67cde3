/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_fixture.h - what the tests of the CPU device share: an open device, and a kernel from its source in one call.
 */
#ifndef TUNE_TESTS_CPU_FIXTURE_H
#define TUNE_TESTS_CPU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct device_driver *const cpu = &cpu_driver;

struct bench {
    struct device *device;
    struct device_description description;
    struct module *module;
    struct device_kernel *kernel;
    char scratch[64];
    struct error error;
};

#define ok(call)                                                                                                     \
    do {                                                                                                             \
        if (!(call))                                                                                                 \
            fail_msg("%s: %s", #call, bench->error.text);                                                            \
    } while (0)

static inline int bench_open(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    strcpy(bench->scratch, "/tmp/tune-cpu-XXXXXX");
    assert_non_null(mkdtemp(bench->scratch));
    ok(cpu->open(0, &bench->device, &bench->error));
    ok(cpu->describe(bench->device, &bench->description, &bench->error));
    *state = bench;
    return 0;
}

static inline int bench_close(void **state)
{
    struct bench *bench = *state;
    if (bench->module)
        cpu->unload(bench->device, bench->module);
    cpu->close(bench->device);
    assert_int_equal(rmdir(bench->scratch), 0); /* compiling leaves nothing behind */
    free(bench);
    return 0;
}

static inline struct compile_request request_for(const struct bench *bench, const char *text,
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
        .scratch_folder = bench->scratch,
    };
}

static inline void load_request(struct bench *bench, const struct compile_request *request)
{
    struct compile_result result;
    ok(cpu->compile(&bench->description, request, &result, &bench->error));
    if (!result.compiled)
        fail_msg("does not compile:\n%s", result.log);
    assert_string_equal(result.log, "");
    assert_true(result.seconds > 0);
    ok(cpu->load(bench->device, result.image, result.image_bytes, &bench->module, &bench->error));
    free(result.image);
    free(result.log);
    ok(cpu->kernel(bench->module, request->kernels[0], &bench->kernel, &bench->error));
}

/* Compile and load `text`; its kernel `name` is the one that launches mean. */
static inline void load_kernel(struct bench *bench, const char *text, const char *name)
{
    struct compile_request request = request_for(bench, text, &name);
    load_request(bench, &request);
}

static inline uint64_t device_copy(struct bench *bench, const void *from, size_t bytes)
{
    uint64_t address;
    ok(cpu->allocate(bench->device, bytes, &address, &bench->error));
    assert_int_equal(address % 4096, 0);
    ok(cpu->upload(bench->device, address, from, bytes, &bench->error));
    return address;
}

/* `bytes` bytes of 0xAA on the device. */
static inline uint64_t device_room(struct bench *bench, size_t bytes)
{
    uint64_t address;
    ok(cpu->allocate(bench->device, bytes, &address, &bench->error));
    ok(cpu->fill(bench->device, address, 0xAA, bytes, &bench->error));
    return address;
}

#define D(...)         ((struct dimensions){__VA_ARGS__})
#define ARGUMENTS(...) (void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *)

static inline void launch(struct bench *bench, struct dimensions grid, struct dimensions block, size_t shared,
                          void *const *arguments, size_t count)
{
    ok(cpu->launch(bench->device, bench->kernel, grid, block, shared, arguments, count, &bench->error));
    ok(cpu->synchronize(bench->device, &bench->error));
}

static inline void fetch(struct bench *bench, void *to, uint64_t from, size_t bytes)
{
    ok(cpu->download(bench->device, to, from, bytes, &bench->error));
}

/* Launch what is to fault; the text of the fault is in bench->error. */
static inline void launch_faulting(struct bench *bench, struct dimensions grid, struct dimensions block,
                                   void *const *arguments, size_t count)
{
    ok(cpu->launch(bench->device, bench->kernel, grid, block, 0, arguments, count, &bench->error));
    assert_false(cpu->synchronize(bench->device, &bench->error));
    assert_int_equal(bench->error.code, ERROR_FAULT);
}

/* Uniform in [-1, 1), the same in every run. */
static inline float pseudo_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

#define cpu_test(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)

#endif
