/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/home.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with the files b.space, a.space, notes.txt, .hidden.space and the folders inner and templates. */
static int set_up(void **state)
{
    static char folder[32];
    strcpy(folder, "/tmp/tune-home-XXXXXX");
    assert_non_null(mkdtemp(folder));
    static const char *const files[] = {"b.space", "a.space", "notes.txt", ".hidden.space", ".space"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = path_join(folder, files[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
        free(path);
    }
    static const char *const folders[] = {"inner", "templates", "folder.space"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = path_join(folder, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        free(path);
    }
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"b.space", "a.space", "notes.txt",    ".hidden.space",
                                        ".space",  "inner",   "folder.space", "templates"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = path_join(*state, names[i]);
        remove(path);
        free(path);
    }
    unsetenv("TUNE_HOME");
    return rmdir(*state);
}

static void expect_names(const char *folder, const char *suffix, const char *expected)
{
    struct names names;
    struct error error;
    assert_true(names_list(folder, suffix, &names, &error));
    char *text = names_text(&names);
    assert_string_equal(text, expected);
    free(text);
    names_free(&names);
}

static void names_are_sorted_and_of_one_kind(void **state)
{
    const char *folder = *state;
    expect_names(folder, ".space", "a, b");
    expect_names(folder, NULL, "folder.space, inner, templates");
    expect_names(folder, ".none", "");
    expect_names("/no/such/folder", ".space", "");
}

static void a_path_is_told_from_a_name(void **state)
{
    (void)state;
    static const char *const paths[] = {"./x", "a/b", ".", "..", "x.space", "/"};
    static const char *const names[] = {"x", "", "x.template", ".space", "space", "..."};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_true(path_is_meant(paths[i], ".space"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(path_is_meant(names[i], ".space"));
}

static void the_user_chooses_the_home(void **state)
{
    struct error error = {0};
    setenv("TUNE_HOME", *state, 1);
    char *home = home_find(NULL, &error);
    assert_string_equal(home, *state);
    free(home);
    char *inner = path_join(*state, "inner");
    setenv("TUNE_HOME", inner, 1);
    free(inner);
    assert_null(home_find(NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "holds no folder 'templates'"));
}

static void the_caller_chooses_before_the_user(void **state)
{
    struct error error = {0};
    char *inner = path_join(*state, "inner");
    setenv("TUNE_HOME", inner, 1);
    char *home = home_find(*state, &error);
    assert_string_equal(home, *state);
    free(home);
    assert_null(home_find(inner, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "holds no folder 'templates'"));
    assert_null(strstr(error.text, "TUNE_HOME"));
    free(inner);
}

/* This test is a program of the build, which has no templates beside it: the source folder is left. */
static void else_it_is_the_source_folder(void **state)
{
    (void)state;
    struct error error = {0};
    setenv("TUNE_HOME", "", 1);
    char *home = home_find(NULL, &error);
    assert_non_null(home);
    char *templates = path_join(home, "templates/gemm");
    assert_true(path_is_folder(templates));
    assert_false(path_is_file(templates));
    free(templates);
    free(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_sorted_and_of_one_kind, set_up, tear_down),
        cmocka_unit_test(a_path_is_told_from_a_name),
        cmocka_unit_test_setup_teardown(the_user_chooses_the_home, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_caller_chooses_before_the_user, set_up, tear_down),
        cmocka_unit_test(else_it_is_the_source_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
