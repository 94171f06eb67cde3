/* SPDX-License-Identifier: Apache-2.0 */
/* A guardian passes on how its worker ended, and nothing that the worker started outlives it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/workers/guardian.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { NAME = 15 };

/* What the worker and its guardian tell the test. */
struct shared {
    atomic_int working, refused;
};

static struct shared *shared;
static bool with_namespace;
static char name[NAME + 1]; /* of processes that a worker leaves */

typedef void worker_body(void);

/* The process that a parent starts; the socket's other end stays here, and has a request. */
static pid_t start(worker_body *body, int *socket)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    assert_int_equal(write(ends[0], "go", 2), 2);
    pid_t parent = getpid(), guardian = fork();
    if (guardian == 0) {
        const struct rlimit no_core = {0, 0};
        const struct guardian_plan plan = {ends[1], parent, with_namespace, 400};
        struct error error;
        close(ends[0]);
        setrlimit(RLIMIT_CORE, &no_core);
        if (!guardian_enter(&plan, &error))
            _exit(99);
        body();
        _exit(0);
    }
    close(ends[1]);
    *socket = ends[0];
    return guardian;
}

static int end_of(pid_t guardian, int socket)
{
    int status;
    assert_int_equal(waitpid(guardian, &status, 0), guardian);
    close(socket);
    return status;
}

static int run(worker_body *body)
{
    int socket;
    pid_t guardian = start(body, &socket);
    return end_of(guardian, socket);
}

static bool is_left(void)
{
    bool found = false;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[300], command[64] = "";
        snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        FILE *file = fopen(path, "re");
        if (!file)
            continue;
        if (fgets(command, sizeof command, file))
            found |= strncmp(command, name, strlen(name)) == 0;
        fclose(file);
    }
    if (folder)
        closedir(folder);
    return found;
}

static void exits(void)
{
    _exit(42);
}

static void aborts(void)
{
    abort();
}

static void faults(void)
{
    signal(SIGSEGV, SIG_DFL); /* cmocka catches it */
    raise(SIGSEGV);
}

static void test_the_end_of_the_worker_is_passed_on(void **state)
{
    (void)state;
    int status = run(exits);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    status = run(aborts);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#ifndef TUNE_SANITIZED /* they exit instead */
    status = run(faults);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
#else
    (void)faults;
#endif
}

/* In a session of its own, without a living parent, and deaf. */
static void leave_daemon(void)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            prctl(PR_SET_NAME, name);
            atomic_fetch_add(&shared->working, 1);
            for (;;)
                pause();
        }
        _exit(0);
    }
    while (atomic_load(&shared->working) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void test_daemons_end_with_their_worker(void **state)
{
    (void)state;
    atomic_store(&shared->working, 0);
    int status = run(leave_daemon);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(atomic_load(&shared->working), 1);
    assert_false(is_left());
}

static void stay_deaf(void)
{
    signal(SIGTERM, SIG_IGN);
    setpgid(0, 0);
    leave_daemon();
    prctl(PR_SET_NAME, name);
    atomic_fetch_add(&shared->working, 1);
    for (;;)
        pause();
}

static pid_t start_deaf(int *socket)
{
    atomic_store(&shared->working, 0);
    pid_t guardian = start(stay_deaf, socket);
    while (atomic_load(&shared->working) < 2)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(is_left());
    return guardian;
}

static void test_a_demand_ends_everything(void **state)
{
    (void)state;
    int socket;
    pid_t guardian = start_deaf(&socket);
    kill(guardian, SIGTERM);
    int status = end_of(guardian, socket);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_false(is_left());
}

/* The process between dies of a SIGKILL; everything below follows. */
static void test_the_parents_death_ends_everything(void **state)
{
    (void)state;
    atomic_store(&shared->working, 0);
    pid_t parent = fork();
    if (parent == 0) {
        int socket;
        start(stay_deaf, &socket);
        for (;;)
            pause();
    }
    while (atomic_load(&shared->working) < 2)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < 1000 && is_left(); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_false(is_left());
}

static void start_many(void)
{
    enum { MOST = 1000 };
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < MOST; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (;;)
                pause();
        }
        if (child < 0) {
            atomic_store(&shared->refused, 1);
            return;
        }
    }
}

/* Since Linux 6.14 a namespace bounds them for root too. */
static bool bounds_are_for_all(void)
{
    return access("/proc/sys/kernel/pid_max", W_OK) == 0 && geteuid() == 0;
}

static void test_processes_are_bounded_in_a_namespace(void **state)
{
    (void)state;
    if (!with_namespace || (geteuid() == 0 && !bounds_are_for_all()))
        skip();
    atomic_store(&shared->refused, 0);
    run(start_many);
    assert_int_equal(atomic_load(&shared->refused), 1);
    assert_false(is_left());
}

/* A parent that has died before the guardian could ask to be told of it. */
static void test_a_parent_that_is_gone(void **state)
{
    (void)state;
    pid_t guardian = fork();
    if (guardian == 0) {
        const struct guardian_plan plan = {.socket = -1, .parent = 1 << 30};
        guardian_enter(&plan, NULL);
        _exit(0); /* not reached */
    }
    int status;
    assert_int_equal(waitpid(guardian, &status, 0), guardian);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_end_of_the_worker_is_passed_on),
        cmocka_unit_test(test_daemons_end_with_their_worker),
        cmocka_unit_test(test_a_demand_ends_everything),
        cmocka_unit_test(test_the_parents_death_ends_everything),
        cmocka_unit_test(test_processes_are_bounded_in_a_namespace),
        cmocka_unit_test(test_a_parent_that_is_gone),
    };
    snprintf(name, sizeof name, "g%d", (int)getpid());
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    int failed = cmocka_run_group_tests_name("guardian, as adopter", tests, NULL, NULL);
    with_namespace = guardian_has_namespace();
    if (with_namespace)
        failed += cmocka_run_group_tests_name("guardian, with a namespace", tests, NULL, NULL);
    return failed;
}
