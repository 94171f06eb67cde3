/* SPDX-License-Identifier: Apache-2.0 */
/* The table of devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/device.h"

#include <string.h>

static void drivers_are_found_by_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_driver_count; i++)
        assert_ptr_equal(device_driver_find(device_drivers[i]->kind), device_drivers[i]);
    assert_non_null(device_driver_find("cuda"));
    assert_non_null(device_driver_find("cpu"));
    assert_null(device_driver_find("abacus"));
    assert_null(device_driver_find(""));
    assert_null(device_driver_find("cud"));
}

/* The default is the first accelerator that is present, else the first other device, which is always present. */
static void accelerators_come_first(void **state)
{
    (void)state;
    bool accelerators_over = false;
    for (size_t i = 0; i < device_driver_count; i++) {
        assert_false(accelerators_over && device_drivers[i]->accelerator);
        accelerators_over = !device_drivers[i]->accelerator;
    }
    const struct device_driver *last = device_drivers[device_driver_count - 1];
    int count = 0;
    assert_false(last->accelerator);
    assert_true(last->count(&count, NULL));
    assert_int_equal(count, 1);
    assert_true(device_driver_find("cuda")->accelerator);
    assert_false(device_driver_find("cuda")->shares_cores);
    assert_true(device_driver_find("cpu")->shares_cores);
}

/* Only look, blocking_kernel and energy may be missing. */
static void every_driver_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_driver_count; i++) {
        const struct device_driver *d = device_drivers[i];
        assert_true(strlen(d->kind) > 0 && strlen(d->kind) < sizeof((struct device_description *)0)->kind);
        assert_true(strlen(d->title) > 0);
        assert_true(d->count && d->open && d->close && d->describe && d->compile && d->compile_identity);
        assert_true(d->load && d->unload && d->kernel && d->symbol && d->resources);
        assert_true(d->allocate && d->release && d->upload && d->download && d->copy && d->fill);
        assert_true(d->launch && d->synchronize && d->start && d->stop && d->flush_cache && d->state);
    }
}

static void names_of_devices(void **state)
{
    (void)state;
    const struct {
        const char *text, *kind; /* NULL: it names none */
        int ordinal;
    } cases[] = {
        {"cpu", "cpu", 0},
        {"cuda", "cuda", 0},
        {"cuda:0", "cuda", 0},
        {"cuda:12", "cuda", 12},
        {"cuda:1000", "cuda", 1000},
        {"cuda:1001", NULL, 0},
        {"cuda:", NULL, 0},
        {"cuda:-1", NULL, 0},
        {"cuda: 1", NULL, 0},
        {"cuda:1x", NULL, 0},
        {"gpu", NULL, 0},
        {"", NULL, 0},
        {":0", NULL, 0},
        {"a kind with a very long name", NULL, 0},
        {"cuda:99999999999999999999", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct device_driver *driver;
        int ordinal;
        bool named = device_name_parse(cases[i].text, &driver, &ordinal);
        assert_int_equal(named, cases[i].kind != NULL);
        if (named) {
            assert_string_equal(driver->kind, cases[i].kind);
            assert_int_equal(ordinal, cases[i].ordinal);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_devices),
        cmocka_unit_test(drivers_are_found_by_kind),
        cmocka_unit_test(accelerators_come_first),
        cmocka_unit_test(every_driver_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
