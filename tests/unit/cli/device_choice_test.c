/* SPDX-License-Identifier: Apache-2.0 */
/* What needs no device; the rest is tested with the program. */
#include "printed.h"

#include "tuner/cli/device_choice.h"

static void expect_error(const char *text, const char *message)
{
    struct device_choice choice;
    struct error error = {0};
    assert_false(device_choose(text, true, &choice, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, message);
}

static void what_is_no_device_is_refused(void **state)
{
    (void)state;
    expect_error("gpu", "--device: unknown device 'gpu'");
    expect_error("all", "--device: 'all' may be several devices, and this command works on one");
    expect_error("cuda:0,cuda:1", "--device: 'cuda:0,cuda:1' may be several devices, and this command works on one");
}

static void a_missing_device_says_how_many_there_are(void **state)
{
    (void)state;
    struct error error = {0};
    const struct device_driver *driver = device_driver_find("cuda");
    assert_false(device_missing(driver, 4, 1, "", &error));
    assert_string_equal(error.text, "--device: there is no cuda:4: this machine has 1 CUDA GPU");
    assert_false(device_missing(driver, 0, 0, "no driver", &error));
    assert_string_equal(error.text, "--device: there is no cuda:0: this machine has 0 CUDA GPUs");
    assert_string_equal(error.hint, "no driver");
}

static void nothing_runs_on_a_recorded_description(void **state)
{
    (void)state;
    char path[] = "/tmp/tune-device-XXXXXX.json";
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fputs("{\"kind\": \"cuda\"}", stream);
    fclose(stream);
    struct device_choice choice;
    struct error error = {0};
    bool read = device_choose(path, true, &choice, &error);
    remove(path);
    assert_false(read); /* but it is taken for a description */
    assert_true(choice.recorded);
    assert_false(device_can_run(&choice, &error));
    assert_string_equal(error.text, "--device: nothing can run on a recorded description");
    choice.recorded = false;
    assert_true(device_can_run(&choice, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_device_is_refused),
        cmocka_unit_test(a_missing_device_says_how_many_there_are),
        cmocka_unit_test(nothing_runs_on_a_recorded_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
