/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callers.h - threads that launch one kernel at the same time, and check its results: y = factor * x + summand.
 */
#ifndef TUNE_TESTS_LIBRARY_CALLERS_H
#define TUNE_TESTS_LIBRARY_CALLERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/tune.h"

#include <pthread.h>
#include <stdbool.h>

enum { CALLERS_NUMBERS_MOST = 256 };

struct caller {
    struct tune_kernel *kernel;
    int numbers, rounds; /* numbers: of x, and of y */
    int factor, summand;
    int self;
    bool right;
    pthread_t thread;
};

static void *caller_launch(void *argument)
{
    struct caller *caller = argument;
    _Alignas(16) int x[CALLERS_NUMBERS_MOST];
    _Alignas(16) int y[CALLERS_NUMBERS_MOST];
    const size_t bytes = (size_t)caller->numbers * sizeof *x;
    const struct tune_buffer buffers[] = {{x, bytes}, {y, bytes}};
    caller->right = true;
    for (int round = 0; round < caller->rounds && caller->right; round++) {
        const int first = 1000 * caller->self + 17 * round;
        for (int i = 0; i < caller->numbers; i++)
            x[i] = first + i;
        caller->right = tune_launch(caller->kernel, NULL, buffers, 2, NULL) == TUNE_OK;
        for (int i = 0; i < caller->numbers && caller->right; i++)
            caller->right = x[i] == first + i && y[i] == caller->factor * x[i] + caller->summand;
    }
    return NULL;
}

/* Each like this one. */
static inline void callers_begin(struct caller *callers, size_t count, const struct caller *like)
{
    assert_true(like->numbers <= CALLERS_NUMBERS_MOST);
    for (size_t i = 0; i < count; i++) {
        callers[i] = *like;
        callers[i].self = (int)i;
        assert_int_equal(pthread_create(&callers[i].thread, NULL, caller_launch, &callers[i]), 0);
    }
}

static inline void caller_end(struct caller *caller)
{
    pthread_join(caller->thread, NULL);
    assert_true(caller->right);
}

#endif
