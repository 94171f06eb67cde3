/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_test.h - common to the programs that need a GPU. Each test runs in a process of its own, since nothing works
 * after a fault.
 *
 * Exit status of a program: 0 all passed, 1 some failed, 77 no GPU or no compiler.
 */
#ifndef TUNE_TESTS_GPU_TEST_H
#define TUNE_TESTS_GPU_TEST_H

#include "tuner/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(condition, ...)                                                                                        \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            printf("  %s:%d: %s is false: ", __FILE__, __LINE__, #condition);                                        \
            printf(__VA_ARGS__);                                                                                     \
            printf("\n");                                                                                            \
            fflush(stdout);                                                                                          \
            _exit(EXIT_FAILURE);                                                                                     \
        }                                                                                                            \
    } while (0)

#define MUST(call) CHECK(call, "%s %s", error.text, error.hint)

/* One per process. */
struct gpu {
    const struct device_driver *cuda;
    struct device *device;
    struct device_description description;
    struct compile_result compiled;
    struct module *module;
};

struct gpu_test {
    const char *name;
    void (*run)(struct gpu *gpu);
};

/* Run the tests named on the command line, or all. */
int gpu_test_main(const struct gpu_test *tests, size_t count, int argument_count, char **arguments);

/* Each ends the test on failure. `symbol` may be NULL. */
void compile_and_load(struct gpu *gpu, const char *text, const char *kernel, const char *symbol);
struct device_kernel *kernel_of(struct gpu *gpu, const char *text, const char *name, const char *symbol);
uint64_t allocate(struct gpu *gpu, size_t bytes);
void *host_memory(size_t bytes);

#endif
