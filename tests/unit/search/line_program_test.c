/* SPDX-License-Identifier: Apache-2.0 */
/* Lines to and from programs, among them some that end, stay silent or send what is no line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/search/line_program.h"

#include <string.h>
#include <sys/wait.h>

static struct line_program *start(const char *command)
{
    struct line_program *program = NULL;
    struct error error = {0};
    if (!line_program_start(command, &program, &error))
        fail_msg("%s: %s", command, error.text);
    return program;
}

static void expect_failure(const char *command, double seconds, const char *text)
{
    char *line;
    struct error error = {0};
    struct line_program *program = start(command);
    assert_true(line_program_put(program, "{\"ask\": 1}"));
    assert_false(line_program_receive(program, seconds, &line, &error));
    assert_int_equal(error.code, ERROR_WORK);
    if (!strstr(error.text, text))
        fail_msg("%s: %s", command, error.text);
    line_program_end(program);
}

static void lines_go_both_ways(void **state)
{
    (void)state;
    char *line;
    struct error error;
    struct line_program *program = start("  cat   -u ");
    assert_true(line_program_put(program, "one") && line_program_put(program, ""));
    assert_true(line_program_receive(program, 60, &line, &error));
    assert_string_equal(line, "one");
    assert_true(line_program_receive(program, 60, &line, &error));
    assert_string_equal(line, "");
    /* More than a pipe holds, both ways at once. */
    static char large[LINE_MOST / 4];
    memset(large, 'x', sizeof large - 1);
    for (int i = 0; i < 3; i++)
        assert_true(line_program_put(program, large));
    for (int i = 0; i < 3; i++) {
        if (!line_program_receive(program, 60, &line, &error))
            fail_msg("%s", error.text);
        assert_string_equal(line, large);
    }
    line_program_end(program);
}

static void programs_that_do_not_answer(void **state)
{
    (void)state;
    expect_failure("true", 60, "it ended with status 0");
    expect_failure("false", 60, "it ended with status 1");
    expect_failure("sleep 1000", 0.01, "it did not answer within 0.01 s");
    expect_failure("head -c 3000000 /dev/zero", 60, "it sent a line of more than 1048576 bytes");
    expect_failure("printf a\\000b\\n", 60, "it sent a NUL byte");
    expect_failure("echo -n half", 60, "it ended with status 0");
}

static void what_was_said_before_the_end_counts(void **state)
{
    (void)state;
    char *line;
    struct error error = {0};
    siginfo_t ended;
    struct line_program *program = start("echo done");
    assert_int_equal(waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT), 0);
    assert_true(line_program_put(program, "{\"ask\": 1}"));
    assert_true(line_program_receive(program, 60, &line, &error));
    assert_string_equal(line, "done");
    assert_true(line_program_put(program, "{\"ask\": 1}"));
    assert_false(line_program_receive(program, 60, &line, &error));
    assert_string_equal(error.text, "it ended with status 0");
    line_program_end(program);
}

static void what_cannot_be_run(void **state)
{
    (void)state;
    static const struct {
        const char *command, *text, *hint;
    } cases[] = {
        {"no-such-program-here", "cannot run no-such-program-here: No such file", "it is looked for in PATH"},
        {"./no-such-program-here x", "cannot run ./no-such-program-here: No such file", ""},
        {"/etc/passwd", "cannot run /etc/passwd: Permission denied", "chmod +x"},
        {"  ", "no program is named", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line_program *program = NULL;
        struct error error = {0};
        assert_false(line_program_start(cases[i].command, &program, &error));
        assert_null(program);
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, cases[i].text));
        assert_non_null(strstr(error.hint, cases[i].hint));
    }
    line_program_end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_both_ways),
        cmocka_unit_test(programs_that_do_not_answer),
        cmocka_unit_test(what_was_said_before_the_end_counts),
        cmocka_unit_test(what_cannot_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
