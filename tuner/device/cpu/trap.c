/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/trap.h"

#include <signal.h>
#include <stddef.h>

/* A handler has no argument of its own. */
static _Thread_local struct {
    trap_function *function;
    void *context;
} called;
static struct sigaction before;

static void handle(int signal, siginfo_t *info, void *machine)
{
    (void)machine;
    if (called.function)
        called.function(called.context, info->si_addr);
    sigaction(signal, &before, NULL); /* and the access is made again */
}

void trap_call(trap_function *function, void *context)
{
    called.function = function;
    called.context = context;
}

void trap_set(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
}

void trap_clear(void)
{
    sigaction(SIGSEGV, &before, NULL);
}
