/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub_fixture.h - common to the tests of CUB on the CPU device: kernels of the folder cub/, which take int inputs and
 * write int results, run as one block. Where NVRTC and CUB are installed, they must compile the same kernels.
 */
#ifndef TUNE_TESTS_CUB_FIXTURE_H
#define TUNE_TESTS_CUB_FIXTURE_H

#include "tests/unit/device/cpu_fixture.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/toolkit.h"

#include <limits.h>
#include <stdio.h>

/* Reads a kernel file; the caller frees it. */
static inline char *read_kernels(const char *file)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, TUNE_SOURCE_FOLDER "/tests/unit/device/cub/%s", file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 16) - 1, stream), 1, (1 << 16) - 2);
    fclose(stream);
    return text;
}

/* Inputs that are known to both sides: small numbers, not sorted, with repetitions and negatives. */
static inline int *make_inputs(size_t count)
{
    int *in = calloc(count, sizeof *in);
    assert_non_null(in);
    uint32_t seed = 5;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = (int)(seed >> 20) % 200 - 100;
    }
    return in;
}

/* `results` ints that one block writes of `in`; poisoned before. The caller frees them. */
static inline int *run_block(struct cpu_fixture *fixture, const char *file, const char *kernel,
                             struct dimensions block, const int *in, size_t count, size_t results)
{
    char *text = read_kernels(file);
    int *out = calloc(results, sizeof *out);
    assert_non_null(out);
    load_kernel(fixture, text, kernel);
    uint64_t from = device_copy(fixture, in, count * sizeof *in), to = device_room(fixture, results * sizeof *out);
    launch(fixture, D(1, 1, 1), block, 0, ARGUMENTS(&from, &to));
    fetch(fixture, out, to, results * sizeof *out);
    cpu->release(fixture->device, from);
    cpu->release(fixture->device, to);
    cpu->unload(fixture->device, fixture->module);
    fixture->module = NULL;
    free(text);
    return out;
}

static inline void expect_ints(const char *what, const int *got, const int *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (got[i] != wanted[i])
            fail_msg("%s: item %zu is %d, not %d", what, i, got[i], wanted[i]);
    }
}

/* The GPU's compiler, with its own CUB. */
static inline void nvrtc_accepts(const char *file, const char *const *kernels, size_t count)
{
    static const struct device_description sm90 = {.kind = "cuda", .name = "H100", .architecture = "sm_90"};
    char name[128], folder[PATH_MAX];
    cuda_compiler_name(name, sizeof name);
    if (!name[0] || !toolkit_find("", folder, sizeof folder)) {
        print_message("no NVRTC with the Toolkit's headers here\n");
        skip();
    }
    char *text = read_kernels(file);
    struct compile_request request = {.path = file,
                                      .text = text,
                                      .length = strlen(text),
                                      .folder = "/tmp",
                                      .defines = "",
                                      .kernels = kernels,
                                      .kernel_count = count};
    struct compile_result result;
    struct error error = {0};
    assert_success(device_driver_find("cuda")->compile(&sm90, &request, &result, &error), &error);
    if (!result.compiled)
        fail_msg("NVRTC does not compile %s:\n%s", file, result.log);
    free(result.image);
    free(result.log);
    free(text);
}

#endif
