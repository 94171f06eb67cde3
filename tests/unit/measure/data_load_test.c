/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and expected values from files, on the CPU device. */
#include "tests/unit/measure/cpu_fixture.h"

#include "tuner/data/data_file.h"
#include "tuner/measure/data_load.h"
#include "tuner/measure/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { IN, INOUT, OUT, BUFFERS };
enum { N = 5 };

static struct program_cache *programs;
static struct job_buffer buffers[BUFFERS];
static struct job_data data[BUFFERS];
static struct job_check check;
static struct job job;
static char path[] = "/tmp/data_load_test.XXXXXX";
static const int wholes[2 * N] = {0, 1, -2, 3, -4, 5, 6, 7, 8, 9};

static void make_job(void)
{
    struct data_file *file;
    must(data_file_open(path, path, &file, &error));
    const uint64_t all = file->bytes - 4;
    for (int i = IN; i <= INOUT; i++)
        data[i] = (struct job_data){.path = path,
                                    .name = path,
                                    .offset = 4,
                                    .count = N,
                                    .stamp = file->stamp,
                                    .hash = XXH3_64bits((const char *)wholes + 4, all),
                                    .all = all};
    data_file_free(file);
    check = (struct job_check){.buffer = OUT, .expected = data[IN]};
    check.expected.element = ELEMENT_INT;
    buffers[IN] = (struct job_buffer){(char *)"in", &scalar_layouts[ELEMENT_INT], N, BUFFER_IN, INITIAL_FILE, 0, 0};
    buffers[INOUT] =
        (struct job_buffer){(char *)"inout", &scalar_layouts[ELEMENT_INT], N, BUFFER_INOUT, INITIAL_FILE, 0, 0};
    buffers[OUT] =
        (struct job_buffer){(char *)"out", &scalar_layouts[ELEMENT_FLOAT], N, BUFFER_OUT, INITIAL_NONE, 0, 0};
    job = (struct job){.reference_key = 7, .seed = 1};
    job.cases[JOB_TUNED] = (struct job_case){
        .buffers = buffers, .buffer_count = BUFFERS, .data = data, .checks = &check, .check_count = 1};
}

static void expect_wholes(const struct instance *instance, size_t buffer)
{
    int found[N];
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, found, instance->buffers[buffer].memory.address, sizeof found,
                                     &error));
    assert_memory_equal(found, wholes + 1, sizeof found);
}

static void test_loaded(void **state)
{
    (void)state;
    struct instance *instance;
    double expected[N];
    struct report reports[2];
    make_job();
    must(instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error));
    expect_wholes(instance, IN);
    expect_wholes(instance, INOUT);
    must(validation.driver->download(validation.device, expected, instance->buffers[OUT].reference, sizeof expected,
                                     &error));
    for (size_t i = 0; i < N; i++)
        assert_true(expected[i] == wholes[i + 1]);

    /* Whatever was written, in-out buffers are restored, and a changed input is seen. */
    for (size_t i = IN; i <= INOUT; i++)
        must(validation.driver->fill(validation.device, instance->buffers[i].memory.address + 8, 0, 8, &error));
    must(instance_restore(&validation, instance, &error));
    expect_wholes(instance, INOUT);
    must(validation_reset_reports(&validation, 2, &error));
    must(instance_check_unchanged(&validation, instance, IN, 0, &error));
    must(instance_check_unchanged(&validation, instance, INOUT, 1, &error));
    must(validation_read_reports(&validation, reports, 2, &error));
    assert_int_equal(reports[0].changed, 2);
    assert_int_equal(reports[0].first_changed, 2);
    assert_int_equal(reports[1].changed, 0);
    instance_free(&validation, instance);
}

/* ---- matrices: buffers of one file, and of the same one with values of other types ---- */

enum { STARTS, INDICES, FLOATS, PAIRS, OTHER_STARTS, DENSE, RESULT, MATRIX_BUFFERS };
static const char text[] = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n3 1 1.5\n2 2 -4\n";

static void expect_bytes(const struct instance *instance, size_t buffer, const void *wanted, size_t bytes)
{
    unsigned char found[128];
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, found, instance->buffers[buffer].memory.address, bytes,
                                     &error));
    assert_memory_equal(found, wanted, bytes);
}
#define EXPECT(instance, buffer, type, ...)                                                                          \
    expect_bytes(instance, buffer, (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__})

