/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupt.h - Ctrl-C, a request to terminate, a closed terminal: each asks for an orderly end.
 */
#ifndef TUNE_CLI_INTERRUPT_H
#define TUNE_CLI_INTERRUPT_H

#include <signal.h>

/*
 * Catch such signals from now on, but for those that are ignored (nohup, a job in the background). The number counts
 * them: 1 means to finish what is at hand, 2 to stop at once; a third ends the program where it is.
 */
const volatile sig_atomic_t *interrupts_catch(void);

#endif
