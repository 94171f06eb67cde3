/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/error/input_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[64], path[128];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tune-input-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"file", "fifo", "socket"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static void expect_refused(const char *what, const char *why)
{
    struct error error = {0};
    bool regular = true;
    assert_int_equal(input_file_open(what, &regular, &error), -1);
    assert_false(regular);
    assert_int_equal(error.code, ERROR_INPUT);
    assert_mentions(error.text, what);
    assert_mentions(error.text, why);
}

static void files_are_opened(void **state)
{
    (void)state;
    struct error error;
    bool regular = false;
    char text[8] = "";
    FILE *stream = fopen(in_folder("file"), "w");
    fputs("text", stream);
    fclose(stream);
    int file = input_file_open(in_folder("file"), &regular, &error);
    assert_true(file >= 0 && regular);
    assert_int_equal(fcntl(file, F_GETFL) & O_NONBLOCK, 0);
    assert_int_equal(read(file, text, sizeof text), 4);
    assert_string_equal(text, "text");
    close(file);
}

/* None of these is waited for, with or without a writer. */
static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
    expect_refused(in_folder("fifo"), "it is a named pipe");
    int writer = open(in_folder("fifo"), O_RDWR | O_CLOEXEC);
    expect_refused(in_folder("fifo"), "it is a named pipe");
    close(writer);
    expect_refused(folder, "it is a folder");
    expect_refused("/dev/zero", "it is a device, not a file");
    expect_refused("/dev/null", "it is a device, not a file");
    expect_refused(in_folder("nothing"), "No such file or directory");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.64s/socket", folder);
    in_folder("socket");
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    expect_refused(in_folder("socket"), "it is a socket");
    close(listener);
}

/* As a shell does for <(COMMAND). */
static void pipes_that_are_handed_over_are_read(void **state)
{
    (void)state;
    int ends[2];
    struct error error;
    bool regular = true;
    char name[32], text[8] = "";
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "piped", 5), 5);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    int file = input_file_open(name, &regular, &error);
    assert_true(file >= 0);
    assert_false(regular);
    assert_int_equal(fcntl(file, F_GETFL) & O_NONBLOCK, 0);
    assert_int_equal(read(file, text, sizeof text), 5);
    assert_string_equal(text, "piped");
    close(file);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_opened),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(pipes_that_are_handed_over_are_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
