/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixture.h - a device, a template and a space parsed from strings, and the problem they form, for tests of the
 * layers above the parsers.
 */
#ifndef TUNE_TESTS_FIXTURE_H
#define TUNE_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/h100.h"
#include "tuner/space/problem.h"

#include <string.h>

/* An H100 with little memory. */
static inline struct device_description fixture_device(void)
{
    struct device_description device = h100;
    strcpy(device.name, "Test GPU");
    device.memory_bytes = (int64_t)1 << 30;
    return device;
}

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

#endif
