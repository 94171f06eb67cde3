/* SPDX-License-Identifier: Apache-2.0 */
/* What addr2line prints, from scripts that print the same, and array names from source lines. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/location.h"

static struct error error;

static void use_only_scratch(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch_folder);
    setenv("PATH", path, 1);
}

static void the_users_line_is_taken(void **state)
{
    (void)state;
    struct location locations[4];
    const uint64_t code[] = {0x11, 0x21, 0x31, 0};
    /* Inlined words first, then the user's line; a discriminator; nothing known; and nothing at all. */
    scratch_script("addr2line", "echo $* > $(dirname $0)/arguments\n"
                                "echo 0x0000000000000010\necho /x/cuda_words.hpp:90\necho '/src/a.cu:12'\n"
                                "echo /src/main.cu:99\n"
                                "echo 0x0000000000000020\necho '/src/b.cuh:7 (discriminator 2)'\n"
                                "echo 0x0000000000000030\necho '??:0'\n"
                                "echo 0x0000000000000000\necho '??:?'");
    use_only_scratch();
    assert_success(location_find("module.so", code, 4, locations, &error), &error);
    assert_string_equal(locations[0].file, "/src/a.cu");
    assert_int_equal(locations[0].line, 12);
    assert_string_equal(locations[1].file, "/src/b.cuh");
    assert_int_equal(locations[1].line, 7);
    assert_int_equal(locations[2].line, 0);
    assert_int_equal(locations[3].line, 0);

    /* A return address is one past its call: the byte before it is looked up. */
    char arguments[256] = "";
    FILE *file = fopen(scratch_path("arguments"), "r");
    assert_non_null(file);
    assert_non_null(fgets(arguments, sizeof arguments, file));
    fclose(file);
    assert_string_equal(arguments, "-a -i -e module.so 0x10 0x20 0x30 0x0\n");
}

/* More than one call of addr2line takes: every address keeps its own line. */
static void many_addresses_stay_in_order(void **state)
{
    (void)state;
    enum { MANY = 200 };
    struct location locations[MANY];
    uint64_t code[MANY];
    for (size_t i = 0; i < MANY; i++)
        code[i] = 2 + i;
    scratch_script("addr2line",
                   "for a; do case $a in 0x*) echo $a; echo /src/k.cu:$(($a)):;; esac; done | sed 's/:$//'");
    use_only_scratch();
    assert_success(location_find("module.so", code, MANY, locations, &error), &error);
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(locations[i].line, 1 + i);
}

static void a_file_below_the_current_folder_is_relative(void **state)
{
    (void)state;
    struct location location;
    const uint64_t code = 2;
    char script[256], here[128];
    assert_int_equal(chdir(scratch_folder), 0);
    assert_non_null(getcwd(here, sizeof here));
    snprintf(script, sizeof script, "echo 0x1; echo %s/./sub/k.cu:3", here);
    scratch_script("addr2line", script);
    use_only_scratch();
    assert_success(location_find("module.so", &code, 1, &location, &error), &error);
    assert_int_equal(chdir("/"), 0);
    assert_string_equal(location.file, "sub/k.cu");
}

static void llvm_is_the_second_choice(void **state)
{
    (void)state;
    struct location location;
    const uint64_t code = 2;
    assert_int_equal(unlink(scratch_path("addr2line")), 0);
    scratch_script("llvm-addr2line", "echo 0x1; echo /src/k.cu:3");
    setenv("PATH", scratch_folder, 1);
    assert_success(location_find("module.so", &code, 1, &location, &error), &error);
    assert_int_equal(location.line, 3);

    assert_int_equal(unlink(scratch_path("llvm-addr2line")), 0);
    assert_false(location_find("module.so", &code, 1, &location, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_mentions(error.hint, "binutils");
}

static void assert_array_name(unsigned line, int column, const char *expected)
{
    struct location location = {.line = line};
    char name[16];
    snprintf(location.file, sizeof location.file, "%s", scratch_path("source.cu"));
    location_array_name(&location, column, name, sizeof name);
    assert_string_equal(name, expected);
}

static void arrays_are_named_by_their_brackets(void **state)
{
    (void)state;
    scratch_write("source.cu", "first line\n"
                               "x = tile[i][j + k[2]] + (a_b)[3];\n"
                               "unclosed[");
    /* x = tile[i][j + k[2]] + (a_b)[3]; the columns of tile[i], [j + k[2]], k[2] */
    assert_array_name(2, 5, "tile");
    assert_array_name(2, 9, "tile");
    assert_array_name(2, 13, "tile");
    assert_array_name(2, 17, "k"); /* the innermost */
    assert_array_name(2, 1, "");
    assert_array_name(2, 30, "");
    assert_array_name(1, 1, "");
    assert_array_name(3, 9, "");
    assert_array_name(9, 1, "");
    assert_array_name(0, 1, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_users_line_is_taken),
        cmocka_unit_test(many_addresses_stay_in_order),
        cmocka_unit_test(a_file_below_the_current_folder_is_relative),
        cmocka_unit_test(llvm_is_the_second_choice),
        cmocka_unit_test(arrays_are_named_by_their_brackets),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
