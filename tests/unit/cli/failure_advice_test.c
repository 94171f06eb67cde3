/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a message that matters, and the command that would explain a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cli/failure_advice.h"

#include <stdlib.h>
#include <string.h>

static void expect_line(const char *message, const char *expected)
{
    char *line = failure_line(message, "./f");
    assert_string_equal(line, expected);
    free(line);
}

static void lines(void **state)
{
    (void)state;
    expect_line("", "");
    expect_line("did not end within 60 s\nor later", "did not end within 60 s");
    /* gcc: context, a warning, then the error */
    expect_line("./f/k.cu: In function 'void k(float*)':\n./f/k.cu:3:9: warning: unused variable 'error'\n"
                "./f/k.cu:8:5: error: 'u' was not declared\n    8 |     u = 3;\n./f/k.cu:9:5: error: another\n",
                "./f/k.cu:8:5: error: 'u' was not declared");
    /* NVRTC */
    expect_line("./f/k.cu(3): warning #177-D: variable \"i\" was declared but never referenced\n\n"
                "./f/k.cu(8): error: identifier \"u\" is undefined\n",
                "./f/k.cu(8): error: identifier \"u\" is undefined");
    /* a header of the user's own */
    expect_line("In file included from ./f/k.cu:1:\n./f/h.h:2:69: error: request for member\n",
                "./f/h.h:2:69: error: request for member");
    /* one that is not the user's, instantiated and included */
    expect_line("In file included from <command-line>:\n"
                "/tmp/tune-scratch-1/words.hpp: In instantiation of 'T shuffle(T) [with T = S]':\n"
                "./f/k.cu:10:41:   required from here\n"
                "/tmp/tune-scratch-1/words.hpp:7:1: error: static assertion failed: four or eight bytes\n"
                "./f/k.cu:20:1: error: later\n",
                "./f/k.cu:10:41: error: static assertion failed: four or eight bytes");
    expect_line("In file included from ./f/k.cu:1:\n/usr/include/x.h:2:6: error: #error \"no\"\n",
                "./f/k.cu:1: error: #error \"no\"");
    /* NVRTC names the place below */
    expect_line(
        "/opt/x.h(2): error: no operator \"+\"\n          detected during instantiation at line 3 of ./f/k.cu(9)\n",
        "./f/k.cu(9): error: no operator \"+\"");
    expect_line("/opt/x.h(2): error: no operator\n", "/opt/x.h(2): error: no operator");
    /* a linker: the line that says what is missing, not the last */
    expect_line("/usr/bin/ld: /tmp/k.o: in function `k':\nk.cpp:(.text+0x1): undefined reference to `helper'\n"
                "collect2: error: ld returned 1 exit status\n",
                "k.cpp:(.text+0x1): undefined reference to `helper'");
}

static void notes(void **state)
{
    (void)state;
    size_t length = 0;
    const char message[] = "k.cu(1): error: cannot open stdio.h\n./f/k.cu:2:1: note: of the compiler\n"
                           "note: put it inside\nmore\n";
    const char *found = failure_note(message, &length);
    assert_ptr_equal(found, strstr(message, "note: put"));
    assert_int_equal(length, strlen("note: put it inside"));
    assert_non_null(failure_note("./f:1: error: b\nhint: c", &length));
    assert_int_equal(length, strlen("hint: c"));
    assert_null(failure_note("", &length));
    assert_null(failure_note("a note: b\n", &length));
}

static void expect_command(struct failure failure, const char *space, const char *device, const char *expected)
{
    const struct failure_check check = {
        .program = "tune", .subject = "./my kernel", .space = space, .device = device, .size = "n=4096,m=2"};
    char *text;
    assert_true(failure_check_command(&check, &failure, &text));
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
    free(text);
}

static void commands(void **state)
{
    (void)state;
    expect_command((struct failure){OUTCOME_FAULT, "{\"A\":1}", "Segmentation fault", "n=7,m=2"}, NULL, NULL,
                   "tune check './my kernel' --size n=7,m=2 --configuration A=1");
    expect_command((struct failure){OUTCOME_CRASH, "{\"A\":1}", "Killed", ""}, "s.space", "cuda:1",
                   "tune check './my kernel' --space s.space --device cuda:1 --size n=4096,m=2 --configuration A=1");
    expect_command((struct failure){OUTCOME_WRONG_RESULT, "{\"A\":\"it's\"}",
                                    "z[3] is 1, at size n=4096,m=2, after repeated launches", "n=7,m=2"},
                   NULL, NULL, "tune check './my kernel' --size n=4096,m=2 --configuration '{\"A\":\"it'\\''s\"}'");
    expect_command((struct failure){OUTCOME_OUT_OF_BOUNDS, "{\"A\":1}", "wrote, at size n=7,m=2", "n=7,m=2"}, NULL,
                   NULL, "tune check './my kernel' --size n=7,m=2 --configuration A=1");
    expect_command((struct failure){OUTCOME_COMPILE_ERROR, "{\"A\":1}", "error", ""}, NULL, NULL, NULL);
    expect_command((struct failure){OUTCOME_HOST_ERROR, "{\"A\":1}", "error", ""}, NULL, NULL, NULL);
    expect_command((struct failure){OUTCOME_TIMEOUT, "{\"A\":1}", "late", ""}, NULL, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(notes), cmocka_unit_test(commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
