/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that name parts of files; they are the same when they have been written and read. */
#include "tests/unit/data/opened.h"
#include "tests/unit/fixture.h"

#include "tuner/job/job.h"

#include <jansson.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 16\nawkward n = 3\nparameter A\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"               \
    "buffer y : int[n] out\ncheck y exact\nbuffer x : float[A * n] in file(\"x.npy\")\n"
#define COMPUTED TEMPLATE "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y)) }\n"

/* A problem of the template with files, which are to be freed; with `settings` at size n = 8. */
static struct inputs *make_with(struct fixture *fixture, const char *text, const struct input_setting *settings,
                                size_t count)
{
    struct inputs *inputs;
    memset(fixture, 0, sizeof *fixture);
    fixture->device = fixture_device();
    assert_success(
        template_parse("test.template", opened_folder, text, strlen(text), &fixture->template, &fixture->error),
        &fixture->error);
    static const char space[] = "space s of t\nset A = 2\n";
    assert_success(space_parse("s.space", space, strlen(space), fixture->template, &fixture->space, &fixture->error),
                   &fixture->error);
    assert_success(inputs_open(fixture->template, settings, count, &inputs, &fixture->error), &fixture->error);
    const struct size_setting size = {"n", 8};
    const struct problem_request request = {.template = fixture->template,
                                            .space = fixture->space,
                                            .device = &fixture->device,
                                            .sizes = &size,
                                            .size_count = count > 0,
                                            .inputs = inputs};
    assert_success(problem_make(&request, &fixture->problem, &fixture->error), &fixture->error);
    return inputs;
}

static bool lower(struct fixture *fixture, struct inputs **inputs, const char *text, struct job **job)
{
    *inputs = make_with(fixture, text, NULL, 0);
    return job_lower(fixture->problem, 0, 1, job, &fixture->error);
}

static struct job *again(struct job *job)
{
    struct error error = {0};
    struct job *copy;
    json_t *json = job_to_json(job);
    assert_success(job_from_json(json, &copy, &error), &error);
    json_decref(json);
    job_free(job);
    return copy;
}

static void test_initial(void **state)
{
    (void)state;
    struct fixture fixture;
    struct inputs *inputs;
    struct job *job;
    opened_write("x.npy", "<f4", "False", "(32,)", 128);
    assert_success(lower(&fixture, &inputs, COMPUTED, &job), &fixture.error);
    job = again(job);
    assert_true(job->has_awkward);
    const struct job_case *tuned = &job->cases[JOB_TUNED], *awkward = &job->cases[JOB_AWKWARD];
    assert_null(job_data_of(tuned, 0));
    const struct job_data *data = job_data_of(tuned, 1);
    assert_non_null(data);
    assert_int_equal(tuned->buffers[1].initial, INITIAL_FILE);
    assert_int_equal(data->count, 32);
    assert_int_equal(job_data_of(awkward, 1)->count, 6); /* a prefix */
    assert_string_equal(data->name, "x.npy");
    assert_int_equal(data->path[0], '/');
    assert_int_equal(data->stamp, inputs->list[0].file->stamp);
    assert_int_equal(data->offset, inputs->list[0].file->offset);
    assert_null(tuned->checks[0].expected.path);
    uint64_t key = job->reference_key;
    job_free(job);
    inputs_free(inputs);
    fixture_free(&fixture);

    FILE *file = fopen(opened_path("x.npy"), "r+b"); /* other data: other expected values */
    assert_non_null(file);
    fseek(file, -1, SEEK_END);
    fputc('x', file);
    fclose(file);
    assert_success(lower(&fixture, &inputs, COMPUTED, &job), &fixture.error);
    assert_true(job->reference_key != key);
    job_free(job);
    inputs_free(inputs);
    fixture_free(&fixture);

    opened_write("x.npy", "<f4", "False", "(31,)", 124); /* the extent depends on a parameter: seen here only */
    assert_false(lower(&fixture, &inputs, COMPUTED, &job));
    assert_string_equal(fixture.error.text, "x.npy has 31 elements, but x has 32 at size n=16");
    inputs_free(inputs);
    fixture_free(&fixture);
}

/* Of files that are named in place of other values: all or none at the awkward size. */
static void test_short(void **state)
{
    (void)state;
    static const char text[] = "template t\nsize n = 5\nawkward n = 12\nparameter A\nsource \"k.cu\"\n"
                               "launch { k<<<1, 1>>>() }\nbuffer y : int[n] out\ncheck y exact\n"
                               "buffer x : float[n] in uniform(-1, 1)\nbuffer z : float[n] in constant(3)\n"
                               "setup \"s.cu\" { if given(x) { fill y = 1 } else { fill y = 2 }\nk<<<1, 1>>>() }\n"
                               "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y)) }\n";
    char paths[2][128];
    const struct input_setting settings[] = {{"x", paths[0]}, {"z", paths[1]}};
    for (int count = 11; count <= 12; count++) {
        struct fixture fixture;
        struct job *job;
        char shape[16];
        snprintf(shape, sizeof shape, "(%d,)", count);
        opened_write("x.npy", "<f4", "False", shape, 4 * (size_t)count);
        opened_write("z.npy", "<f4", "False", "(20,)", 80);
        snprintf(paths[0], sizeof paths[0], "%s", opened_path("x.npy"));
        snprintf(paths[1], sizeof paths[1], "%s", opened_path("z.npy"));
        struct inputs *inputs = make_with(&fixture, text, settings, 2);
        assert_success(job_lower(fixture.problem, 0, 1, &job, &fixture.error), &fixture.error);
        const struct job_case *tuned = &job->cases[JOB_TUNED], *awkward = &job->cases[JOB_AWKWARD];
        const bool reach = count == 12;
        assert_true(job->has_awkward);
        assert_int_equal(job_data_of(tuned, 1)->count, 8);
        assert_int_equal(job_data_of(tuned, 2)->count, 8);
        assert_int_equal(awkward->buffers[1].initial, reach ? INITIAL_FILE : INITIAL_UNIFORM);
        assert_int_equal(awkward->buffers[2].initial, reach ? INITIAL_FILE : INITIAL_CONSTANT);
        assert_true((job_data_of(awkward, 2) != NULL) == reach);
        assert_int_equal(awkward->setup.steps[0].bytes[0], reach ? 1 : 2);
        job_free(job);
        inputs_free(inputs);
        fixture_free(&fixture);
    }
}

