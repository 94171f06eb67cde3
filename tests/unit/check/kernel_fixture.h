/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_fixture.h - a small template whose parameter KIND selects what its kernel does, and jobs made from it.
 */
#ifndef TUNE_TESTS_KERNEL_FIXTURE_H
#define TUNE_TESTS_KERNEL_FIXTURE_H

#include "tests/unit/fixture.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/job/job.h"

/* KIND is one of the names in `kinds`, "[\"clean\", \"race\"]"; the configurations are in this order. */
static inline void kernel_fixture_create(struct fixture *fixture, const char *kinds)
{
    static const char template_text[] = "template kernel \"a kernel\"\n"
                                        "size n = 100\n"
                                        "awkward n = 7\n"
                                        "parameter KIND \"what it does\"\n"
                                        "source \"kernel.cu\"\n"
                                        "buffer x : float[n] in uniform(-1, 1)\n"
                                        "buffer y : float[n] out\n"
                                        "launch {\n"
                                        "    kernel<<<ceil_div(n, 64), 64>>>(x, y, n)\n"
                                        "}\n"
                                        "reference \"none.cu\" {\n"
                                        "    none<<<1, 1>>>(ref(y))\n"
                                        "}\n"
                                        "check y exact\n";
    char space_text[512];
    snprintf(space_text, sizeof space_text, "space all of kernel\nparam KIND = %s\n", kinds);
    fixture_create(fixture, template_text, space_text);
}

static inline struct job *kernel_fixture_job(struct fixture *fixture, size_t index)
{
    struct job *job;
    assert_success(job_lower(fixture->problem, index, 1, &job, &fixture->error), &fixture->error);
    free(job->program.path);
    job->program.path = strdup(scratch_path("kernel.cu"));
    assert_non_null(job->program.path);
    return job;
}

#endif
