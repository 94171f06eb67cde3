/* SPDX-License-Identifier: Apache-2.0 */
/*
 * templates.h - templates from texts, for the tests of the parsers of their statements.
 */
#ifndef TUNE_TESTS_TEMPLATES_H
#define TUNE_TESTS_TEMPLATES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/scope.h"
#include "tuner/lang/template.h"

#include <stdio.h>
#include <string.h>

static inline struct template *parse_template_text(const char *text)
{
    struct template *template = NULL;
    struct error error = {0};
    if (!template_parse("test.template", "folder", text, strlen(text), &template, &error))
        fail_msg("line %u: %s", error.line, error.text);
    return template;
}

static inline void expect_refused(const char *text, const char *message)
{
    struct template *template = NULL;
    struct error error = {0};
    if (template_parse("test.template", "folder", text, strlen(text), &template, &error))
        fail_msg("<%s> is accepted", text);
    assert_int_equal(error.code, ERROR_INPUT);
    if (strcmp(error.text, message) != 0)
        fail_msg("<%s>: %s, and not: %s", text, error.text, message);
}

static inline void expect_span(struct place place, const char *wanted)
{
    assert_int_equal(place.length, strlen(wanted));
    assert_memory_equal(place.text + place.offset, wanted, strlen(wanted));
}

static inline void expect_expr(const struct expr *expr, const char *wanted)
{
    assert_non_null(expr);
    expect_span(expr_place(expr), wanted);
}

#endif
