/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_main.h"

#include "tuner/workers/compile_worker.h"
#include "tuner/workers/confinement.h"
#include "tuner/workers/guardian.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/*
 * Leave nothing behind but what the parent asked for: a guardian that dies with the parent and takes everything
 * along, no core dump, no socket for compilers. Then give up all rights that are not needed.
 */
static bool settle_in(int *socket, struct error *error)
{
    const struct rlimit no_core = {0, 0};
    struct confined confined;
    if (!confined_read(&confined, error))
        return false;
    const struct guardian_plan plan = {
        .socket = *socket,
        .parent = confined.parent,
        .own_namespace = confined.on && !confined.accelerator,
        .processes_most = CONFINED_PROCESSES + 4 * (int)sysconf(_SC_NPROCESSORS_CONF), /* kernels run in threads */
    };
    bool done = guardian_enter(&plan, error);
    if (done && (setrlimit(RLIMIT_CORE, &no_core) != 0 || fcntl(*socket, F_SETFD, FD_CLOEXEC) != 0))
        done = error_set(error, ERROR_SYSTEM, "cannot set up a worker process; only tune itself starts them");
    if (done) {
        hide(socket);
        confinement_enforce(&confined);
        restore_faults();
    }
    confined_clear(&confined);
    return done;
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
