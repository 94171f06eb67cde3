/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

static volatile sig_atomic_t interrupts; /* global: a signal handler writes it */

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(number, &action, NULL);
}

static void interrupt(int number)
{
    (void)number;
    interrupts = interrupts + 1;
    for (size_t i = 0; interrupts > 1 && i < SIGNAL_COUNT; i++)
        set_handler(signals[i], SIG_DFL);
}

const volatile sig_atomic_t *interrupts_catch(void)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction present;
        if (sigaction(signals[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            set_handler(signals[i], interrupt);
    }
    return &interrupts;
}
