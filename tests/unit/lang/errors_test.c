/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every file errors/NNN_name.template or .space is wrong in one way; errors/NNN_name.expected is what error_print
 * says. Spaces are read against errors/base.template.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/space.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What reading the file says, allocated; fails the test if it can be read. */
static char *message_of(const char *name, const struct template *base)
{
    struct error error = {0};
    struct template *template;
    struct space *space;
    char *text = NULL;
    size_t size;
    bool is_space = strstr(name, ".space") != NULL;
    bool read = is_space ? space_read(name, base, &space, &error) : template_read(name, &template, &error);
    if (read)
        fail_msg("%s is read without an error", name);
    assert_int_equal(error_exit_status(&error), 2);
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    error_print(&error, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expected_of(const char *name, char *text, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%.*s.expected", (int)(strrchr(name, '.') - name), name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing", path);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

static size_t run(const char *pattern, const struct template *base)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char wanted[4096];
        expected_of(found.gl_pathv[i], wanted, sizeof wanted);
        char *got = message_of(found.gl_pathv[i], base);
        if (strcmp(got, wanted) != 0)
            fail_msg("%s says\n%sand not\n%s", found.gl_pathv[i], got, wanted);
        free(got);
    }
    size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static void test_fixtures(void **state)
{
    (void)state;
    struct template *base;
    struct error error = {0};
    assert_int_equal(chdir(TUNE_SOURCE_FOLDER "/tests/unit/lang/errors"), 0);
    if (!template_read("base.template", &base, &error))
        fail_msg("base.template: %s", error.text);
    assert_true(run("[0-9]*.template", base) >= 80);
    assert_true(run("[0-9]*.space", base) >= 20);
    template_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixtures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
