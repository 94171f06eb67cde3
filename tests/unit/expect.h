/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expect.h - assertions that print the error on failure. Include cmocka.h first.
 */
#ifndef TUNE_TESTS_UNIT_EXPECT_H
#define TUNE_TESTS_UNIT_EXPECT_H

#include "tuner/error/error.h"

#include <string.h>

#define assert_success(call, error)                                                                                  \
    do {                                                                                                             \
        if (!(call)) {                                                                                               \
            error_print(error, stderr);                                                                              \
            fail_msg("%s", #call);                                                                                   \
        }                                                                                                            \
    } while (0)

static inline void assert_mentions(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" does not mention \"%s\"", text, part);
}

#endif
