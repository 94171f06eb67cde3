/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of control that switch among each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/fiber.h"

#include <stdlib.h>
#include <string.h>

enum { FIBERS = 50, ROUNDS = 200, STACK = 64 << 10 };

struct flow {
    struct fiber_context context;
    struct flow *next; /* NULL: back to the main flow */
    int number;
    long sum;
    double product;
    uintptr_t top; /* of its stack, roughly */
};

static struct fiber_context main_flow;
static char order[FIBERS + 1];

/* Locals on the stack and in registers survive every switch. */
static void run(void *argument)
{
    struct flow *self = argument;
    fiber_started(&self->context);
    volatile int local[100];
    long sum = 0;
    double product = 1;
    self->top = (uintptr_t)local;
    for (int i = 0; i < 100; i++)
        local[i] = self->number;
    for (int round = 0;; round++) {
        sum += local[round % 100] + round;
        product *= 1.0 + self->number * 1e-6;
        self->sum = sum;
        self->product = product;
        fiber_switch(&self->context, self->next ? &self->next->context : &main_flow);
    }
}

static void flows_go_round_in_turns(void **state)
{
    (void)state;
    struct flow *flows = calloc(FIBERS, sizeof *flows);
    char *stacks = aligned_alloc(4096, (size_t)FIBERS * STACK);
    assert_true(flows && stacks);
    for (int i = 0; i < FIBERS; i++) {
        flows[i].number = i;
        flows[i].next = i + 1 < FIBERS ? &flows[i + 1] : NULL;
        fiber_prepare(&flows[i].context, stacks + (size_t)i * STACK, STACK, (size_t)i % 8 * 64, run, &flows[i]);
    }
    for (int round = 0; round < ROUNDS; round++)
        fiber_switch(&main_flow, &flows[0].context);
    for (int i = 0; i < FIBERS; i++) {
        double product = 1;
        for (int round = 0; round < ROUNDS; round++)
            product *= 1.0 + i * 1e-6;
        assert_int_equal(flows[i].sum, (long)i * ROUNDS + (long)ROUNDS * (ROUNDS - 1) / 2);
        assert_true(flows[i].product == product);
        uintptr_t stack = (uintptr_t)stacks + (uintptr_t)i * STACK;
        assert_true(flows[i].top > stack && flows[i].top < stack + STACK); /* on its own stack */
    }
    free(stacks);
    free(flows);
}

static struct flow final;

static void leave_for_good(void *argument)
{
    fiber_started(&final.context);
    strcat(order, argument);
    fiber_switch_last(&final.context, &main_flow);
    strcat(order, "never");
}

/* An abandoned stack can be prepared anew. */
static void a_stack_is_used_again(void **state)
{
    (void)state;
    char *stack = aligned_alloc(4096, STACK);
    assert_non_null(stack);
    order[0] = '\0';
    static const char *const words[] = {"a", "b", "c"};
    for (size_t i = 0; i < 3; i++) {
        fiber_prepare(&final.context, stack, STACK, 64 * i, leave_for_good, (void *)(uintptr_t)words[i]);
        fiber_switch(&main_flow, &final.context);
    }
    assert_string_equal(order, "abc");
    free(stack);
}

/* The calling convention aligns the stack to 16 bytes; vector instructions fault otherwise. */
static void take_alignment(void *argument)
{
    fiber_started(&final.context);
    _Alignas(16) volatile char aligned[16];
    *(uintptr_t *)argument = (uintptr_t)aligned % 16 + ((uintptr_t)__builtin_frame_address(0) % 16);
    fiber_switch_last(&final.context, &main_flow);
}

static void stacks_are_aligned(void **state)
{
    (void)state;
    char *stack = aligned_alloc(4096, STACK);
    assert_non_null(stack);
    for (size_t skew = 0; skew < 1024; skew += 8) {
        uintptr_t off = 99;
        fiber_prepare(&final.context, stack, STACK, skew, take_alignment, &off);
        fiber_switch(&main_flow, &final.context);
        assert_int_equal(off, 0);
    }
    free(stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_go_round_in_turns),
        cmocka_unit_test(a_stack_is_used_again),
        cmocka_unit_test(stacks_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
