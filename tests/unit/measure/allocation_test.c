/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluations in which one allocation fails, each in its turn. Memory that the device lacks is an outcome of the
 * configuration, which is stored; memory that the process lacks is an error, and nothing may be stored.
 */
#include "tests/unit/measure/affine_job.h"

#include "tests/unit/failing_allocator.h"
#include "tuner/data/data_file.h"
#include "tuner/measure/evaluate.h"

static struct evaluator *evaluator;
static struct affine_job affine;
static struct compile_result image, rich_image;

/* The CPU device's memory is the host's: what fails there is the device's. */
static bool allocate_undisturbed(struct device *device, size_t bytes, uint64_t *address, struct error *failure)
{
    bool on = failing_allocator.on;
    failing_allocator.on = false;
    bool allocated = counting_allocate(device, bytes, address, failure);
    failing_allocator.on = on;
    return allocated;
}

static void compile(const char *text, struct compile_result *result)
{
    struct device_description description;
    const char *const kernels[] = {"k"};
    const struct compile_request request = {.path = "kernel.cu",
                                            .text = text,
                                            .length = strlen(text),
                                            .folder = affine_folder,
                                            .defines = "",
                                            .kernels = kernels,
                                            .kernel_count = 1,
                                            .scratch_folder = affine_folder};
    must(evaluator_describe(evaluator, &description, &error));
    must(counting_driver.compile(&description, &request, result, &error));
}

static int open_all(void **state)
{
    (void)state;
    if (affine_folder_create() != 0)
        return -1;
    cpu_fixture_driver();
    counting_driver.allocate = allocate_undisturbed;
    must(evaluator_create(&counting_driver, 0, NULL, &evaluator, &error));
    affine_make(&affine, NULL, NULL);
    static const char plain[] = "__global__ void k(const float *x, float *y, int n)\n{\n"
                                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    if (i < n) y[i] = 2 * x[i] + 1;\n}\n";
    static const char rich[] = "__global__ void k(cudaTextureObject_t x, float *y, float2 line, int n)\n{\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n) y[i] = line.x * tex1D<float>(x, i) + line.y;\n}\n";
    compile(plain, &image);
    compile(rich, &rich_image);
    return image.compiled && rich_image.compiled ? 0 : -1;
}

static int close_all(void **state)
{
    char command[128];
    (void)state;
    evaluator_free(evaluator);
    free(image.image);
    free(image.log);
    free(rich_image.image);
    free(rich_image.log);
    snprintf(command, sizeof command, "rm -rf %s", affine_folder); /* with what the compiler left */
    return allocations.live == 0 && system(command) == 0 ? 0 : -1;
}

static const struct compile_result *used = &image;

/* With a new key, so that the instance is created anew. */
static bool evaluate(struct evaluation *evaluation)
{
    const struct evaluation_effort effort = {.samples = 2};
    affine.job.reference_key++;
    error = (struct error){0};
    return evaluator_run(evaluator, &affine.job, used->image, used->image_bytes, &effort, evaluation, &error);
}

static void a_device_without_room_is_an_outcome(void **state)
{
    (void)state;
    struct evaluation evaluation;
    /* Fails for good: the cache of instances is emptied and the allocation tried again. */
    counting_driver.allocate = allocate_undisturbed;
    must(evaluate(&evaluation)); /* what is allocated once and kept, is */
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    evaluation_clear(&evaluation);
    affine.buffers[AFFINE_Y].extent = UINT64_C(1) << 50;
    must(evaluate(&evaluation));
    affine.buffers[AFFINE_Y].extent = AFFINE_N;
    assert_int_equal(evaluation.outcome, OUTCOME_MEMORY);
    evaluation_clear(&evaluation);
}

/* Two drivers that differ in nothing but the code with which every allocation from the n-th on fails. */
static size_t allocations_before_failure;
static enum error_code failure_code;

static bool allocate_until(struct device *device, size_t bytes, uint64_t *address, struct error *failure)
{
    if (allocations_before_failure == 0)
        return error_set(failure, failure_code, "the test fails this allocation");
    allocations_before_failure--;
    return counting_allocate(device, bytes, address, failure);
}

