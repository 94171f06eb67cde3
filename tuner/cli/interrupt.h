/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupt.h - Ctrl-C, SIGTERM, a closed terminal and SIGUSR1 ask for an orderly end. Slurm sends SIGUSR1 some time
 * before a job's limit, if it is asked to (--signal).
 */
#ifndef TUNE_CLI_INTERRUPT_H
#define TUNE_CLI_INTERRUPT_H

#include <signal.h>

/* The exit status of a command that ended so. */
enum { STATUS_INTERRUPTED = 130 };

/*
 * Catch these signals from now on, except those that are ignored (nohup, a background job). The result counts them: 1
 * means to finish the work at hand, 2 to stop at once; a third signal kills the program.
 */
const volatile sig_atomic_t *interrupts_catch(void);

/*
 * Until interrupts_catch is called again, have such a signal say that the sweep has not begun, and end the program
 * with STATUS_INTERRUPTED: while there is nothing to finish, and much that may take its time. One that has been
 * counted ends it now.
 */
void interrupts_end_program(void);

/* What is said then. */
void interrupts_say_early(void);

#endif
