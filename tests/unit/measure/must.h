/* SPDX-License-Identifier: Apache-2.0 */
/*
 * must.h - a call that must succeed; otherwise the test fails with the text of `error`, which the test defines.
 */
#ifndef TUNE_TESTS_MUST_H
#define TUNE_TESTS_MUST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/error.h"

#define must(call)                                                                                                   \
    do {                                                                                                             \
        if (!(call)) {                                                                                               \
            error_print(&error, stderr);                                                                             \
            fail_msg("%s", #call);                                                                                   \
        }                                                                                                            \
    } while (0)

#endif
