/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printed.h - a stream in memory with the width and color of a terminal, for the tests of what is printed.
 */
#ifndef TUNE_TESTS_CLI_PRINTED_H
#define TUNE_TESTS_CLI_PRINTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cli/terminal.h"

#include <stdlib.h>
#include <string.h>

struct printed {
    char *text;
    size_t length;
    struct terminal out;
};

/* A plain stream of this width, 0 for a pipe; set `out` for more. */
static inline void printed_begin(struct printed *printed, size_t width)
{
    printed->out = (struct terminal){.stream = open_memstream(&printed->text, &printed->length), .width = width};
    assert_non_null(printed->out.stream);
}

/* What was printed since; the test frees it. */
static inline char *printed_end(struct printed *printed)
{
    assert_int_equal(fclose(printed->out.stream), 0);
    return printed->text;
}

static inline void printed_equal(struct printed *printed, const char *expected)
{
    char *text = printed_end(printed);
    assert_string_equal(text, expected);
    free(text);
}

#endif
