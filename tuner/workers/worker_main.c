/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_main.h"

#include "tuner/workers/compile_worker.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct role {
    const char *name;
    bool (*serve)(struct channel *channel, struct error *error);
} roles[] = {
    {"compile", compile_worker},
    {"measure", measure_worker},
};

/* A kernel's fault must end the process by its signal, even if a sanitizer has installed handlers. */
static void restore_faults(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], SIG_DFL);
}

/* When the worker is terminated, so is the compiler that it runs: they are a process group of their own. */
static void end_group(int signal)
{
    (void)signal;
    if (getpgrp() == getpid())
        kill(0, SIGKILL);
    _exit(EXIT_FAILURE);
}

/* A kernel that writes to a descriptor with a low number must not hit the socket. */
static void hide(int *socket)
{
    enum { FIRST = 100, SPREAD = 100 };
    int hidden = fcntl(*socket, F_DUPFD_CLOEXEC, FIRST + (int)(getpid() % SPREAD));
    if (hidden < 0)
        return; /* few descriptors are allowed: it stays where it is */
    close(*socket);
    *socket = hidden;
}

/* Die with the parent, leave no core dump, and do not pass the socket on to compilers. */
static bool settle_in(int *socket, struct error *error)
{
    const struct rlimit no_core = {0, 0};
    const struct sigaction ending = {.sa_handler = end_group};
    if (sigaction(SIGTERM, &ending, NULL) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 ||
        setrlimit(RLIMIT_CORE, &no_core) != 0 || fcntl(*socket, F_SETFD, FD_CLOEXEC) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot set up a worker process; only tune itself starts them");
    restore_faults();
    hide(socket);
    return true;
}

int worker_main(const char *role, int socket)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strcmp(roles[i].name, role) == 0)
            return worker_serve(socket, roles[i].serve);
    }
    return EXIT_FAILURE;
}

int worker_serve(int socket, bool (*serve)(struct channel *channel, struct error *error))
{
    struct error error = {0};
    struct channel *channel = NULL;
    bool served = settle_in(&socket, &error) && channel_create(socket, &channel, &error) && serve(channel, &error);
    channel_free(channel);
    if (!served)
        error_print(&error, stderr); /* a pipe to the parent, which quotes it */
    if (served)
        return EXIT_SUCCESS;
    return error.code == ERROR_OUT_OF_MEMORY ? WORKER_OUT_OF_MEMORY
           : error_is_of_machine(&error)     ? WORKER_OF_MACHINE
                                             : EXIT_FAILURE;
}
