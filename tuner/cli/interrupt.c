/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/interrupt.h"

#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

static volatile sig_atomic_t interrupts; /* global: a signal handler writes it */
static volatile sig_atomic_t end_program;

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(number, &action, NULL);
}

void interrupts_say_early(void)
{
    static const char text[] = "tune: interrupted before the sweep began; the same command begins it\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

static void end(void)
{
    interrupts_say_early();
    _exit(STATUS_INTERRUPTED);
}

static void interrupt(int number)
{
    (void)number;
    interrupts = interrupts + 1;
    if (end_program)
        end();
    for (size_t i = 0; interrupts > 1 && i < SIGNAL_COUNT; i++)
        set_handler(signals[i], SIG_DFL);
}

const volatile sig_atomic_t *interrupts_catch(void)
{
    end_program = 0;
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction present;
        if (sigaction(signals[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            set_handler(signals[i], interrupt);
    }
    return &interrupts;
}

void interrupts_end_program(void)
{
    (void)interrupts_catch();
    end_program = 1;
    if (interrupts > 0)
        end();
}
