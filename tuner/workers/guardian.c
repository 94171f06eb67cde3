/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/guardian.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double end_seconds = 5.0; /* to kill descendants; the kernel may need a while to free their memory */

/* ---- signals */

/* Those that a guardian waits for, blocked so that none is lost between two waits. */
static sigset_t awaited(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    return signals;
}

static void block_signals(void)
{
    const sigset_t signals = awaited();
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

static void die_with(int status)
{
    const struct rlimit no_core = {0, 0};
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

/* Wait until `child` has ended, reaping whatever else was adopted; a SIGTERM passes on `demand` to it. */
static int tend(pid_t child, int demand)
{
    const sigset_t signals = awaited();
    for (;;) {
        int status;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
            if (ended == child)
                return status;
        }
        if (ended < 0 && errno == ECHILD)
            return SIGKILL; /* cannot be */
        int number = sigwaitinfo(&signals, NULL);
        if (number > 0 && number != SIGCHLD)
            kill(child, demand);
    }
}

/* ---- descendants */

static bool is_child(const char *name, pid_t of)
{
    char path[64], line[512];
    int parent = 0;
    if (name[0] < '1' || name[0] > '9')
        return false;
    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *end = read ? strrchr(line, ')') : NULL; /* the name in parentheses may contain anything */
    return end && sscanf(end + 1, " %*c %d", &parent) == 1 && parent == (int)of;
}

static void kill_children(void)
{
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (is_child(entry->d_name, getpid()))
            kill((pid_t)atoi(entry->d_name), SIGKILL);
    }
    if (folder)
        closedir(folder);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The children of a killed process are adopted in turn. */
static void end_descendants(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    double limit = seconds_now() + end_seconds;
    pid_t ended;
    while (((ended = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR) && seconds_now() < limit) {
        if (ended > 0)
            continue;
        kill_children();
        nanosleep(&pause, NULL);
    }
}

/* ---- the worker */

/* In the worker: as it would be without a guardian. */
static bool settle(pid_t guardian, struct error *error)
{
    sigset_t none;
    sigemptyset(&none);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot set up a worker process: %s", strerror(errno));
    if (getppid() != guardian)
        _exit(EXIT_FAILURE); /* it died before that */
    sigprocmask(SIG_SETMASK, &none, NULL);
    return true;
}

/* Only the worker keeps the socket, so that its end is seen. */
static void keep_out(int socket)
{
    close(socket);
    prctl(PR_SET_NAME, "tune-guardian");
}

/* ---- with a namespace */

static bool write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written;
}

/* This user, alone, exists in the user namespace. */
static bool map_user(uid_t user, gid_t group)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)user, (unsigned)user);
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)group, (unsigned)group);
    return write_text("/proc/self/uid_map", users) && write_text("/proc/self/setgroups", "deny") &&
           write_text("/proc/self/gid_map", groups);
}

/* A namespace has its own highest process number since Linux 6.14, and a user namespace its own count of processes.
 */
static void bound_processes(int most, bool own_user)
{
    char number[16];
    const struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    snprintf(number, sizeof number, "%d", most);
    (void)write_text("/proc/sys/kernel/pid_max", number);
    if (own_user)
        (void)setrlimit(RLIMIT_NPROC, &limit);
}

/* fork(2) into new namespaces: first without a user namespace, for which root needs none. */
static pid_t fork_first(bool *own_user)
{
    *own_user = false;
    long first = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
    if (first >= 0 || errno != EPERM)
        return (pid_t)first;
    *own_user = true;
    return (pid_t)syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
}

/* The other end is open in the guardian alone: it is gone once the guardian is. */
static bool is_alone(int report)
{
    struct pollfd end = {.fd = report, .events = 0};
    return poll(&end, 1, 0) != 0;
}

/* In the first process of the namespace: returns in the worker only. A process of number 1 ignores the signals that
 * end others, so the worker is a second one. */
static bool be_first(const struct guardian_plan *plan, int report, struct error *error)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || is_alone(report))
        _exit(EXIT_FAILURE);
    pid_t worker = fork();
    if (worker == 0) {
        close(report);
        return settle(1, error);
    }
    keep_out(plan->socket);
    int status = worker < 0 ? SIGKILL : tend(worker, SIGKILL);
    (void)!write(report, &status, sizeof status);
    _exit(EXIT_SUCCESS);
}

/* True: this is the worker, or the guardian of a `first` that works. False: there is no such namespace. */
static bool enter_namespace(const struct guardian_plan *plan, pid_t *first, int *report, bool *failed,
                            struct error *error)
{
    int ends[2];
    bool own_user;
    uid_t user = geteuid();
    gid_t group = getegid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    *first = fork_first(&own_user);
    if (*first == 0) {
        char ready = 'y';
        close(ends[0]);
        if (own_user && !map_user(user, group))
            _exit(EXIT_FAILURE);
        bound_processes(plan->processes_most, own_user);
        if (write(ends[1], &ready, 1) != 1)
            _exit(EXIT_FAILURE);
        *failed = !be_first(plan, ends[1], error);
        return true;
    }
    char ready = 'n';
    close(ends[1]);
    *report = ends[0];
    if (*first > 0 && read(ends[0], &ready, 1) == 1 && ready == 'y')
        return true;
    close(ends[0]);
    if (*first > 0)
        waitpid(*first, NULL, 0);
    return false;
}

static void guard_namespace(const struct guardian_plan *plan, pid_t first, int report)
{
    int status = SIGKILL;
    keep_out(plan->socket);
    tend(first, SIGTERM); /* which then knows how the worker ended */
    if (recv(report, &status, sizeof status, MSG_DONTWAIT) != (ssize_t)sizeof status)
        status = SIGKILL;
    die_with(status);
}

bool guardian_has_namespace(void)
{
    bool own_user;
    uid_t user = geteuid();
    gid_t group = getegid();
    int status = 1;
    pid_t first = fork_first(&own_user);
    if (first == 0)
        _exit(own_user && !map_user(user, group) ? EXIT_FAILURE : EXIT_SUCCESS);
    return first > 0 && waitpid(first, &status, 0) == first && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the guardian */

/* Everything below inherits what the parent sets for this process until it sends the first request. */
static void await_request(int socket)
{
    struct pollfd request = {.fd = socket, .events = POLLIN};
    while (poll(&request, 1, -1) < 0 && errno == EINTR)
        ;
}

bool guardian_enter(const struct guardian_plan *plan, struct error *error)
{
    pid_t self = getpid(), child = 0;
    int report;
    bool failed = false;
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot set up a worker process: %s", strerror(errno));
    if (plan->parent && getppid() != plan->parent)
        _exit(EXIT_FAILURE);
    await_request(plan->socket);
    block_signals();
    if (plan->own_namespace && enter_namespace(plan, &child, &report, &failed, error)) {
        if (child == 0)
            return !failed;
        guard_namespace(plan, child, report);
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    child = fork();
    if (child == 0)
        return settle(self, error);
    if (child < 0)
        return error_set(error, ERROR_SYSTEM, "cannot set up a worker process: %s", strerror(errno));
    keep_out(plan->socket);
    int status = tend(child, SIGKILL);
    end_descendants();
    die_with(status);
    return false;
}