static void test_matrix(void **state)
{
    (void)state;
    static const struct {
        enum matrix_array array;
        enum element element;
        uint64_t extent;
    } parts[] = {{MATRIX_STARTS, ELEMENT_INT, 4},   {MATRIX_COLUMNS, ELEMENT_UCHAR, 3},
                 {MATRIX_VALUES, ELEMENT_FLOAT, 4}, {MATRIX_VALUES, ELEMENT_COUNT, 3},
                 {MATRIX_STARTS, ELEMENT_LONG, 4},  {MATRIX_DENSE, ELEMENT_DOUBLE, 9},
                 {MATRIX_DENSE, ELEMENT_FLOAT, 9}};
    static const struct leaf pair_leaves[] = {{ELEMENT_DOUBLE, 0, ".x"}, {ELEMENT_DOUBLE, 8, ".y"}};
    static const struct layout pair = {"double2", "double2", 16, 16, 2, pair_leaves};
    struct job_buffer matrix_buffers[MATRIX_BUFFERS];
    struct job_data matrix_data[MATRIX_BUFFERS];
    char name[] = "/tmp/data_load_test.XXXXXX";
    int descriptor = mkstemp(name);
    assert_true(descriptor >= 0 && write(descriptor, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    close(descriptor);
    struct data_file *file;
    must(data_file_open(name, name, &file, &error));
    for (size_t i = 0; i < MATRIX_BUFFERS; i++) {
        const struct layout *layout = parts[i].element == ELEMENT_COUNT ? &pair : &scalar_layouts[parts[i].element];
        matrix_data[i] = (struct job_data){.path = name,
                                           .name = name,
                                           .count = parts[i].extent,
                                           .stamp = file->stamp,
                                           .hash = XXH3_64bits(text, sizeof text - 1),
                                           .all = file->bytes,
                                           .records = true,
                                           .array = parts[i].array};
        matrix_buffers[i] =
            (struct job_buffer){(char *)"part", layout, parts[i].extent, BUFFER_IN, INITIAL_FILE, 0, 0};
    }
    data_file_free(file);
    struct job_check result = {.buffer = RESULT, .expected = matrix_data[RESULT]};
    matrix_buffers[RESULT].role = BUFFER_OUT;
    matrix_buffers[RESULT].initial = INITIAL_NONE;
    matrix_data[RESULT] = (struct job_data){0};
    struct job matrix_job = {.reference_key = 8, .seed = 1};
    matrix_job.cases[JOB_TUNED] = (struct job_case){.buffers = matrix_buffers,
                                                    .buffer_count = MATRIX_BUFFERS,
                                                    .data = matrix_data,
                                                    .checks = &result,
                                                    .check_count = 1};
    struct instance *instance;
    must(instance_create(&validation, programs, &matrix_job, JOB_TUNED, &instance, &error));
    EXPECT(instance, STARTS, int32_t, 0, 1, 2, 3);
    EXPECT(instance, INDICES, uint8_t, 2, 1, 0);
    EXPECT(instance, FLOATS, float, 1.5F, -4, 1.5F, 0);
    EXPECT(instance, PAIRS, double, 1.5, 0, -4, 0, 1.5, 0);
    EXPECT(instance, OTHER_STARTS, int64_t, 0, 1, 2, 3);
    EXPECT(instance, DENSE, double, 0, 0, 1.5, 0, -4, 0, 1.5, 0, 0);
    double expected[9];
    must(validation.driver->download(validation.device, expected, instance->buffers[RESULT].reference,
                                     sizeof expected, &error));
    assert_true(expected[2] == 1.5 && expected[4] == -4 && expected[6] == 1.5 && expected[0] == 0);
    instance_free(&validation, instance);
    assert_int_equal(truncate(name, 60), 0);
    assert_false(instance_create(&validation, programs, &matrix_job, JOB_TUNED, &instance, &error));
    assert_non_null(strstr(error.text, "has changed while it was in use"));
    unlink(name);
}

/* The copies beside both buffers are part of what an instance takes. */
static void test_bytes(void **state)
{
    (void)state;
    make_job();
    const struct job_case *one = &job.cases[JOB_TUNED];
    uint64_t with = instance_bytes(one);
    job.cases[JOB_TUNED].data = NULL;
    assert_int_equal(with - instance_bytes(one), 2 * N * sizeof(int));
}

static void test_failures(void **state)
{
    (void)state;
    struct instance *instance;
    make_job();
    for (size_t n = 1;; n++) { /* whichever allocation fails, nothing stays behind */
        size_t live = allocations.live;
        fail_allocation(n, ERROR_DOES_NOT_FIT);
        if (instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error))
            break;
        assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
        assert_int_equal(allocations.live, live);
    }
    fail_allocation(0, ERROR_NONE);
    instance_free(&validation, instance);

    assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0); /* only touched */
    must(instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error));
    expect_wholes(instance, IN);
    instance_free(&validation, instance);

    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4 * N, SEEK_SET), 0);
    fputc(7, file);
    fclose(file);
    assert_false(instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "has changed while it was in use"));
}

static int open_all(void **state)
{
    int file = mkstemp(path);
    bool written = file >= 0 && write(file, wholes, sizeof wholes) == (ssize_t)sizeof wholes && close(file) == 0;
    return written && cpu_fixture_open(state) == 0 && program_cache_create(&programs, &error) ? 0 : -1;
}

static int close_all(void **state)
{
    program_cache_free(programs, validation.driver, validation.device);
    (void)unlink(path);
    return cpu_fixture_close(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loaded), cmocka_unit_test(test_matrix),
                                       cmocka_unit_test(test_bytes), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
