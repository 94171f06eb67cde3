/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/scratch_folder.h"
#include "tuner/library/home.h"
#include "tuner/library/named.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A home with templates/t, whose default space is `usual`, and spaces/t with usual and other; and a folder own with a
 * template that names no default space, beside one space. */
static char home[32];
static const char *const files[] = {
    "templates/t/t.template", "templates/t/k.cu", "templates/t/r.cu", "spaces/t/usual.space", "spaces/t/other.space",
    "own/own.template",       "own/k.cu",         "own/r.cu",         "own/one.space"};

static void write_text(const char *name, const char *text)
{
    scratch_write_in(home, name, text);
}

static void write_template(const char *path, const char *name, const char *default_space)
{
    char text[500];
    snprintf(text, sizeof text,
             "template %s\n%ssize n = 64\nparameter A\nsource \"k.cu\"\nbuffer y : float[n] out\n"
             "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
             name, default_space);
    write_text(path, text);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(home, "/tmp/tune-named-XXXXXX");
    assert_non_null(mkdtemp(home));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_text(files[i], "__global__ void k(float *y) {}\n");
    write_template("templates/t/t.template", "t", "default space usual\n");
    write_template("own/own.template", "own", "");
    write_text("spaces/t/usual.space", "space usual of t\nparam A = [1]\n");
    write_text("spaces/t/other.space", "space other of t\nparam A = [2]\n");
    write_text("own/one.space", "space one of own\nparam A = [3]\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return scratch_remove(home);
}

/* Read template and space; the space's name, "" after an error. */
static char space_name[64];
static const char *read_space(const char *name, const char *space_asked, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    *error = (struct error){0};
    bool read = template_named(name, home, &template, error) && space_named(space_asked, template, &space, error);
    snprintf(space_name, sizeof space_name, "%s", read ? space->name : "");
    space_free(space);
    template_free(template);
    return space_name;
}

static void a_shipped_template_with_its_spaces(void **state)
{
    (void)state;
    struct error error;
    assert_string_equal(read_space("t", NULL, &error), "usual");
    assert_string_equal(read_space("t", "other", &error), "other");
    char *path = path_join(home, "spaces/t/other.space");
    assert_string_equal(read_space("t", path, &error), "other");
    free(path);
}

static void a_folder_of_ones_own(void **state)
{
    (void)state;
    struct error error;
    char *path = path_join(home, "own");
    assert_string_equal(read_space(path, NULL, &error), "one"); /* the only one */
    write_text("own/two.space", "space two of own\nparam A = [3]\n");
    assert_string_equal(read_space(path, NULL, &error), "");
    assert_string_equal(error.text, "template own names no default space");
    assert_string_equal(error.hint, "choose one with --space: one, two");
    char *two = path_join(home, "own/two.space");
    unlink(two);
    free(two);
    free(path);
}

static void unknown_names_have_hints(void **state)
{
    (void)state;
    struct error error;
    read_space("s", NULL, &error);
    assert_string_equal(error.text, "there is no template 's'");
    assert_string_equal(error.hint, "did you mean 't'?");
    read_space("nonsense", NULL, &error);
    assert_string_equal(error.hint, "choose t, or the path of a folder of your own");
    read_space("t", "usal", &error);
    assert_string_equal(error.hint, "did you mean 'usual'?");
    read_space("t", "nonsense", &error);
    assert_string_equal(error.hint, "choose other, usual");
    assert_int_equal(chdir(home), 0);
    read_space("own", NULL, &error);
    assert_string_equal(error.hint, "to use the folder of that name here, write ./own");
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_shipped_template_with_its_spaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_of_ones_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_names_have_hints, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
