/* SPDX-License-Identifier: Apache-2.0 */
/* The host's description against other interfaces of the system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

static void names_come_from_the_system(void **state)
{
    (void)state;
    struct device_description d = {0};
    struct utsname system;
    assert_int_equal(uname(&system), 0);
    machine_describe(4, &d);
    assert_string_equal(d.driver, system.release);
    assert_true(strlen(d.name) > 0);
    assert_string_equal(d.architecture, strcmp(system.machine, "x86_64") == 0 ? "x86-64" : system.machine);
    assert_int_equal(d.compiler[0], '\0'); /* not the machine's affair */
}

/* The machine's id must not leave it (machine-id(5)); a machine is always the same device. */
static void the_id_is_hashed_and_stable(void **state)
{
    (void)state;
    struct device_description first = {0}, second = {0};
    char id[64] = "";
    machine_describe(1, &first);
    machine_describe(8, &second);
    assert_string_equal(first.uuid, second.uuid);
    assert_int_equal(strlen(first.uuid), 4 + 16);
    assert_int_equal(strspn(first.uuid + 4, "0123456789abcdef"), 16);
    FILE *file = fopen("/etc/machine-id", "r");
    if (file && fgets(id, sizeof id, file) && strlen(id) > 16) {
        id[16] = '\0';
        assert_null(strstr(first.uuid, id));
    }
    if (file)
        fclose(file);
}

static void memory_is_half_of_the_machine(void **state)
{
    (void)state;
    struct device_description d = {0};
    struct sysinfo info;
    assert_int_equal(sysinfo(&info), 0);
    machine_describe(1, &d);
    int64_t total = (int64_t)info.totalram * info.mem_unit;
    assert_true(d.memory_bytes > total / 2 - (1 << 20) && d.memory_bytes < total / 2 + (1 << 20));
    int64_t available = machine_available_bytes();
    assert_true(available > 0 && available <= d.memory_bytes);
}

/* Proportional to the processors, and a whole number of lanes times units times two per cycle. */
static void the_peak_follows_processors_and_clock(void **state)
{
    (void)state;
    struct device_description one = {0}, twelve = {0};
    machine_describe(1, &one);
    machine_describe(12, &twelve);
    assert_true(twelve.peak_flops == 12 * one.peak_flops);
    if (one.clock_khz == 0)
        skip();
    assert_true(one.clock_khz > 100000 && one.clock_khz < 10000000);
    double per_cycle = one.peak_flops / (1e3 * (double)one.clock_khz);
    assert_true(per_cycle == 0 || per_cycle == 8 || per_cycle == 16 || per_cycle == 32 || per_cycle == 64);
}

static void caches_as_the_c_library_has_them(void **state)
{
    (void)state;
    long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE),
         l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    long largest = l3 > l2 ? l3 : l2 > l1 ? l2 : l1;
    int64_t bytes = machine_cache_bytes();
    assert_true(bytes >= 0);
    if (bytes == 0 || largest <= 0)
        skip();
    assert_int_equal(bytes % 1024, 0);
    assert_true(bytes >= l1 && bytes < (int64_t)1 << 34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_from_the_system),       cmocka_unit_test(the_id_is_hashed_and_stable),
        cmocka_unit_test(memory_is_half_of_the_machine),    cmocka_unit_test(the_peak_follows_processors_and_clock),
        cmocka_unit_test(caches_as_the_c_library_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
