/* SPDX-License-Identifier: Apache-2.0 */
/* A whole job: programs, both sizes, and what its reference key depends on. */
#include "tests/unit/job/job_fixture.h"

#include <stdio.h>

static const char template_text[] =
    "template t\n"
    "size n = 1000\n"
    "size rounds = 3\n"
    "awkward n = 37\n"
    "parameter KIND\nparameter BLOCK\nparameter FACTOR\nparameter WIDE\n"
    "source \"plain.cu\" if KIND == \"plain\"\n"
    "source \"other.cu\"\n"
    "option \"-fast\" if WIDE\n"
    "option \"-always\"\n"
    "let tiles = ceil_div(n, BLOCK)\n"
    "let broken = n // (BLOCK - BLOCK)\n"
    "buffer x : float[n] in uniform(-1, 1)\n"
    "buffer y : float[n] out\n"
    "buffer z : float[n] temp\n"
    "buffer table : ushort[64] in index()\n"
    "setup \"setup.cu\" { make<<<1, 32>>>(table) }\n"
    "prepare { pack<<<tiles, BLOCK>>>(x, z) }\n"
    "launch {\n"
    "    copy lookup <- table[8 : 24]\n"
    "    fill y = 0.5\n"
    "    let half = BLOCK // 2\n"
    "    for i in range(0, rounds) {\n"
    "        if i % 2 == 0 { even<<<(tiles, 2), (half, 2), 4 * BLOCK>>>(x + i, y, i, 0.25, long(n * n)) }\n"
    "        else { odd<<<tiles, BLOCK>>>(y, z, uchar(i)) }\n"
    "    }\n"
    "    copy y[1] <- z[0 : n - 1]\n"
    "    copy y[0] <- z[4 : 4]\n"
    "}\n"
    "reference \"reference.cu\" { expect<<<ceil_div(n, 64), 64>>>(x, ref(y), mag(y), n) }\n"
    "check y within sum_error(n) * FACTOR\n"
    "work flops = 2 * n, bytes = 8 * n\n";

static const char space_text[] = "space s of t\nset KIND = \"plain\"\nparam BLOCK = [64, 128]\n"
                                 "set FACTOR = -2.5 + 3.5\nset WIDE = true\n";

static void test_programs(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct job *job = lower(&fixture, 1);
    assert_string_equal(job->program.path, "folder/plain.cu");
    assert_string_equal(job->program.folder, "folder");
    assert_string_equal(job->program.defines, "#define KIND plain\n#define KIND_plain 1\n#define BLOCK 128\n"
                                              "#define FACTOR 1.0\n#define WIDE 1\n");
    assert_int_equal(job->program.option_count, 2);
    assert_string_equal(job->program.options[0], "-fast");
    assert_int_equal(job->program.kernel_count, 3);
    assert_string_equal(job->program.kernels[0], "pack"); /* in the order in which they run */
    assert_string_equal(job->program.kernels[1], "even");
    assert_string_equal(job->program.kernels[2], "odd");
    assert_int_equal(job->program.symbol_count, 1);
    assert_string_equal(job->program.symbols[0], "lookup");
    assert_string_equal(job->setup.path, "folder/setup.cu");
    assert_string_equal(job->setup.defines, "");
    assert_string_equal(job->reference.path, "folder/reference.cu");
    assert_int_equal(job->reference.option_count, 0);
    assert_string_equal(job->reference.kernels[0], "expect");
    assert_int_equal(job->seed, 42);
    job_free(job);
    fixture_free(&fixture);
}

static void assert_even_launch(const struct job_step *step, int round)
{
    int32_t i;
    float quarter;
    int64_t square;
    assert_int_equal(step->kind, STEP_LAUNCH);
    assert_int_equal(step->kernel, 1);
    assert_int_equal(step->grid.x, 8); /* ceil(1000 / 128) */
    assert_int_equal(step->grid.y, 2);
    assert_int_equal(step->grid.z, 1);
    assert_int_equal(step->block.x, 64);
    assert_int_equal(step->block.y, 2);
    assert_int_equal(step->shared, 512);
    assert_int_equal(step->argument_count, 5);
    assert_int_equal(step->arguments[0].kind, ARGUMENT_BUFFER);
    assert_int_equal(step->arguments[0].buffer, 0);
    assert_int_equal(step->arguments[0].offset, round);
    memcpy(&i, step->arguments[2].bytes, sizeof i);
    memcpy(&quarter, step->arguments[3].bytes, sizeof quarter);
    assert_int_equal(step->arguments[2].element, ELEMENT_INT);
    assert_int_equal(i, round);
    assert_int_equal(step->arguments[3].element, ELEMENT_FLOAT);
    assert_true(quarter == 0.25f);
    memcpy(&square, step->arguments[4].bytes, sizeof square);
    assert_int_equal(step->arguments[4].element, ELEMENT_LONG);
    assert_int_equal(square, 1000 * 1000);
}

