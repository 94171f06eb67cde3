/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/fiber.h"

#include <stdint.h>

#ifdef FIBER_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/* The flow that a switch leaves: the sanitizer reports its stack on arrival in the other. */
static _Thread_local struct fiber_context *leaving;

static void announce(struct fiber_context *from, struct fiber_context *to, bool last)
{
    leaving = from;
    __sanitizer_start_switch_fiber(last ? NULL : &from->shadow, to->stack, to->stack_bytes);
}

static void arrive(struct fiber_context *here)
{
    const void *stack;
    size_t bytes;
    __sanitizer_finish_switch_fiber(here->shadow, &stack, &bytes);
    leaving->stack = (void *)(uintptr_t)stack;
    leaving->stack_bytes = bytes;
}

/* An abandoned flow leaves its red zones behind. */
static void record(struct fiber_context *fiber, void *stack, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(stack, bytes);
    fiber->stack = stack;
    fiber->stack_bytes = bytes;
    fiber->shadow = NULL;
}
#else
static inline void announce(struct fiber_context *from, struct fiber_context *to, bool last)
{
    (void)from, (void)to, (void)last;
}

static inline void arrive(struct fiber_context *here)
{
    (void)here;
}

static inline void record(struct fiber_context *fiber, void *stack, size_t bytes)
{
    (void)fiber, (void)stack, (void)bytes;
}
#endif

void fiber_started(struct fiber_context *fiber)
{
    arrive(fiber);
}

#ifdef TUNE_UCONTEXT

/* makecontext passes only ints: a pointer takes two. */
static void begin(unsigned run_high, unsigned run_low, unsigned argument_high, unsigned argument_low)
{
    uintptr_t run = (uintptr_t)((uint64_t)run_high << 32 | run_low);
    uintptr_t argument = (uintptr_t)((uint64_t)argument_high << 32 | argument_low);
    ((void (*)(void *))run)((void *)argument);
}

void fiber_prepare(struct fiber_context *fiber, void *stack, size_t bytes, size_t skew, void (*run)(void *),
                   void *argument)
{
    record(fiber, stack, bytes);
    getcontext(&fiber->machine);
    fiber->machine.uc_stack.ss_sp = stack;
    fiber->machine.uc_stack.ss_size = bytes - skew;
    fiber->machine.uc_link = NULL;
    uint64_t function = (uint64_t)(uintptr_t)run, pointer = (uint64_t)(uintptr_t)argument;
    makecontext(&fiber->machine, (void (*)(void))begin, 4, (unsigned)(function >> 32), (unsigned)function,
                (unsigned)(pointer >> 32), (unsigned)pointer);
}

static void swap(struct fiber_context *from, struct fiber_context *to)
{
    swapcontext(&from->machine, &to->machine);
}

#else

void fiber_begin(void);

void fiber_prepare(struct fiber_context *fiber, void *stack, size_t bytes, size_t skew, void (*run)(void *),
                   void *argument)
{
    record(fiber, stack, bytes);
    /* What fiber_swap pops: r15, r14, r13, r12, rbx, rbp and the return address; the stack is aligned above it. */
    uintptr_t top = ((uintptr_t)stack + bytes - skew) & ~(uintptr_t)63;
    uintptr_t *frame = (uintptr_t *)top - 7;
    frame[0] = 0;
    frame[1] = 0;
    frame[2] = (uintptr_t)argument;
    frame[3] = (uintptr_t)run;
    frame[4] = 0;
    frame[5] = 0;
    frame[6] = (uintptr_t)fiber_begin;
    fiber->stack_pointer = frame;
}

static inline void swap(struct fiber_context *from, struct fiber_context *to)
{
    fiber_swap(&from->stack_pointer, to->stack_pointer);
}

#endif

#if defined(TUNE_UCONTEXT) || defined(FIBER_ADDRESS_SANITIZER)
void fiber_switch_told(struct fiber_context *from, struct fiber_context *to)
{
    announce(from, to, false);
    swap(from, to);
    arrive(from);
}
#endif

void fiber_switch_last(struct fiber_context *from, struct fiber_context *to)
{
    announce(from, to, true);
    swap(from, to);
}
