/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expressions.h - expressions from texts, for the tests of their parser, evaluation and functions. Two names are
 * declared behind the device's: the parameter TILE, which is 16 in expect(), and the let area, which has no value.
 */
#ifndef TUNE_TESTS_EXPRESSIONS_H
#define TUNE_TESTS_EXPRESSIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expressions {
    struct arena arena;
    struct text text;
    struct scope *scope;
    struct value slots[64];
    size_t tile, area;
    const struct expr *expr;
    struct error error;
};

static inline void start(struct expressions *f)
{
    memset(f, 0, sizeof *f);
    f->scope = scope_create(&f->arena);
    assert_non_null(f->scope);
    assert_true(scope_add_device(f->scope));
    assert_true(scope_add_value(f->scope, "TILE", 4, NAME_PARAMETER, NULL, 0, &f->tile));
    assert_true(scope_add_value(f->scope, "area", 4, NAME_LET, NULL, 0, &f->area));
    assert_true(scope_count(f->scope) <= sizeof f->slots / sizeof *f->slots);
}

static inline bool parse(struct expressions *f, const char *text)
{
    return text_copy(&f->text, &f->arena, "test", text, strlen(text), &f->error) &&
           expression_parse(&f->text, &f->arena, f->scope, &f->expr, &f->error);
}

/* The value's text, or "error: text". */
static inline void answer(struct expressions *f, const char *text, char *buffer, size_t size)
{
    struct value value;
    if (parse(f, text) && expr_evaluate(f->expr, f->slots, &value, &f->error))
        value_text(value, buffer, size);
    else
        snprintf(buffer, size, "error: %.400s", f->error.text);
}

static inline void expect(const char *text, const char *wanted)
{
    struct expressions f;
    char got[512];
    start(&f);
    f.slots[f.tile] = value_integer(16);
    answer(&f, text, got, sizeof got);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s gives %s, not %s", text, got, wanted);
    arena_free(&f.arena);
}

/* The texts of the list's values with blanks between them. */
static inline void expect_list(const char *text, const char *wanted)
{
    struct expressions f;
    struct value *values = NULL;
    size_t count = 0;
    char got[256] = "";
    start(&f);
    if (!parse(&f, text) || !expr_list(f.expr, f.slots, &values, &count, &f.error))
        fail_msg("%s: %s", text, f.error.text);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(got);
        if (i)
            got[used++] = ' ';
        value_text(values[i], got + used, sizeof got - used);
    }
    assert_string_equal(got, wanted);
    free(values);
    arena_free(&f.arena);
}

#endif