static void the_code_decides_between_outcome_and_error(void **state)
{
    (void)state;
    struct evaluation evaluation;
    counting_driver.allocate = allocate_until;
    for (size_t n = 0; n < 4; n++) { /* two buffers, reference and magnitude */
        allocations_before_failure = n;
        failure_code = ERROR_DOES_NOT_FIT;
        must(evaluate(&evaluation));
        assert_int_equal(evaluation.outcome, OUTCOME_MEMORY);
        assert_string_equal(evaluation.message, "the test fails this allocation");
        evaluation_clear(&evaluation);

        allocations_before_failure = n;
        failure_code = ERROR_OUT_OF_MEMORY;
        assert_false(evaluate(&evaluation));
        assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        assert_int_equal(evaluation.outcome, OUTCOME_OK); /* none was set: there is nothing to store */
        evaluation_clear(&evaluation);
    }
    counting_driver.allocate = allocate_undisturbed;
    must(evaluate(&evaluation));
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    evaluation_clear(&evaluation);
}

static void fail_each(void)
{
    struct evaluation evaluation;
    size_t n = 1, errors = 0;
    for (bool failed = true; failed; n++) {
        failing_allocator_begin(n);
        bool done = evaluate(&evaluation);
        failed = failing_allocator_end();
        if (!done) {
            assert_true(failed);
            if (error.code != ERROR_OUT_OF_MEMORY)
                fail_msg("allocation %zu: code %d, \"%s\"", n, (int)error.code, error.text);
            errors++;
        } else if (evaluation.outcome != OUTCOME_OK) {
            fail_msg("allocation %zu: stored as %s, \"%s\"", n, outcome_name(evaluation.outcome), evaluation.message);
        }
        evaluation_clear(&evaluation);
    }
    assert_true(n > 10 && errors > 0); /* some succeed: the cache of instances tries again */
    must(evaluate(&evaluation));       /* and the evaluator still works */
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    evaluation_clear(&evaluation);
}

static void a_process_without_memory_stores_nothing(void **state)
{
    (void)state;
    fail_each();
}

/* Elements 0, 1, 2 ... in a file, times `factor` plus `offset`. */
static struct job_data write_data(char path[128], const char *name, float factor, float offset)
{
    struct data_file *described;
    snprintf(path, 128, "%s/%s", affine_folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < AFFINE_N; i++) {
        float value = factor * (float)i + offset;
        fwrite(&value, sizeof value, 1, file);
    }
    assert_int_equal(fclose(file), 0);
    must(data_file_open(path, path, &described, &error));
    struct job_data data = {
        .path = path, .name = path, .count = AFFINE_N, .stamp = described->stamp, .element = ELEMENT_FLOAT};
    data_file_free(described);
    return data;
}

/* Data from files, a texture, a struct by value, two streams. */
static void nor_does_one_whose_job_has_it_all(void **state)
{
    (void)state;
    char paths[2][128];
    float line[] = {2, 1};
    struct job_data data[AFFINE_BUFFERS] = {[AFFINE_X] = write_data(paths[0], "x.bin", 1, 0)};
    struct job_compound compound = {
        .name = (char *)"float2", .c_name = (char *)"float2", .value = (unsigned char *)line, .bytes = sizeof line};
    struct job_argument arguments[] = {
        {.kind = ARGUMENT_TEXTURE, .buffer = AFFINE_X, .texture = {.dimensions = 1, .extent = {AFFINE_N, 1, 1}}},
        affine.arguments[1],
        {.kind = ARGUMENT_COMPOUND, .compound = &compound},
        affine.arguments[2]};
    struct job_step steps[] = {affine.launch, {.kind = STEP_WAIT, .stream = 0, .awaited = 1}};
    steps[0].arguments = arguments;
    steps[0].argument_count = 4;
    steps[0].stream = 1;
    struct job_case *tuned = &affine.job.cases[JOB_TUNED];
    affine.buffers[AFFINE_X].initial = INITIAL_FILE;
    affine.check.expected = write_data(paths[1], "y.bin", 2, 1);
    tuned->data = data;
    tuned->launch = (struct job_steps){steps, 2};
    tuned->reference.count = 0;
    used = &rich_image;
    fail_each();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_without_room_is_an_outcome),
        cmocka_unit_test(the_code_decides_between_outcome_and_error),
        cmocka_unit_test(a_process_without_memory_stores_nothing),
        cmocka_unit_test(nor_does_one_whose_job_has_it_all),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
