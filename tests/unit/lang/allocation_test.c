/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a template and its spaces with each allocation failing in turn: a clean error every time, and no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/everything.h"
#include "tests/unit/failing_allocator.h"
#include "tuner/lang/space.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { ENOUGH = 200000 };

typedef bool reading(const char *template, const char *space, struct error *error);

static bool read_both(const char *template_path, const char *space_path, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    bool done = template_read(template_path, &template, error) && space_read(space_path, template, &space, error);
    space_free(space);
    template_free(template);
    return done;
}

static bool parse_both(const char *template_text, const char *space_text, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    bool done = template_parse("a.template", ".", template_text, strlen(template_text), &template, error) &&
                space_parse("a.space", space_text, strlen(space_text), template, &space, error);
    space_free(space);
    template_free(template);
    return done;
}

static void fail_each(reading *read, const char *template, const char *space)
{
    struct error error = {0};
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = read(template, space, &error);
        failed = failing_allocator_end();
        if (!failed && !done)
            fail_msg("without a failure: %s", error.text);
        if (failed && (done || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu of %s: %s, code %d: %s", n, template, done ? "success" : "failure",
                     (int)error.code, error.text);
        assert_true(n < ENOUGH);
    }
    assert_true(n > 10); /* it did allocate */
}

static void shipped_templates(void **state)
{
    (void)state;
    fail_each(read_both, TUNE_SOURCE_FOLDER "/templates/gemm",
              TUNE_SOURCE_FOLDER "/spaces/gemm/joint_reg_smem.space");
    fail_each(read_both, TUNE_SOURCE_FOLDER "/templates/reduction",
              TUNE_SOURCE_FOLDER "/spaces/reduction/full.space");
    fail_each(read_both, TUNE_SOURCE_FOLDER "/templates/mri_fhd", TUNE_SOURCE_FOLDER "/spaces/mri_fhd/full.space");
}

static void every_statement(void **state)
{
    (void)state;
    fail_each(parse_both, everything, everything_space);
}

/* A template that is wrong: its error, at worst without the hint, or lack of memory. */
static void fail_each_of_wrong(const char *path)
{
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct error error = {0};
        struct template *template;
        failing_allocator_begin(n);
        assert_false(template_read(path, &template, &error));
        failed = failing_allocator_end();
        if (error.code != ERROR_INPUT && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu of %s: code %d: %s", n, path, (int)error.code, error.text);
    }
}

static void every_error(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(TUNE_SOURCE_FOLDER "/tests/unit/lang/errors/[0-9]*.template", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 80);
    for (size_t i = 0; i < found.gl_pathc; i++)
        fail_each_of_wrong(found.gl_pathv[i]);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_templates), cmocka_unit_test(every_statement),
                                       cmocka_unit_test(every_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
