/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/output_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tune-output-XXXXXX";
static char target[64], link_path[64];

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(target, sizeof target, "%s/result.txt", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(target);
    unlink(link_path);
    return rmdir(folder); /* fails if anything else was left behind */
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect(const char *path, const char *wanted)
{
    char got[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, wanted);
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void test_appears_when_it_is_closed(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    unlink(target);
    assert_true(output_file_open(&file, target, &error));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_int_equal(fflush(file.stream), 0);
    assert_int_equal(access(target, F_OK), -1);
    assert_int_equal(count_files(), 1); /* the partial one */
    assert_true(output_file_close(&file, true, &error));
    expect(target, "text\n");
    assert_int_equal(count_files(), 1);
}

static void test_earlier_file_stays(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {.code = ERROR_WORK, .text = "the caller's own"};
    put(target, "earlier\n");
    assert_true(output_file_open(&file, target, &error));
    assert_true(fputs("half", file.stream) >= 0);
    expect(target, "earlier\n");
    assert_false(output_file_close(&file, false, &error));
    assert_string_equal(error.text, "the caller's own");
    expect(target, "earlier\n");
    assert_int_equal(count_files(), 1);
}

/* A link stays a link; the file it leads to is replaced. */
static void test_link(void **state)
{
    (void)state;
    struct output_file file;
    struct stat status;
    put(target, "earlier\n");
    assert_int_equal(symlink(target, link_path), 0);
    assert_true(output_file_open(&file, link_path, NULL));
    assert_true(fputs("new\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, NULL));
    expect(target, "new\n");
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(unlink(link_path), 0);
}

static void test_device_is_written_in_place(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    assert_true(output_file_open(&file, "/dev/null", &error));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, &error));
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void test_failures(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    assert_false(output_file_open(&file, "/nowhere/at/all", &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, "cannot create /nowhere/at/all: No such file or directory");
    assert_false(output_file_open(&file, folder, &error)); /* a folder */
    assert_int_equal(error.code, ERROR_INPUT);

    assert_true(output_file_open(&file, "/dev/full", &error));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_false(output_file_close(&file, true, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_string_equal(error.text, "cannot write /dev/full: No space left on device");

    /* A write that failed earlier is not forgotten when closing succeeds. */
    assert_true(output_file_open(&file, "/dev/full", &error));
    setvbuf(file.stream, NULL, _IONBF, 0);
    assert_true(fputs("text\n", file.stream) < 0);
    assert_false(output_file_close(&file, true, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
}

/* Renaming can fail as well: a folder has taken the place of the file. */
static void test_place_is_taken(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    unlink(target);
    assert_true(output_file_open(&file, target, &error));
    assert_int_equal(mkdir(target, 0700), 0);
    assert_false(output_file_close(&file, true, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir(target), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appears_when_it_is_closed),
        cmocka_unit_test(test_earlier_file_stays),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_device_is_written_in_place),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_place_is_taken),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
