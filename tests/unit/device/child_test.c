/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the tool chain: finding, starting, and how they exit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/child.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The output of a shell that runs `script`. */
static const char *output_of(const char *script, int *status)
{
    static char text[512];
    struct error error = {0};
    int output = memfd_create("output", MFD_CLOEXEC);
    assert_true(output >= 0);
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    if (!child_run(arguments, "/a/folder", output, status, &error))
        fail_msg("%s", error.text);
    ssize_t got = pread(output, text, sizeof text - 1, 0);
    assert_true(got >= 0);
    text[got] = '\0';
    close(output);
    return text;
}

static void both_outputs_and_no_input(void **state)
{
    (void)state;
    int status;
    assert_string_equal(output_of("echo one; echo two >&2; cat; exit 3", &status), "one\ntwo\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_false(child_succeeded(status));
    output_of("true", &status);
    assert_true(child_succeeded(status));
    output_of("kill -9 $$", &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == 9);
    assert_false(child_succeeded(status));
}

static void the_environment_is_fixed_where_it_matters(void **state)
{
    (void)state;
    int status;
    assert_int_equal(setenv("TMPDIR", "/elsewhere", 1), 0);
    assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    assert_int_equal(setenv("KEPT", "a b", 1), 0);
    assert_string_equal(output_of("echo \"$TMPDIR $LC_ALL $KEPT\"", &status), "/a/folder C a b\n");
    unsetenv("TMPDIR");
    unsetenv("LC_ALL");
    unsetenv("KEPT");
}

/* A duplicate variable could have one value for a shell and another for a compiler. */
static void no_variable_stands_twice(void **state)
{
    (void)state;
    const char *const arguments[] = {"/usr/bin/env", NULL};
    char text[65536];
    int status, output = memfd_create("output", MFD_CLOEXEC), folders = 0, languages = 0;
    assert_int_equal(setenv("TMPDIR", "/elsewhere", 1), 0);
    assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    assert_true(output >= 0 && child_run(arguments, "/a/folder", output, &status, NULL));
    ssize_t got = pread(output, text, sizeof text - 1, 0);
    assert_true(got > 0);
    text[got] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        folders += strncmp(line, "TMPDIR=", 7) == 0;
        languages += strncmp(line, "LC_ALL=", 7) == 0;
    }
    assert_int_equal(folders, 1);
    assert_int_equal(languages, 1);
    close(output);
    unsetenv("TMPDIR");
    unsetenv("LC_ALL");
}

static void programs_that_cannot_start(void **state)
{
    (void)state;
    struct error error = {0};
    int status;
    const char *const missing[] = {"/nowhere/g++", NULL};
    assert_false(child_run(missing, "/tmp", 1, &status, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_non_null(strstr(error.text, "/nowhere/g++"));
    const char *const folder[] = {"/tmp", NULL};
    assert_false(child_run(folder, "/tmp", 1, &status, &error));

    static char longest[PATH_MAX + 10];
    memset(longest, 'a', sizeof longest - 1);
    const char *const shell[] = {"/bin/sh", "-c", "true", NULL};
    assert_false(child_run(shell, longest, 1, &status, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "too long"));
}

static void the_first_on_the_path(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-child-XXXXXX", command[256], path[PATH_MAX], small[16];
    char *before = strdup(getenv("PATH"));
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && mkdir one two && touch one/tool && printf '#!/bin/sh\n' > two/tool && chmod +x two/tool",
             folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "::/nowhere:%s/one:%s/two:", folder, folder);
    assert_int_equal(setenv("PATH", command, 1), 0);
    assert_true(child_find("tool", path, sizeof path)); /* the one in `one` is not executable */
    snprintf(command, sizeof command, "%s/two/tool", folder);
    assert_string_equal(path, command);
    assert_false(child_find("tool", small, sizeof small));
    assert_false(child_find("no such tool", path, sizeof path));
    assert_int_equal(setenv("PATH", "", 1), 0);
    assert_false(child_find("sh", path, sizeof path));
    assert_int_equal(unsetenv("PATH"), 0);
    assert_true(child_find("sh", path, sizeof path));
    assert_int_equal(setenv("PATH", before, 1), 0);
    free(before);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Of a program that tune is a part of. */
static void signals_and_descriptors_are_its_own(void **state)
{
    (void)state;
    int status, leaked = dup(2);
    char script[128];
    sigset_t blocked, before;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe_before, child_before;
    assert_true(leaked > 2);
    snprintf(script, sizeof script, "[ -e /proc/self/fd/%d ] && echo leaked; kill -TERM $$; echo lived", leaked);
    sigfillset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, &before);
    assert_string_equal(output_of(script, &status), "");
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(leaked);
    sigaction(SIGPIPE, &ignore, &pipe_before);
    output_of("kill -PIPE $$; echo lived", &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    sigaction(SIGPIPE, &pipe_before, NULL);
    sigaction(SIGCHLD, &ignore, &child_before); /* nobody is told how children end */
    assert_string_equal(output_of("echo done", &status), "done\n");
    assert_true(child_succeeded(status));
    sigaction(SIGCHLD, &child_before, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_outputs_and_no_input), cmocka_unit_test(the_environment_is_fixed_where_it_matters),
        cmocka_unit_test(no_variable_stands_twice),  cmocka_unit_test(programs_that_cannot_start),
        cmocka_unit_test(the_first_on_the_path),     cmocka_unit_test(signals_and_descriptors_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
