/* SPDX-License-Identifier: Apache-2.0 */
/* Files of every kind: only regular ones are read, and none makes the reader wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[32], path[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tune-input-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void put(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void expect(const char *name, size_t most, enum input_state state, const char *message)
{
    struct input_file file;
    struct error error = {0};
    input_file_read(name, most, &file);
    assert_int_equal(file.state, state);
    assert_null(file.bytes);
    assert_false(input_file_error(&file, name, &error));
    if (!strstr(error.text, message) || error.code != ERROR_INPUT)
        fail_msg("'%s', code %d", error.text, (int)error.code);
}

static void test_regular_files(void **state)
{
    (void)state;
    struct input_file file;
    char link_path[64];
    put("a\0b", 3);
    input_file_read(path, 3, &file);
    assert_int_equal(file.state, INPUT_READ);
    assert_int_equal(file.length, 3);
    assert_memory_equal(file.bytes, "a\0b", 4);
    free(file.bytes);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    assert_int_equal(symlink("file", link_path), 0);
    input_file_read(link_path, 3, &file);
    assert_int_equal(file.state, INPUT_READ);
    free(file.bytes);
    unlink(link_path);
    put("", 0);
    input_file_read(path, 0, &file);
    assert_int_equal(file.state, INPUT_READ);
    assert_string_equal(file.bytes, "");
    free(file.bytes);
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    expect(path, 1 << 20, INPUT_TOO_LARGE, "file is larger than 1 MiB");
}

static void test_others(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    expect(path, 9, INPUT_ABSENT, "file: No such file or directory");
    expect(folder, 9, INPUT_FOLDER, "it is a folder");
    expect("/dev/zero", 9, INPUT_SPECIAL, "it is not a regular file but a device");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect(path, 9, INPUT_SPECIAL, "it is not a regular file but a FIFO");
    assert_int_equal(unlink(path), 0);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    strcpy(address.sun_path, path);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    expect(path, 9, INPUT_SPECIAL, "it is not a regular file but a socket");
    close(listener);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("file", path), 0);
    expect(path, 9, INPUT_FAILED, "Too many levels of symbolic links");
    if (geteuid() == 0)
        return;
    assert_int_equal(unlink(path), 0);
    put("x", 1);
    assert_int_equal(chmod(path, 0), 0);
    expect(path, 9, INPUT_FAILED, "Permission denied");
}

static void test_machine(void **state)
{
    (void)state;
    struct error error = {0};
    const struct input_file starved = {.state = INPUT_NO_MEMORY}, broken = {.state = INPUT_FAILED, .reason = EIO};
    input_file_error(&starved, "x", &error);
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    input_file_error(&broken, "x", &error);
    assert_int_equal(error.code, ERROR_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_regular_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others, set_up, tear_down),
        cmocka_unit_test(test_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
