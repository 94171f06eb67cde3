/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fiber.h - several flows of control on one operating-system thread, each with a stack of its own.
 *
 * A fiber starts in fiber_prepare's function and never returns from it; it runs while other flows switch to it. A
 * switch saves the callee-saved registers of the calling convention and nothing else: no signal mask, no system call.
 * It is assembly on x86-64; elsewhere, or with -DTUNE_UCONTEXT=ON, it is POSIX ucontext. AddressSanitizer is told of
 * every switch, so that it follows the stacks without false alarms.
 */
#ifndef TUNE_DEVICE_CPU_FIBER_H
#define TUNE_DEVICE_CPU_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef TUNE_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ADDRESS_SANITIZER 1
#endif
#endif

enum { FIBER_STACK = 64 << 10, FIBER_GUARD = 4096 };

struct fiber_context {
#ifdef TUNE_UCONTEXT
    ucontext_t machine;
#else
    void *stack_pointer;
#endif
#ifdef FIBER_ADDRESS_SANITIZER
    void *stack; /* lowest address; that of the thread's own flow is known after its first switch */
    size_t stack_bytes;
    void *shadow; /* the sanitizer's fake stack while another flow runs */
#endif
};

/* Make `fiber` start with `run(argument)` at the first switch to it; `skew` bytes of its stack stay unused. */
void fiber_prepare(struct fiber_context *fiber, void *stack, size_t bytes, size_t skew, void (*run)(void *),
                   void *argument);

/* Switch from the running flow, `from`, to `to`; returns when something switches to `from` again. */
static inline void fiber_switch(struct fiber_context *from, struct fiber_context *to);

/* The same, from a flow that will never be resumed. */
void fiber_switch_last(struct fiber_context *from, struct fiber_context *to);

/* Must be the first call in a fiber's function. */
void fiber_started(struct fiber_context *fiber);

#if defined(TUNE_UCONTEXT) || defined(FIBER_ADDRESS_SANITIZER)
void fiber_switch_told(struct fiber_context *from, struct fiber_context *to);
#endif
#if !defined(TUNE_UCONTEXT)
void fiber_swap(void **save, void *load);
#endif

static inline void fiber_switch(struct fiber_context *from, struct fiber_context *to)
{
#if defined(TUNE_UCONTEXT) || defined(FIBER_ADDRESS_SANITIZER)
    fiber_switch_told(from, to);
#else
    fiber_swap(&from->stack_pointer, to->stack_pointer);
#endif
}

#endif
