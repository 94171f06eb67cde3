/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/measure/must.h"

#include "tuner/library/attached.h"

#include <stdio.h>
#include <string.h>

static struct error error;

static struct device_description here(void)
{
    struct device *device;
    struct device_description description;
    must(device_driver_find("cpu")->guest->attach(0, &device, &description, &error));
    device_driver_find("cpu")->close(device);
    return description;
}

static void the_cpu_device_is_shared(void **state)
{
    (void)state;
    const struct device_description description = here();
    struct attachments *all;
    struct attached *first, *second;
    bool entered = true;
    must(attachments_create(&all, &error));
    must(attachments_get(all, &description, 0, &first, &error));
    must(attachments_get(all, &description, 0, &second, &error));
    assert_ptr_equal(first, second);
    attached_release(first);
    attachments_free(all); /* the second outlives it */
    must(attached_enter(second, false, &entered, &error));
    assert_false(entered);
    attached_leave(second, entered);
    assert_string_equal(second->description.architecture, description.architecture);
    assert_string_not_equal(second->description.compiler, "");
    assert_true(second->driver->synchronize(second->device, &error));
    attached_release(second);
    attached_release(NULL);
    attachments_free(NULL);
}

static void another_machine_is_refused(void **state)
{
    (void)state;
    struct device_description description = here();
    struct attachments *all;
    struct attached *attached = NULL;
    must(attachments_create(&all, &error));
    snprintf(description.architecture, sizeof description.architecture, "z80");
    snprintf(description.name, sizeof description.name, "Spectrum");
    assert_false(attachments_get(all, &description, 0, &attached, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "Spectrum (z80)"));
    snprintf(description.kind, sizeof description.kind, "abacus");
    assert_false(attachments_get(all, &description, 0, &attached, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_null(attached);
    attachments_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_device_is_shared),
        cmocka_unit_test(another_machine_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
