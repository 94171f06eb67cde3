/* SPDX-License-Identifier: Apache-2.0 */
/* A child process describes the devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/worker_main.h"

#include <sys/stat.h>

/* A folder: the worker that can create it is killed. */
static const char killed_once[] = "DESCRIBE_TEST_KILLED";

static struct device_description cpu;

static void test_devices(void **state)
{
    (void)state;
    struct remains before = remains_now();
    struct device_description description = {0};
    struct error error = {0};
    int count = -1;
    assert_true(count_devices("cpu", &count, &error));
    assert_int_equal(count, 1);
    assert_string_equal(cpu.kind, "cpu");
    assert_true(cpu.sm_count > 0 && cpu.max_threads_per_block >= 256);

    assert_false(describe_device("cpu", 7, &description, &error));
    assert_true(error.text[0] != '\0');
    assert_false(count_devices("abacus", &count, &error));
    assert_non_null(strstr(error.text, "abacus"));
    assert_false(describe_device("abacus", 0, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);

    error = (struct error){0};
    assert_true(count_devices("cuda", &count, &error));
    assert_true(count > 0 || error.text[0] != '\0'); /* either devices, or the reason there are none */
    assert_true(count_devices("cuda", &count, NULL));

    struct found_device *found;
    size_t found_count;
    assert_true(describe_devices("cpu", &found, &found_count, &error));
    assert_int_equal(found_count, 1);
    assert_true(found[0].works && device_description_alike(&found[0].description, &cpu));
    free(found);
    assert_true(describe_devices("cuda", &found, &found_count, &error));
    assert_int_equal(found_count, count);
    free(found);
    assert_false(describe_devices("abacus", &found, &found_count, &error));
    free(found);
    remains_equal(before, remains_now());
}

static void test_compilers(void **state)
{
    (void)state;
    char name[sizeof cpu.compiler] = "?", other[sizeof name] = "?";
    struct error error = {0};
    assert_true(describe_compiler("cpu", name, sizeof name, &error));
    assert_string_equal(name, cpu.compiler);
    assert_true(describe_compiler("cuda", other, sizeof other, &error));
    assert_true(other[0] == '\0' || strncmp(other, "NVRTC ", 6) == 0);
    assert_false(describe_compiler("abacus", name, sizeof name, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_false(describe_compiler("cpu", name, 3, &error)); /* it is longer than that */
    assert_int_equal(error.code, ERROR_MESSAGE);
}

/* A person or the out-of-memory killer says nothing about the device. */
static void test_a_killed_worker_is_replaced(void **state)
{
    (void)state;
    struct device_description description = {0};
    struct error error = {0};
    char folder[600];
    snprintf(folder, sizeof folder, "%s/killed", getenv("TMPDIR"));
    setenv(killed_once, folder, 1);
    assert_true(describe_device("cpu", 0, &description, &error));
    assert_int_equal(rmdir(folder), 0); /* one was killed */
    unsetenv(killed_once);
    assert_true(device_description_alike(&description, &cpu));
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0 && getenv(killed_once) &&
        mkdir(getenv(killed_once), 0700) == 0)
        raise(SIGKILL);
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker_main(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices), cmocka_unit_test(test_compilers),
                                       cmocka_unit_test(test_a_killed_worker_is_replaced)};
    char folder[512];
    struct error error = {0};
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = 1;
    if (describe_device("cpu", 0, &cpu, &error))
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    else
        error_print(&error, stderr);
    return rmdir(folder) == 0 ? failed : 1;
}
