/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/t1_beside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char home[40];

static const char *in_home(const char *name)
{
    static char path[2][96];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", home, name);
    return path[turn];
}

static void put(const char *name)
{
    FILE *file = fopen(in_home(name), "w");
    assert_non_null(file);
    assert_true(fputs(name, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Files hold their names. `wanted`: the file that is read; "": none is there; else the error. */
static void expect_kernel(const char *kernel_file, const char *wanted, const char *message)
{
    struct input_file source;
    struct error error = {0};
    char *path;
    bool done = t1_beside_source(in_home("t1/T1.json"), kernel_file, &path, &source, &error);
    if (done != !message || (message && (!strstr(error.text, message) || error.code != ERROR_INPUT)))
        fail_msg("%s: '%s'", kernel_file, done ? "no error" : error.text);
    if (done && strcmp(source.bytes ? source.bytes : "", wanted) != 0)
        fail_msg("%s: %s is read", kernel_file, source.bytes ? source.bytes : "nothing");
    assert_true(!path == !source.bytes || message);
    free(source.bytes);
    free(path);
}

static void expect_data(const char *name, bool done, bool present)
{
    struct error error = {0};
    char *path;
    assert_int_equal(t1_beside_data(in_home("t1/T1.json"), name, &path, &error), done);
    assert_int_equal(path != NULL, present);
    free(path);
}

static void test_kernels(void **state)
{
    (void)state;
    char command[200], secret[96];
    strcpy(home, "/tmp/tune-t1-XXXXXX");
    assert_non_null(mkdtemp(home));
    snprintf(command, sizeof command, "cd %s && mkdir t1 t1/sub t1/folder.cu && mkfifo t1/pipe.cu", home);
    assert_int_equal(system(command), 0);
    static const char *const files[] = {"secret", "secret.cu", "t1/k.cu", "t1/sub/k.cu.hip", "t1/id_rsa", "t1/b.cu"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(files[i]);
    assert_int_equal(symlink("../secret", in_home("t1/link.cu")), 0);
    assert_int_equal(symlink("id_rsa", in_home("t1/inner.cu")), 0);
    assert_int_equal(symlink("k.cu", in_home("t1/same.cu")), 0);
    assert_int_equal(symlink("..", in_home("t1/up")), 0);
    snprintf(secret, sizeof secret, "%s", in_home("secret.cu"));
    expect_kernel("k.cu", "t1/k.cu", NULL);
    expect_kernel("sub/k.cu.hip", "t1/sub/k.cu.hip", NULL);
    expect_kernel("./sub/k.cu.hip", "t1/sub/k.cu.hip", NULL);
    expect_kernel("elsewhere/k.cu", "t1/k.cu", NULL);
    expect_kernel("../other/b.cu", "t1/b.cu", NULL);
    expect_kernel("same.cu", "t1/k.cu", NULL);
    expect_kernel("absent.cu", "", NULL);
    expect_kernel("../secret.cu", "", NULL);
    expect_kernel("sub/../../secret.cu", "", NULL);
    expect_kernel(secret, "", NULL);
    expect_kernel("up/secret.cu", NULL, "secret.cu, which is no source beside the T1 file");
    expect_kernel("link.cu", NULL, "which is no source beside the T1 file");
    expect_kernel("inner.cu", NULL, "which is no source beside the T1 file");
    expect_kernel("id_rsa", NULL, "KernelFile: id_rsa has not the name of a source");
    expect_kernel("/etc/shadow", NULL, "KernelFile: /etc/shadow has not the name of a source");
    expect_kernel("../../../etc/passwd", NULL, "has not the name of a source");
    expect_kernel("sub/", NULL, "has not the name of a source");
    expect_kernel("pipe.cu", NULL, "it is not a regular file but a FIFO");
    expect_kernel("folder.cu", NULL, "it is a folder");
    put("secret.npy");
    put("t1/sub/x.npy");
    assert_int_equal(symlink("../secret.npy", in_home("t1/link.npy")), 0);
    expect_data("sub/x.npy", true, true);
    expect_data("x.npy", true, false);
    expect_data("../secret.npy", true, false);
    expect_data("link.npy", false, false);
    expect_data("id_rsa", true, false);
    snprintf(command, sizeof command, "rm -r %s", home);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
