/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a program's data: what each kernel's inputs held at its first launch that no graph captured. */
#include "online_program.h"

static struct device_driver driver;
static struct device_guest guest;
static bool captures;

static bool capturing(struct device *device, void *stream, bool *result, struct error *why)
{
    (void)device, (void)stream, (void)why;
    *result = captures;
    return true;
}

static void open_kept(struct user *program, const char *name, const char *file, const char *folder)
{
    assert_int_equal(setenv("TUNE_CAPTURE", file, 1), 0);
    assert_int_equal(setenv("TUNE_CAPTURE_DATA", folder, 1), 0);
    open_program(program, name, 0);
    assert_int_equal(unsetenv("TUNE_CAPTURE"), 0);
    assert_int_equal(unsetenv("TUNE_CAPTURE_DATA"), 0);
}

/* The inputs of call `turn`, as try_launch makes them; the line names x, and nothing else. */
static void check_line(const char *line, int turn)
{
    static const char before[] = "\"inputs\":{\"x\":\"", behind[] = ".raw\"}}\n";
    char path[512] = "";
    int values[N + 1];
    const char *from = strstr(line, before), *end = from ? strstr(from, behind) : NULL;
    assert_non_null(end);
    from += sizeof before - 1;
    memcpy(path, from, (size_t)(end + 4 - from));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(values, sizeof(int), N + 1, file), N);
    fclose(file);
    for (int i = 0; i < N; i++)
        assert_int_equal(values[i], 17 * turn + AROUND + i);
}

static void read_lines(const char *path, char lines[2][2048])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(lines[0], 2048, file));
    assert_non_null(fgets(lines[1], 2048, file));
    fclose(file);
}

static void the_first_launch_keeps_its_inputs(void **state)
{
    (void)state;
    struct user program;
    struct tune_kernel *fork;
    char path[128], folder[128], lines[2][2048];
    snprintf(path, sizeof path, "%s", scratch_path("calls"));
    snprintf(folder, sizeof folder, "%s", scratch_path("data"));
    open_kept(&program, "calls.db", path, folder);
    driver = *device_driver_find("cpu");
    guest = *driver.guest;
    guest.capturing = capturing;
    driver.guest = &guest;
    program.kernel->versions[0].variant->code->attached->driver = &driver;
    must_do(tune_kernel_fork(program.kernel, &fork, &failure));
    captures = true;
    launch(&program, program.kernel);
    captures = false;
    launch(&program, program.kernel); /* turn 1 */
    launch(&program, program.kernel);
    launch(&program, fork); /* turn 3 */
    close_program(&program);
    tune_kernel_free(fork);
    read_lines(path, lines);
    assert_non_null(strstr(lines[0], "\"count\":3,"));
    check_line(lines[0], 1);
    assert_non_null(strstr(lines[1], "\"count\":1,"));
    check_line(lines[1], 3);
}

/* Launches go on, and are counted. */
static void without_a_place_for_it_no_data_is_kept(void **state)
{
    (void)state;
    struct user program;
    char path[128], folder[160], text[2048] = "";
    snprintf(path, sizeof path, "%s", scratch_path("counted"));
    snprintf(folder, sizeof folder, "%s/none/data", path);
    open_kept(&program, "counted.db", path, folder);
    launch(&program, program.kernel);
    close_program(&program);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_non_null(strstr(text, "\"count\":1"));
    assert_null(strstr(text, ".raw"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_launch_keeps_its_inputs),
        cmocka_unit_test(without_a_place_for_it_no_data_is_kept),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
