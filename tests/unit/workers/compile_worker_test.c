/* SPDX-License-Identifier: Apache-2.0 */
/* Compile worker requests and answers, and a live worker across a socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/forked_worker.h"
#include "tuner/device/device.h"
#include "tuner/workers/compile_worker.h"
#include "tuner/workers/remote_error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_answers(void **state)
{
    (void)state;
    struct compile_result result;
    struct compile_offer offer;
    bool offered;
    struct error error = {0};
    struct message answer = {.json = json_pack("{s:b, s:s, s:f, s:i, s:b}", "compiled", 1, "log", "a warning",
                                               "seconds", 0.25, "spill_bytes", 16, "cached", 1),
                             .blob = strdup("image"),
                             .blob_bytes = 6};
    assert_true(compile_answer(&answer, &result, &offer, &offered, &error));
    assert_true(result.compiled && result.cached && !result.crashed && !result.too_large);
    assert_string_equal(result.log, "a warning");
    assert_true(result.seconds == 0.25 && result.spill_bytes == 16 && result.image_bytes == 6);
    assert_string_equal(result.image, "image");
    assert_null(answer.blob); /* the result owns it now */
    message_clear(&answer);
    compile_result_clear(&result);
    assert_null(result.image);
}

static void test_an_error_comes_through_unchanged(void **state)
{
    (void)state;
    struct compile_result result;
    struct compile_offer offer;
    bool offered;
    struct error sent = {0}, error = {0};
    error_set(&sent, ERROR_WORK, "NVRTC does not work");
    struct message answer = {.json = json_pack("{s:o}", "error", error_to_json(&sent))};
    assert_false(compile_answer(&answer, &result, &offer, &offered, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_string_equal(error.text, "NVRTC does not work");
    message_clear(&answer);
}

static void test_incomplete_answers(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "{\"compiled\": true}",
                                        "{\"compiled\": 1, \"log\": \"\", \"seconds\": 1}",
                                        "{\"compiled\": true, \"log\": 5, \"seconds\": 1, \"spill_bytes\": 0}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct compile_result result;
        struct compile_offer offer;
        bool offered;
        struct error error = {0};
        struct message answer = {.json = json_loads(texts[i], 0, NULL)};
        assert_false(compile_answer(&answer, &result, &offer, &offered, &error));
        assert_int_equal(error.code, ERROR_MESSAGE);
        message_clear(&answer);
    }
}

static void test_a_program_that_is_not_utf8(void **state)
{
    (void)state;
    struct error error = {0};
    const struct job_program program = {.path = (char *)"na\xefve.cu", .folder = (char *)"."};
    assert_null(compile_request(&program, &error));
    assert_int_equal(error.code, ERROR_INPUT);
}

static void write_source(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_a_worker_compiles(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-compile-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.cu", folder);
    struct error error = {0};
    struct device_description description = {0};
    struct device *device;
    const struct device_driver *cpu = device_driver_find("cpu");
    assert_true(cpu->open(0, &device, &error) && cpu->describe(device, &description, &error));
    cpu->close(device);

    pid_t worker;
    struct channel *channel = start_worker(compile_worker, &worker);
    struct message answer = ask(channel, compile_open_request(&description, false, &error));
    assert_null(json_object_get(answer.json, "error"));
    message_clear(&answer);

    char *kernels[] = {(char *)"k"};
    struct job_program program = {
        .path = path, .folder = folder, .defines = (char *)"#define N 3\n", .kernels = kernels, .kernel_count = 1};
    static const struct {
        const char *text;
        bool compiled;
    } sources[] = {{"__global__ void k(int *x) { x[0] = N; }\n", true},
                   {"__global__ void k(int *x) { x[0] = M; }\n", false}};
    for (size_t i = 0; i < 2; i++) {
        struct compile_result result;
        struct compile_offer offer;
        bool offered;
        write_source(path, sources[i].text);
        answer = ask(channel, compile_request(&program, &error));
        assert_true(compile_answer(&answer, &result, &offer, &offered, &error));
        assert_int_equal(result.compiled, sources[i].compiled);
        assert_int_equal(result.image_bytes > 0, sources[i].compiled);
        assert_int_equal(strstr(result.log, "M") != NULL,
                         !sources[i].compiled); /* the log names the unknown identifier */
        message_clear(&answer);
        compile_result_clear(&result);
    }
    channel_free(channel); /* makes the worker exit */
    int status;
    assert_int_equal(waitpid(worker, &status, 0), worker);
    assert_int_equal(status, 0);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_an_error_comes_through_unchanged),
        cmocka_unit_test(test_incomplete_answers),
        cmocka_unit_test(test_a_program_that_is_not_utf8),
        cmocka_unit_test(test_a_worker_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
