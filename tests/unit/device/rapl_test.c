/* SPDX-License-Identifier: Apache-2.0 */
/* The packages' energy, from files like the kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/rapl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tune-rapl-XXXXXX";

static void write_number(int package, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, package);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, package, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static double read_joules(struct rapl *rapl)
{
    struct error error = {0};
    double joules = -1;
    assert_true(rapl_read(rapl, &joules, &error));
    return joules;
}

static void nothing_to_read_is_an_error(void **state)
{
    (void)state;
    struct error error = {0};
    struct rapl rapl = {.folder = folder};
    double joules;
    assert_false(rapl_read(&rapl, &joules, &error));
    assert_int_equal(error.code, ERROR_WORK);
}

static void packages_are_added_up_and_wrap_around(void **state)
{
    (void)state;
    struct rapl rapl = {.folder = folder};
    write_number(0, "energy_uj", "1000000\n");
    write_number(1, "energy_uj", "262143000000\n");
    write_number(1, "max_energy_range_uj", "262143328850\n");
    assert_true(read_joules(&rapl) == 0);
    write_number(0, "energy_uj", "3500000\n");
    assert_true(fabs(read_joules(&rapl) - 2.5) < 1e-9);
    write_number(1, "energy_uj", "171150\n"); /* 328,850 to the end, 171,150 from the start */
    assert_true(fabs(read_joules(&rapl) - 3.0) < 1e-9);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"intel-rapl:0/energy_uj", "intel-rapl:1/energy_uj",
                                        "intel-rapl:1/max_energy_range_uj"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    for (int package = 0; package < 2; package++) {
        snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, package);
        (void)rmdir(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_read_is_an_error),
        cmocka_unit_test(packages_are_added_up_and_wrap_around),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
