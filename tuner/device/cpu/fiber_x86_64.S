/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void fiber_swap(void **save, void *load)
 *
 * System V AMD64 ABI: rbx, rbp and r12 to r15 are callee-saved. The control words of SSE and x87 are too, but no kernel
 * changes them. It ends in a return, not a jump: fibers mostly wait at the same place, so the processor's return stack
 * predicts this return and those of the callers.
 */
    .text
    .global fiber_swap
    .hidden fiber_swap
    .type fiber_swap, @function
    .balign 64
fiber_swap:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size fiber_swap, . - fiber_swap

/* Where a new fiber starts: fiber_prepare left the function in r12 and its argument in r13. */
    .global fiber_begin
    .hidden fiber_begin
    .type fiber_begin, @function
fiber_begin:
    .cfi_startproc
    endbr64
    .cfi_undefined rip
    movq %r13, %rdi
    callq *%r12
    ud2
    .cfi_endproc
    .size fiber_begin, . - fiber_begin

#ifdef __CET__ /* indirect branches are marked; a switch of stacks does not fit a shadow stack */
    .section .note.gnu.property,"a"
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 1, 0
#endif

    .section .note.GNU-stack,"",%progbits
