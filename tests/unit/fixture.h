/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixture.h - a device, a template and a space from texts, and the problem made of them, for the tests of what stands
 * above the parsers.
 */
#ifndef TUNE_TESTS_FIXTURE_H
#define TUNE_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/problem.h"

#include <string.h>

/* The limits of an H100, with little memory. */
static inline struct device_description fixture_device(void)
{
    return (struct device_description){
        .kind = "cuda",
        .name = "Test GPU",
        .architecture = "sm_90",
        .compute_capability = 90,
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_block_x = 1024,
        .max_block_y = 1024,
        .max_block_z = 64,
        .max_grid_x = 2147483647,
        .max_grid_y = 65535,
        .max_grid_z = 65535,
        .max_shared_per_block = 49152,
        .max_shared_per_block_optin = 232448,
        .sm_count = 132,
        .memory_bytes = (int64_t)1 << 30,
    };
}

#define assert_success(call, error)                                                                                  \
    do {                                                                                                             \
        if (!(call)) {                                                                                               \
            error_print(error, stderr);                                                                              \
            fail_msg("%s", #call);                                                                                   \
        }                                                                                                            \
    } while (0)

struct fixture {
    struct device_description device;
    struct template *template;
    struct space *space;
    struct problem *problem;
    struct error error;
};

static inline void fixture_parse(struct fixture *fixture, const char *template_text, const char *space_text)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->device = fixture_device();
    assert_success(template_parse("test.template", "folder", template_text, strlen(template_text), &fixture->template,
                                  &fixture->error),
                   &fixture->error);
    if (space_text)
        assert_success(space_parse("test.space", space_text, strlen(space_text), fixture->template, &fixture->space,
                                   &fixture->error),
                       &fixture->error);
}

static inline bool fixture_try(struct fixture *fixture)
{
    return problem_create(fixture->template, fixture->space, &fixture->device, NULL, 0, &fixture->problem,
                          &fixture->error);
}

static inline void fixture_create(struct fixture *fixture, const char *template_text, const char *space_text)
{
    fixture_parse(fixture, template_text, space_text);
    assert_success(fixture_try(fixture), &fixture->error);
}

static inline void fixture_free(struct fixture *fixture)
{
    problem_free(fixture->problem);
    space_free(fixture->space);
    template_free(fixture->template);
}

static inline void assert_mentions(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" does not mention \"%s\"", text, part);
}

#endif
