/* SPDX-License-Identifier: Apache-2.0 */
/* The last bytes that a worker printed, through a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/worker_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct worker_output output;
static int writing;

static int open_pipe(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    worker_output_begin(&output, ends[0]);
    writing = ends[1];
    return 0;
}

static int close_pipe(void **state)
{
    (void)state;
    worker_output_end(&output);
    close(writing);
    return 0;
}

static void print(const char *text)
{
    assert_int_equal(write(writing, text, strlen(text)), (ssize_t)strlen(text));
    worker_output_keep(&output);
}

static void expect(size_t from, const char *wanted)
{
    char text[WORKER_OUTPUT_KEPT + 1];
    assert_int_equal(worker_output_text(&output, from, text, sizeof text), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void nothing_was_printed(void **state)
{
    (void)state;
    worker_output_keep(&output);
    expect(0, "");
}

static void the_end_is_cleaned(void **state)
{
    (void)state;
    print("one\ntwo\x1b[2J\n");
    expect(0, "one\ntwo [2J");
    expect(4, "two [2J");
    print("  \n\n");
    expect(0, "one\ntwo [2J");
}

static void the_last_bytes_are_kept(void **state)
{
    (void)state;
    enum { LINES = 1000 };
    char line[16], wanted[WORKER_OUTPUT_KEPT + 1];
    size_t most = WORKER_OUTPUT_KEPT / 8;
    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, "line%03d\n", i);
        print(line);
    }
    wanted[0] = '\0';
    for (size_t i = LINES - most; i < LINES; i++)
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "line%03zu\n", i);
    wanted[strlen(wanted) - 1] = '\0';
    expect(0, wanted);
    expect(8 * (LINES - 1), "line999");

    char text[5];
    assert_int_equal(worker_output_text(&output, 8 * (LINES - 1), text, sizeof text), 4);
    assert_string_equal(text, "line");
}

static void a_pipe_that_ends_is_closed(void **state)
{
    (void)state;
    print("last words");
    close(writing);
    worker_output_keep(&output);
    assert_int_equal(output.descriptor, -1);
    worker_output_keep(&output);
    expect(0, "last words");
    writing = open("/dev/null", O_WRONLY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_was_printed, open_pipe, close_pipe),
        cmocka_unit_test_setup_teardown(the_end_is_cleaned, open_pipe, close_pipe),
        cmocka_unit_test_setup_teardown(the_last_bytes_are_kept, open_pipe, close_pipe),
        cmocka_unit_test_setup_teardown(a_pipe_that_ends_is_closed, open_pipe, close_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