static void test_launches(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct job *job = lower(&fixture, 1);
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    const struct job_step *steps = tuned->launch.steps;
    assert_string_equal(tuned->size_text, "n=1000,rounds=3");
    assert_int_equal(tuned->launch.count, 6); /* without the empty copy */
    assert_int_equal(steps[0].kind, STEP_COPY_SYMBOL);
    assert_int_equal(steps[0].symbol, 0);
    assert_int_equal(steps[0].source, 3);
    assert_int_equal(steps[0].first, 8);
    assert_int_equal(steps[0].count, 16);
    assert_int_equal(steps[1].kind, STEP_FILL);
    float half;
    memcpy(&half, steps[1].bytes, sizeof half);
    assert_true(half == 0.5f);
    assert_even_launch(&steps[2], 0);
    assert_int_equal(steps[3].kernel, 2);
    assert_int_equal(steps[3].arguments[2].element, ELEMENT_UCHAR);
    assert_int_equal(steps[3].arguments[2].bytes[0], 1);
    assert_even_launch(&steps[4], 2);
    assert_int_equal(steps[5].kind, STEP_COPY);
    assert_int_equal(steps[5].target, 1);
    assert_int_equal(steps[5].target_first, 1);
    assert_int_equal(steps[5].source, 2);
    assert_int_equal(steps[5].count, 999);
    assert_int_equal(tuned->reference.count, 1);
    assert_int_equal(tuned->reference.steps[0].arguments[1].kind, ARGUMENT_REFERENCE);
    assert_int_equal(tuned->reference.steps[0].arguments[1].buffer, 1);
    assert_int_equal(tuned->reference.steps[0].arguments[2].kind, ARGUMENT_MAGNITUDE);
    assert_int_equal(tuned->setup.count, 1);
    assert_int_equal(tuned->prepare.count, 1);
    assert_true(tuned->work.flops == 2000 && tuned->work.bytes == 8000);
    assert_int_equal(tuned->check_count, 1);
    assert_false(tuned->checks[0].exact);
    assert_true(tuned->checks[0].bound > 0 && tuned->checks[0].bound < 1);
    job_free(job);
    fixture_free(&fixture);
}

static void test_buffers_at_both_sizes(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct job *job = lower(&fixture, 0);
    assert_true(job->has_awkward);
    assert_string_equal(job->cases[JOB_AWKWARD].size_text, "n=37,rounds=3");
    const uint64_t extents[] = {1000, 37};
    for (size_t i = 0; i < JOB_CASES; i++) {
        const struct job_buffer *buffers = job->cases[i].buffers;
        assert_int_equal(job->cases[i].buffer_count, 4);
        assert_string_equal(buffers[0].name, "x");
        assert_int_equal(buffers[0].extent, extents[i]);
        assert_int_equal(buffers[0].role, BUFFER_IN);
        assert_int_equal(buffers[0].initial, INITIAL_UNIFORM);
        assert_true(buffers[0].a == -1 && buffers[0].b == 1);
        assert_int_equal(buffers[1].role, BUFFER_OUT);
        assert_ptr_equal(buffers[3].layout, &scalar_layouts[ELEMENT_USHORT]);
        assert_int_equal(buffers[3].initial, INITIAL_INDEX);
    }
    assert_int_equal(job->cases[JOB_AWKWARD].launch.steps[2].grid.x, 1);
    job_free(job);
    fixture_free(&fixture);
}

/* A constraint that does not hold at the awkward size, and a template without awkward sizes. */
static void test_no_awkward_case(void **state)
{
    (void)state;
    char text[512];
    struct fixture fixture;
    snprintf(text, sizeof text, "%swhere BLOCK <= n / 10\n", space_text);
    fixture_create(&fixture, template_text, text);
    struct job *job = lower(&fixture, 0);
    assert_int_equal(problem_configuration_count(fixture.problem), 1);
    assert_false(job->has_awkward);
    assert_null(job->cases[JOB_AWKWARD].buffers);
    job_free(job);
    fixture_free(&fixture);
}

static uint64_t key_of(const char *space, int64_t n, uint64_t seed, size_t which)
{
    struct fixture fixture;
    struct job *job;
    struct size_setting setting = {"n", n};
    fixture_parse(&fixture, template_text, space);
    assert_success(problem_create(fixture.template, fixture.space, &fixture.device, &setting, 1, &fixture.problem,
                                  &fixture.error),
                   &fixture.error);
    assert_success(job_lower(fixture.problem, 0, seed, &job, &fixture.error), &fixture.error);
    uint64_t key = which < JOB_CASES ? job->cases[which].reference_key : job->reference_key;
    job_free(job);
    fixture_free(&fixture);
    return key;
}

/* The key depends on sizes and seed, not on the configuration. */
static void test_reference_key(void **state)
{
    (void)state;
    const char *const other =
        "space s of t\nset KIND = \"other\"\nset BLOCK = 32\nset FACTOR = 3\nset WIDE = false\n";
    uint64_t key = key_of(space_text, 1000, 1, JOB_CASES);
    assert_true(key == key_of(space_text, 1000, 1, JOB_CASES));
    assert_true(key == key_of(other, 1000, 1, JOB_CASES));
    assert_true(key != key_of(space_text, 1001, 1, JOB_CASES));
    assert_true(key != key_of(space_text, 1000, 2, JOB_CASES));
    uint64_t awkward = key_of(space_text, 1000, 1, JOB_AWKWARD);
    assert_true(awkward == key_of(other, 1001, 1, JOB_AWKWARD));
    assert_true(awkward != key_of(space_text, 1000, 1, JOB_TUNED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_buffers_at_both_sizes),
        cmocka_unit_test(test_no_awkward_case),
        cmocka_unit_test(test_reference_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
