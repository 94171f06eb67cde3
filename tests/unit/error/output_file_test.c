/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/output_file.h"

#include <dirent.h>
#include <fcntl.h>
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

static void expect_link(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

/* Whoever planted it would choose what is overwritten. */
static void test_link_is_not_followed(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    put(target, "earlier\n");
    assert_int_equal(symlink("result.txt", link_path), 0);
    assert_false(output_file_open(&file, link_path, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "/link: it is a symbolic link, which is not followed"));
    assert_string_equal(error.hint, "it leads to result.txt: name that file, or remove the link");
    assert_false(output_file_open_new(&file, link_path, &error));

    assert_int_equal(unlink(target), 0); /* now it leads nowhere */
    assert_false(output_file_open(&file, link_path, &error));
    assert_int_equal(access(target, F_OK), -1);
    assert_int_equal(count_files(), 1);
    expect_link(link_path);
    assert_int_equal(unlink(link_path), 0);
}

/* It was planted after the file was opened: the file takes its place. */
static void test_link_that_appears_is_replaced(void **state)
{
    (void)state;
    struct output_file file;
    struct stat status;
    char victim[64];
    snprintf(victim, sizeof victim, "%s/victim", folder);
    put(victim, "precious\n");
    unlink(target);
    assert_true(output_file_open(&file, target, NULL));
    assert_int_equal(symlink(victim, target), 0);
    assert_true(fputs("new\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, NULL));
    expect(target, "new\n");
    assert_int_equal(lstat(target, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    expect(victim, "precious\n");
    assert_int_equal(unlink(victim), 0);
}

/* A folder may be reached through a link, and be renamed meanwhile. */
static void test_folder_is_followed(void **state)
{
    (void)state;
    struct output_file file;
    char inner[64], moved[64], path[128], result[128];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    snprintf(path, sizeof path, "%s/file", link_path);
    snprintf(result, sizeof result, "%s/file", moved);
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_int_equal(symlink(inner, link_path), 0);
    assert_true(output_file_open(&file, path, NULL));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_int_equal(rename(inner, moved), 0);
    assert_true(output_file_close(&file, true, NULL));
    expect(result, "text\n");
    assert_int_equal(unlink(result), 0);
    assert_int_equal(rmdir(moved), 0);
    assert_int_equal(unlink(link_path), 0);
}

/* In a folder of the program's own a link is replaced like a file. */
static void test_open_folder(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    int directory = open(folder, O_RDONLY | O_DIRECTORY);
    put(target, "precious\n");
    assert_int_equal(symlink(target, link_path), 0);
    assert_true(output_file_open_in(&file, directory, folder, "link", &error));
    assert_true(fputs("new\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, &error));
    expect(link_path, "new\n");
    expect(target, "precious\n");
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(mkdir(link_path, 0700), 0);
    assert_false(output_file_open_in(&file, directory, folder, "link", &error));
    assert_non_null(strstr(error.text, "/link: Is a directory"));
    assert_int_equal(rmdir(link_path), 0);
    close(directory);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & 07777;
}

static void write_to(const char *path)
{
    struct output_file file;
    assert_true(output_file_open(&file, path, NULL));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, NULL));
}

static void test_mode_is_that_of_the_umask(void **state)
{
    (void)state;
    mode_t before = umask(027);
    unlink(target);
    write_to(target);
    assert_int_equal(mode_of(target), 0640);
    umask(0);
    assert_int_equal(chmod(target, 0600), 0); /* what was private stays so */
    write_to(target);
    assert_int_equal(mode_of(target), 0600);
    umask(022);
    assert_int_equal(chmod(target, 06777), 0); /* what was open to others does not */
    write_to(target);
    assert_int_equal(mode_of(target), 0644);
    umask(before);
}

/* The name of the partial file; it differs each time, and is never that of the process. */
static void partial_name(char name[256])
{
    char number[32];
    name[0] = '\0';
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (strstr(entry->d_name, ".partial"))
            snprintf(name, 256, "%s", entry->d_name);
    }
    closedir(directory);
    snprintf(number, sizeof number, ".%ld.", (long)getpid());
    assert_true(strncmp(name, "result.txt.", 11) == 0);
    assert_null(strstr(name, number));
}

static void test_partial_name_cannot_be_guessed(void **state)
{
    (void)state;
    struct output_file file;
    char names[2][256];
    for (size_t i = 0; i < 2; i++) {
        assert_true(output_file_open(&file, target, NULL));
        partial_name(names[i]);
        assert_false(output_file_close(&file, false, NULL));
    }
    assert_string_not_equal(names[0], names[1]);
}

static void test_longest_name(void **state)
{
    (void)state;
    char path[64 + 256];
    memset(path, 'x', sizeof path);
    memcpy(path, folder, strlen(folder));
    path[strlen(folder)] = '/';
    path[strlen(folder) + 1 + 255] = '\0';
    write_to(path);
    expect(path, "text\n");
    assert_int_equal(unlink(path), 0);
}

static void test_new_file(void **state)
{
    (void)state;
    struct output_file file;
    struct error error = {0};
    unlink(target);
    assert_true(output_file_open_new(&file, target, &error));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, &error));
    expect(target, "text\n");

    assert_false(output_file_open_new(&file, target, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "/result.txt: File exists"));

    assert_int_equal(unlink(target), 0);
    assert_true(output_file_open_new(&file, target, &error));
    put(target, "another's\n");
    assert_false(output_file_close(&file, true, &error));
    assert_non_null(strstr(error.text, "/result.txt: File exists"));
    expect(target, "another's\n");
    assert_int_equal(count_files(), 1);
}

/* /dev/stdout is a link, to a regular file if stdout is redirected to one: that is appended to, not replaced. */
static void test_own_output(void **state)
{
    (void)state;
    struct output_file file;
    put(target, "earlier\n");
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), redirected = open(target, O_WRONLY | O_APPEND);
    assert_true(dup2(redirected, STDOUT_FILENO) >= 0);
    bool done = output_file_open(&file, "/dev/stdout", NULL) && fputs("later\n", file.stream) >= 0 &&
                output_file_close(&file, true, NULL);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(redirected);
    close(kept);
    assert_true(done);
    expect(target, "earlier\nlater\n");
}

/* As the shell hands over a process: >(command). */
static void test_pipe(void **state)
{
    (void)state;
    struct output_file file;
    int ends[2];
    char path[32], got[8] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_true(output_file_open(&file, path, NULL));
    assert_true(fputs("text\n", file.stream) >= 0);
    assert_true(output_file_close(&file, true, NULL));
    assert_int_equal(read(ends[0], got, sizeof got), 5);
    assert_string_equal(got, "text\n");
    close(ends[0]);
    close(ends[1]);
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
    assert_false(output_file_open(&file, "", &error));
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
        cmocka_unit_test(test_link_is_not_followed),
        cmocka_unit_test(test_link_that_appears_is_replaced),
        cmocka_unit_test(test_folder_is_followed),
        cmocka_unit_test(test_open_folder),
        cmocka_unit_test(test_mode_is_that_of_the_umask),
        cmocka_unit_test(test_partial_name_cannot_be_guessed),
        cmocka_unit_test(test_longest_name),
        cmocka_unit_test(test_new_file),
        cmocka_unit_test(test_own_output),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_device_is_written_in_place),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_place_is_taken),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
