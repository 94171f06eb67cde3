/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/confined_program.h"

#include "tuner/device/monotonic.h"
#include "tuner/workers/landlock.h"
#include "tuner/workers/syscall_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

static void confine(const struct confined_program *program)
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};
    const struct rlimit file_bytes = {(rlim_t)1 << 30, (rlim_t)1 << 30}, no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setrlimit(RLIMIT_FSIZE, &file_bytes);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    int rules = landlock_begin(LANDLOCK_ALL);
    if (rules >= 0) {
        landlock_allow(rules, "/", LANDLOCK_READ);
        for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
            landlock_allow(rules, devices[i], LANDLOCK_DEVICE);
        landlock_allow(rules, program->folder, LANDLOCK_WRITE);
        (void)landlock_enforce(rules);
    }
    (void)syscall_filter_enforce(false);
}

/* In the child, which never returns. */
static void become(const struct confined_program *program, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY), output = open(program->output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || null < 0 || output < 0 || setpgid(0, 0) != 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0 ||
        setenv("TMPDIR", program->folder, 1) != 0)
        _exit(CANNOT_RUN);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    if (!program->unconfined)
        confine(program);
    execvp(program->arguments[0], program->arguments);
    dprintf(STDERR_FILENO, "%s: %s\n", program->arguments[0], strerror(errno));
    _exit(CANNOT_RUN);
}

bool confined_program_run(const struct confined_program *program, int *status, bool *late, struct error *error)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    double end = monotonic_seconds() + program->seconds;
    pid_t parent = getpid(), ended, child = fork();
    *late = false;
    if (child < 0)
        return error_set(error, ERROR_SYSTEM, "cannot start %s: %s", program->arguments[0], strerror(errno));
    if (child == 0)
        become(program, parent);
    while ((ended = waitpid(child, status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (monotonic_seconds() > end && !*late) {
            *late = true;
            (void)kill(child, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    (void)kill(-child, SIGKILL); /* what it has left behind */
    return ended == child || error_set(error, ERROR_SYSTEM, "lost %s: %s", program->arguments[0], strerror(errno));
}
