/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.h - an access to an inaccessible page, told to the thread that made it.
 *
 * While traps are set, SIGSEGV calls the thread's function, which may leave for good by switching fibers. If it
 * returns, or there is none, what SIGSEGV did before happens. A signal's action belongs to the whole process, so
 * traps are set for the duration of a launch only.
 */
#ifndef TUNE_DEVICE_CPU_TRAP_H
#define TUNE_DEVICE_CPU_TRAP_H

typedef void trap_function(void *context, const void *address);

/* Of the calling thread; NULL: none. */
void trap_call(trap_function *function, void *context);

void trap_set(void);
void trap_clear(void);

#endif
