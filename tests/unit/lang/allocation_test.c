/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a template and its spaces with each allocation failing in turn: a clean error every time, and no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/failing_allocator.h"
#include "tuner/lang/space.h"

#include <stdio.h>

enum { ENOUGH = 200000 };

static bool read_both(const char *template_path, const char *space_path, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    bool done = template_read(template_path, &template, error) && space_read(space_path, template, &space, error);
    space_free(space);
    template_free(template);
    return done;
}

static void fail_each(const char *template_path, const char *space_path)
{
    struct error error = {0};
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = read_both(template_path, space_path, &error);
        failed = failing_allocator_end();
        if (!failed && !done)
            fail_msg("without a failure: %s", error.text);
        if (failed && (done || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu of %s: %s, code %d: %s", n, template_path, done ? "success" : "failure",
                     (int)error.code, error.text);
        assert_true(n < ENOUGH);
    }
    assert_true(n > 10); /* it did allocate */
}

static void shipped_templates(void **state)
{
    (void)state;
    fail_each(TUNE_SOURCE_FOLDER "/templates/gemm", TUNE_SOURCE_FOLDER "/spaces/gemm/joint_reg_smem.space");
    fail_each(TUNE_SOURCE_FOLDER "/templates/reduction", TUNE_SOURCE_FOLDER "/spaces/reduction/full.space");
    fail_each(TUNE_SOURCE_FOLDER "/templates/mri_fhd", TUNE_SOURCE_FOLDER "/spaces/mri_fhd/full.space");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_templates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