/* The parts of a matrix, and what setup is told of it. */
static void test_matrix(void **state)
{
    (void)state;
    static const char text[] =
        "template t\nsize n = 16\nawkward n = 3\nsize m = 5\nparameter A\nsource \"k.cu\"\n"
        "launch { k<<<1, 1>>>() }\nbuffer s : int[n + 1] in\nbuffer c : int[m] in\nbuffer v : float[2 * m] in\n"
        "buffer y : double[n] out\nbuffer x : double[n] in\nmatrix B[n, n] = csr(s, c, v) file(\"a.mtx\")\n"
        "setup \"s.cu\" { if given(B) { fill x = 1 } else { fill x = 2 }\n"
        "if given(x) { k<<<1, 1>>>(x) } }\n"
        "check y exact\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n";
    struct fixture fixture;
    struct inputs *inputs;
    struct job *job;
    FILE *file = fopen(opened_path("a.mtx"), "wb");
    assert_non_null(file);
    fputs("%%MatrixMarket matrix coordinate real general\n4 4 2\n3 1 5\n1 2 7\n", file);
    assert_int_equal(fclose(file), 0);
    assert_success(lower(&fixture, &inputs, text, &job), &fixture.error);
    job = again(job);
    assert_false(job->has_awkward); /* a part of a matrix is none */
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    assert_string_equal(tuned->size_text, "n=4,m=2");
    static const enum matrix_array arrays[] = {MATRIX_STARTS, MATRIX_COLUMNS, MATRIX_VALUES};
    static const uint64_t counts[] = {5, 2, 4};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(job_data_of(tuned, i)->array, arrays[i]);
        assert_int_equal(job_data_of(tuned, i)->count, counts[i]);
        assert_int_equal(tuned->buffers[i].initial, INITIAL_FILE);
    }
    assert_int_equal(tuned->setup.count, 1);
    double filled;
    memcpy(&filled, tuned->setup.steps[0].bytes, sizeof filled);
    assert_true(filled == 1);
    job_free(job);
    inputs_free(inputs);
    fixture_free(&fixture);
}

static void test_expected(void **state)
{
    (void)state;
    struct fixture fixture;
    struct inputs *inputs;
    struct job *job;
    opened_write("x.npy", "<f4", "False", "(32,)", 128);
    opened_write("y.npy", "<f8", "False", "(16,)", 128);
    assert_success(lower(&fixture, &inputs, TEMPLATE "reference file(\"y.npy\")\n", &job), &fixture.error);
    job = again(job);
    assert_false(job->has_awkward);
    const struct job_data *expected = &job->cases[JOB_TUNED].checks[0].expected;
    assert_string_equal(expected->name, "y.npy");
    assert_int_equal(expected->count, 16);
    assert_false(expected->records);
    assert_int_equal(expected->element, ELEMENT_DOUBLE);
    job_free(job);
    inputs_free(inputs);
    fixture_free(&fixture);
}

/* Beside a kernel that computes the rest. */
static void test_expected_and_computed(void **state)
{
    (void)state;
    struct fixture fixture;
    struct inputs *inputs;
    struct job *job;
    opened_write("x.npy", "<f4", "False", "(32,)", 128);
    opened_write("z.npy", "<f8", "False", "(16,)", 128);
    assert_success(lower(&fixture, &inputs,
                         COMPUTED "buffer z : int[n] out\ncheck z exact\nreference z file(\"z.npy\")\n", &job),
                   &fixture.error);
    job = again(job);
    assert_false(job->has_awkward);
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    assert_null(tuned->checks[0].expected.path);
    assert_string_equal(tuned->checks[1].expected.name, "z.npy");
    assert_int_equal(tuned->reference.count, 1);
    job_free(job);
    inputs_free(inputs);
    fixture_free(&fixture);
}

/* A problem that was made without its files cannot be lowered. */
static void test_unread(void **state)
{
    (void)state;
    struct job *job;
    static const struct {
        const char *text, *message;
    } cases[] = {{COMPUTED, "the file of x has not been read"},
                 {"template t\nsize n = 16\nparameter A\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"
                  "buffer y : int[n] out\ncheck y exact\nreference file(\"y.npy\")\n",
                  "the file with the expected values of y has not been read"}};
    for (size_t i = 0; i < 2; i++) {
        struct fixture fixture;
        fixture_create(&fixture, cases[i].text, "space s of t\nset A = 2\n");
        assert_false(job_lower(fixture.problem, 0, 1, &job, &fixture.error));
        assert_string_equal(fixture.error.text, cases[i].message);
        fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_initial),
                                       cmocka_unit_test(test_short),
                                       cmocka_unit_test(test_matrix),
                                       cmocka_unit_test(test_expected),
                                       cmocka_unit_test(test_expected_and_computed),
                                       cmocka_unit_test(test_unread)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
