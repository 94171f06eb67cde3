/* SPDX-License-Identifier: Apache-2.0 */
/* Programs run by program_output: what they print, read and leave behind. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/program_output.h"
#include "tuner/device/monotonic.h"

#include <errno.h>
#include <signal.h>

static struct error error;

static char *shell(const char *script, const char *input, double seconds)
{
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)script, NULL};
    char *output;
    assert_success(program_output(arguments, input, seconds, &output, &error), &error);
    return output;
}

static void standard_output_alone_is_captured(void **state)
{
    (void)state;
    char *output = shell("echo out; echo err >&2; exit 3", NULL, 10);
    assert_string_equal(output, "out\n");
    free(output);
    output = shell("exit 0", NULL, 10);
    assert_string_equal(output, "");
    free(output);
}

/* Far beyond the first buffer and a pipe's capacity: 200,000 lines of 7 bytes. */
static void long_output_is_whole(void **state)
{
    (void)state;
    char *output = shell("seq -f %06g 0 199999", NULL, 30);
    assert_int_equal(strlen(output), 7 * 200000);
    assert_memory_equal(output + 7 * 123456, "123456\n", 7);
    free(output);
}

static void input_comes_from_a_file_or_is_empty(void **state)
{
    (void)state;
    char *output = shell("cat", scratch_write("input", "from a file"), 10);
    assert_string_equal(output, "from a file");
    free(output);
    output = shell("cat", NULL, 10);
    assert_string_equal(output, "");
    free(output);
}

/* At the deadline the whole process group is killed, and what was printed is kept. */
static void a_late_program_is_killed(void **state)
{
    (void)state;
    double began = monotonic_seconds();
    char *output = shell("sleep 1000 & echo $!; wait", NULL, 0.2);
    assert_true(monotonic_seconds() - began < 5);
    int child = atoi(output);
    assert_true(child > 0);
    free(output);
    for (int i = 0; i < 200 && kill(child, 0) == 0; i++)
        usleep(10000);
    /* Dead, or a zombie that whoever inherited it has not reaped. */
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", child);
    FILE *file = fopen(path, "r");
    if (file) {
        assert_non_null(fgets(text, sizeof text, file));
        fclose(file);
        assert_non_null(strstr(text, ") Z "));
    }
}

static void a_missing_program_is_an_error(void **state)
{
    (void)state;
    char *const arguments[] = {(char *)"tune-no-such-program", NULL};
    char *output = (char *)"unset";
    assert_false(program_output(arguments, NULL, 1, &output, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_mentions(error.text, "tune-no-such-program");
    assert_null(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_output_alone_is_captured),   cmocka_unit_test(long_output_is_whole),
        cmocka_unit_test(input_comes_from_a_file_or_is_empty), cmocka_unit_test(a_late_program_is_killed),
        cmocka_unit_test(a_missing_program_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
