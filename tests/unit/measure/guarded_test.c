/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/measure/cpu_fixture.h"

#include "tuner/measure/guarded.h"
#include "tuner/measure/report.h"

static void guards_tell_side_and_distance(void **state)
{
    (void)state;
    static const struct {
        int64_t offset; /* from the start of 31 bytes */
        uint64_t before, nearest_before, behind, nearest_behind;
    } pokes[] = {
        {-1, 1, 1, 0, UINT64_MAX},         {-BUFFER_GUARD_BYTES, 1, BUFFER_GUARD_BYTES, 0, UINT64_MAX},
        {31, 0, UINT64_MAX, 1, 0},         {31 + BUFFER_GUARD_BYTES - 1, 0, UINT64_MAX, 1, BUFFER_GUARD_BYTES - 1},
        {0, 0, UINT64_MAX, 0, UINT64_MAX}, {30, 0, UINT64_MAX, 0, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof pokes / sizeof pokes[0]; i++) {
        struct guarded memory;
        must(validation_allocate_guarded(&validation, 31, &memory, &error));
        uint64_t address = memory.address + (uint64_t)pokes[i].offset;
        struct report report;
        unsigned char byte;
        must(validation.driver->synchronize(validation.device, &error));
        must(validation.driver->download(validation.device, &byte, address, 1, &error));
        byte ^= 0x10;
        must(validation.driver->upload(validation.device, address, &byte, 1, &error));
        must(validation_reset_reports(&validation, 1, &error));
        must(validation_check_guards(&validation, &memory, 0, &error));
        must(validation_read_reports(&validation, &report, 1, &error));
        assert_true(report.before == pokes[i].before && report.nearest_before == pokes[i].nearest_before);
        assert_true(report.behind == pokes[i].behind && report.nearest_behind == pokes[i].nearest_behind);
        validation_release_guarded(&validation, &memory);
    }
}

/* Smaller sizes leave the memory where it is; the bands follow the size, and what they hold follows `blank`. */
static void bands_follow_size_and_kind(void **state)
{
    (void)state;
    struct guarded memory;
    struct report report;
    must(validation_allocate_guarded(&validation, 100, &memory, &error));
    const uint64_t allocation = memory.allocation;
    size_t live = allocations.live;
    must(validation_resize_guarded(&validation, 40, &memory, &error));
    assert_true(memory.allocation == allocation && memory.bytes == 40 && memory.capacity == 100);
    must(validation_blank_guards(&validation, &memory, true, &error));
    must(validation_reset_reports(&validation, 2, &error));
    must(validation_check_guards(&validation, &memory, 0, &error));
    memory.bytes = 100; /* and not those of the former size */
    must(validation_check_guards(&validation, &memory, 1, &error));
    struct report reports[2];
    must(validation_read_reports(&validation, reports, 2, &error));
    assert_true(reports[0].before == 0 && reports[0].behind == 0 && reports[1].behind > 0);
    must(validation_resize_guarded(&validation, 200, &memory, &error));
    assert_int_equal(allocations.live, live);
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_check_guards(&validation, &memory, 0, &error));
    must(validation_read_reports(&validation, &report, 1, &error));
    assert_true(report.before == 0 && report.behind == 0);
    validation_release_guarded(&validation, &memory);
    assert_int_equal(memory.allocation, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(guards_tell_side_and_distance),
                                       cmocka_unit_test(bands_follow_size_and_kind)};
    return cmocka_run_group_tests(tests, cpu_fixture_open, cpu_fixture_close);
}
