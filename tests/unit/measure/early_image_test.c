/* SPDX-License-Identifier: Apache-2.0 */
/* The validation kernels' image is compiled while the device is opened: expected, guessed, or guessed wrongly. */
#include "tests/unit/measure/must.h"

#include "tuner/measure/validation_kernels.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct error error;
static struct device_driver driver; /* the CPU device's, with a guess */
static struct device_description here;
static atomic_int compilations;
static int offers;
static const char *guessed; /* an architecture; NULL: it cannot tell */
static char folder[] = "/tmp/tune-early-image-XXXXXX";

static bool compile(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *failure)
{
    compilations++;
    return device_driver_find("cpu")->compile(description, request, result, failure);
}

static bool guess(struct device_description *description)
{
    if (!guessed)
        return false;
    *description = here;
    snprintf(description->architecture, sizeof description->architecture, "%s", guessed);
    return true;
}

static bool open_nothing(int ordinal, struct device **device, struct error *failure)
{
    (void)ordinal, (void)device;
    return error_set(failure, ERROR_WORK, "it is gone");
}

static void note_offer(const struct compile_offer *offer, void *context)
{
    (void)context;
    offers += offer->result->compiled;
}

static struct compile_images images(void)
{
    return (struct compile_images){.open = cache_open_to_read, .offer = note_offer};
}

static int set_up(void **state)
{
    (void)state;
    struct device *device;
    driver = *device_driver_find("cpu");
    must(driver.open(0, &device, &error) && driver.describe(device, &here, &error));
    driver.close(device);
    driver.compile = compile;
    driver.guess = guess;
    guessed = NULL;
    compilations = offers = 0;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) ? setenv("XDG_CACHE_HOME", folder, 1) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[64];
    unsetenv("XDG_CACHE_HOME");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The kernels work: what one fills, another finds filled. */
static void open_and_try(struct early_image *early)
{
    struct validation_kernels kernels;
    assert_non_null(early);
    must(validation_device_open(&kernels, &driver, 0, &error) &&
         validation_kernels_load_from(&kernels, NULL, early, &error));
    for (size_t i = 0; i < VALIDATION_KERNELS; i++)
        assert_non_null(kernels.kernels[i]);
    assert_non_null(kernels.images);
    validation_kernels_close(&kernels);
}

/* What is offered comes from the thread that opens the device, which has the channel. */
static void opens(const struct device_description *expected, const char *guess_of_driver, int compiled, int offered)
{
    const struct compile_images own = images();
    guessed = guess_of_driver;
    open_and_try(validation_kernels_begin(&driver, expected, &own));
    assert_int_equal(compilations, compiled);
    assert_int_equal(offers, offered);
}

static void test_for_the_device_that_is_expected(void **state)
{
    (void)state;
    opens(&here, NULL, 1, 1);
}

static void test_for_the_guess(void **state)
{
    (void)state;
    opens(NULL, here.architecture, 1, 1);
}

/* For another device it is compiled again, and only that is offered. */
static void test_for_another_device(void **state)
{
    (void)state;
    opens(NULL, "abacus", 2, 1);
}

static void test_without_a_guess(void **state)
{
    (void)state;
    opens(NULL, NULL, 1, 1);
}

static void test_an_image_that_is_stored_is_not_compiled(void **state)
{
    (void)state;
    struct validation_kernels kernels;
    const struct compile_images storing = {.open = cache_open};
    must(validation_kernels_open(&kernels, &driver, 0, &storing, &error));
    validation_kernels_close(&kernels);
    assert_int_equal(compilations, 1);
    opens(&here, NULL, 1, 0);
}

static void test_a_device_that_does_not_open(void **state)
{
    (void)state;
    struct validation_kernels kernels;
    struct error failure = {0};
    const struct compile_images own = images();
    struct early_image *early = validation_kernels_begin(&driver, &here, &own);
    driver.open = open_nothing;
    assert_false(validation_device_open(&kernels, &driver, 0, &failure));
    assert_string_equal(failure.text, "it is gone");
    early_image_drop(early);
    assert_int_equal(offers, 0);
    early_image_drop(NULL);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_for_the_device_that_is_expected),
        IN_FOLDER(test_for_the_guess),
        IN_FOLDER(test_for_another_device),
        IN_FOLDER(test_without_a_guess),
        IN_FOLDER(test_an_image_that_is_stored_is_not_compiled),
        IN_FOLDER(test_a_device_that_does_not_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
