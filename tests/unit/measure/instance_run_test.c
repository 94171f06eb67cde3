/* SPDX-License-Identifier: Apache-2.0 */
/* Values, swaps and late buffers of an instance on the CPU device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/measure/cpu_fixture.h"

#include "tuner/measure/instance_run.h"

enum { BUFFERS = 4 };

static struct instance_buffer buffers[BUFFERS];
static struct instance instance = {.buffers = buffers, .buffer_count = BUFFERS};

static void number_buffers(void)
{
    for (size_t i = 0; i < BUFFERS; i++)
        buffers[i] = (struct instance_buffer){.memory = {.address = i}, .home = i};
}

static void expect_order(const char *addresses)
{
    for (size_t i = 0; i < BUFFERS; i++)
        assert_int_equal(buffers[i].memory.address, addresses[i] - '0');
}

static void swaps_are_undone(void **state)
{
    (void)state;
    number_buffers();
    instance_swap(&instance, 0, 1);
    instance_swap(&instance, 1, 2);
    instance_swap(&instance, 2, 3);
    expect_order("1230");
    instance_go_home(&instance);
    expect_order("0123");
    instance_swap(&instance, 0, 2);
    instance_settle(&instance);
    instance_swap(&instance, 2, 1);
    expect_order("2013");
    instance_go_home(&instance);
    expect_order("2103");
}

static void values_of_setup_stay(void **state)
{
    (void)state;
    must(instance_grow_values(&instance, 2, &error));
    instance.values[0] = value_integer(5);
    instance_keep_values(&instance);
    instance.values[0] = value_integer(6);
    instance.values[1] = value_integer(7);
    must(instance_grow_values(&instance, 3, &error));
    assert_int_equal(instance.values[1].integer, 7);
    assert_int_equal(instance.values[2].kind, VALUE_UNSET);
    instance_forget_values(&instance);
    assert_int_equal(instance.values[0].integer, 5);
    assert_int_equal(instance.values[1].kind, VALUE_UNSET);
    free(instance.values);
    free(instance.early);
    instance.values = instance.early = NULL;
    instance.value_count = 0;
}

static struct {
    size_t calls;
    uint64_t extents[4];
} seen;

static void on_allocate(size_t buffer, bool done, void *context)
{
    assert_ptr_equal(context, &seen);
    assert_int_equal(done, seen.calls % 2);
    seen.extents[seen.calls++] = buffers[buffer].extent;
}

static uint32_t word_of(size_t index)
{
    uint32_t word;
    must(validation.driver->download(validation.device, &word, buffers[0].memory.address + index * sizeof word,
                                     sizeof word, &error));
    return word;
}

/* With the poison of the run, whatever was in it. */
static void late_buffers_are_poisoned(void **state)
{
    (void)state;
    buffers[0] = (struct instance_buffer){
        .layout = &scalar_layouts[ELEMENT_UINT], .role = BUFFER_TEMP, .filling = filling_poison()};
    must(validation_allocate_guarded(&validation, 0, &buffers[0].memory, &error));
    validation.on_allocate = on_allocate;
    validation.on_allocate_context = &seen;
    must(instance_allocate(&validation, &instance, 0, 1000, &error));
    assert_int_equal(seen.calls, 2);
    assert_int_equal(seen.extents[0], 0);
    assert_int_equal(seen.extents[1], 1000);
    assert_int_equal(buffers[0].memory.bytes, 4000);
    uint32_t poison = word_of(999);
    assert_true(filling_is_poison(ELEMENT_UINT, poison));
    must(validation.driver->fill(validation.device, buffers[0].memory.address, 1, 4000, &error));
    buffers[0].other = true;
    must(instance_allocate(&validation, &instance, 0, 1000, &error)); /* as large as it is */
    assert_int_equal(seen.calls, 2);
    assert_int_equal(word_of(999), ~poison);
    assert_true(filling_is_poison(ELEMENT_UINT, ~poison));
    assert_false(filling_is_poison(ELEMENT_UINT, 1));
    buffers[0].role = BUFFER_SCRATCH;
    buffers[0].filling = filling_of_bits(17);
    must(instance_allocate(&validation, &instance, 0, 10, &error));
    assert_int_equal(seen.calls, 4);
    assert_int_equal(word_of(9), 17);
    validation.on_allocate = NULL;
    validation_release_guarded(&validation, &buffers[0].memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swaps_are_undone),
        cmocka_unit_test(values_of_setup_stay),
        cmocka_unit_test(late_buffers_are_poisoned),
    };
    return cmocka_run_group_tests(tests, cpu_fixture_open, cpu_fixture_close);
}
