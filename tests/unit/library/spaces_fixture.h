/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spaces_fixture.h - a folder with a template t of one size and one parameter, and the spaces a, full, usual (its
 * default) and broken.
 */
#ifndef TUNE_TESTS_LIBRARY_SPACES_FIXTURE_H
#define TUNE_TESTS_LIBRARY_SPACES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/scratch_folder.h"
#include "tuner/lang/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spaces_fixture {
    char folder[64];
    struct template *template;
    struct error error;
};

static inline void spaces_write(const struct spaces_fixture *f, const char *name, const char *text)
{
    scratch_write_in(f->folder, name, text);
}

static inline void spaces_begin(struct spaces_fixture *f)
{
    *f = (struct spaces_fixture){.folder = "/tmp/tune-spaces-XXXXXX"};
    assert_non_null(mkdtemp(f->folder));
    spaces_write(f, "k.cu", "__global__ void k(float *y, int n) {}\n__global__ void r(float *y) {}\n");
    spaces_write(f, "t.template",
                 "template t\ndefault space usual\nsize n = 64\nparameter A\nsource \"k.cu\"\n"
                 "buffer y : float[n] out\nlaunch { k<<<1, A>>>(y, n) }\n"
                 "reference \"k.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    spaces_write(f, "a.space", "space a of t\nparam A = [1, 2, 3]\n");
    spaces_write(f, "full.space", "space full of t\nparam A = [4, 8]\nwhere A <= n\n");
    spaces_write(f, "usual.space", "space usual of t\nparam A = [16]\ndefault A = 16\n");
    spaces_write(f, "broken.space", "space broken of t\nparam B = [5]\n");
    assert_success(template_read(f->folder, &f->template, &f->error), &f->error);
}

static inline void spaces_end(struct spaces_fixture *f)
{
    template_free(f->template);
    assert_int_equal(scratch_remove(f->folder), 0);
}

#endif
