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

#include "tests/unit/expect.h"

#define must(call) assert_success(call, &error)

#endif
