/* SPDX-License-Identifier: Apache-2.0 */
/*
 * affine_job.h - a job made by hand for the CPU device, y = 2 x + 1 at n = 100, whose kernel, setup and reference the
 * test may replace. Needs cpu_fixture.h.
 */
#ifndef TUNE_TESTS_AFFINE_JOB_H
#define TUNE_TESTS_AFFINE_JOB_H

#include "tests/unit/measure/cpu_fixture.h"

enum { AFFINE_X, AFFINE_Y, AFFINE_BUFFERS, AFFINE_N = 100 };

struct affine_job {
    struct job job;
    struct job_buffer buffers[AFFINE_BUFFERS];
    struct job_argument arguments[3], reference_arguments[5];
    struct job_step launch, setup, reference;
    struct job_check check;
};

static char affine_folder[64];
static char affine_paths[3][128]; /* kernel, setup, reference */
static char *affine_names[3][1] = {{(char *)"k"}, {(char *)"setup"}, {(char *)"reference"}};

#define AFFINE_HEAD(parameters)                                                                                      \
    "(" parameters ", int n)\n{\nint i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) {\n"

static inline int affine_folder_create(void)
{
    static const char *const files[] = {"kernel.cu", "setup.cu", "reference.cu"};
    snprintf(affine_folder, sizeof affine_folder, "/tmp/tune-affine-XXXXXX");
    if (!mkdtemp(affine_folder))
        return -1;
    for (size_t i = 0; i < 3; i++)
        snprintf(affine_paths[i], sizeof affine_paths[i], "%s/%s", affine_folder, files[i]);
    return 0;
}

static inline int affine_folder_remove(void)
{
    for (size_t i = 0; i < 3; i++)
        (void)unlink(affine_paths[i]);
    return rmdir(affine_folder);
}

static inline void affine_write(size_t which, const char *head, const char *body)
{
    FILE *file = fopen(affine_paths[which], "w");
    assert_non_null(file);
    fprintf(file, "__global__ void %s%s%s\n}\n}\n", affine_names[which][0], head, body);
    assert_int_equal(fclose(file), 0);
}

static inline struct job_program affine_program(size_t which)
{
    return (struct job_program){.path = affine_paths[which],
                                .folder = affine_folder,
                                .defines = (char *)"",
                                .kernels = affine_names[which],
                                .kernel_count = 1};
}

/* Bodies with i < n, and x and y, or ref and mag as well; NULL: the right kernel and reference, no setup. */
static inline void affine_make(struct affine_job *a, const char *setup, const char *reference)
{
    const struct dimensions grid = {2, 1, 1}, block = {64, 1, 1};
    int n = AFFINE_N;
    memset(a, 0, sizeof *a);
    affine_write(0, AFFINE_HEAD("const float *x, float *y"), "y[i] = 2 * x[i] + 1;");
    affine_write(1, AFFINE_HEAD("float *x, float *y"), setup ? setup : "");
    affine_write(2, AFFINE_HEAD("const float *x, const float *y, double *ref, double *mag"),
                 reference ? reference : "ref[i] = 2.0 * x[i] + 1; mag[i] = fabs(2.0 * x[i]) + 1;");
    a->buffers[AFFINE_X] =
        (struct job_buffer){(char *)"x", &scalar_layouts[ELEMENT_FLOAT], AFFINE_N, BUFFER_IN, INITIAL_UNIFORM, -1, 1};
    a->buffers[AFFINE_Y] =
        (struct job_buffer){(char *)"y", &scalar_layouts[ELEMENT_FLOAT], AFFINE_N, BUFFER_OUT, INITIAL_NONE, 0, 0};
    a->arguments[0] = (struct job_argument){.kind = ARGUMENT_BUFFER, .buffer = AFFINE_X};
    a->arguments[1] = (struct job_argument){.kind = ARGUMENT_BUFFER, .buffer = AFFINE_Y};
    a->arguments[2] = (struct job_argument){.kind = ARGUMENT_SCALAR, .element = ELEMENT_INT};
    memcpy(a->arguments[2].bytes, &n, sizeof n);
    a->reference_arguments[0] = a->arguments[0];
    a->reference_arguments[1] = a->arguments[1];
    a->reference_arguments[2] = (struct job_argument){.kind = ARGUMENT_REFERENCE, .buffer = AFFINE_Y};
    a->reference_arguments[3] = (struct job_argument){.kind = ARGUMENT_MAGNITUDE, .buffer = AFFINE_Y};
    a->reference_arguments[4] = a->arguments[2];
    a->launch = (struct job_step){
        .kind = STEP_LAUNCH, .grid = grid, .block = block, .arguments = a->arguments, .argument_count = 3};
    a->setup = a->launch;
    a->reference = a->launch;
    a->reference.arguments = a->reference_arguments;
    a->reference.argument_count = 5;
    a->check = (struct job_check){.buffer = AFFINE_Y, .bound = 3 * 0x1p-24};
    a->job = (struct job){.program = affine_program(0),
                          .setup = affine_program(1),
                          .reference = affine_program(2),
                          .reference_key = 1,
                          .seed = 1};
    a->job.cases[JOB_TUNED] = (struct job_case){.size_text = (char *)"n=100",
                                                .buffers = a->buffers,
                                                .buffer_count = AFFINE_BUFFERS,
                                                .setup = {&a->setup, setup ? 1 : 0},
                                                .launch = {&a->launch, 1},
                                                .reference = {&a->reference, 1},
                                                .checks = &a->check,
                                                .check_count = 1};
}

#endif
