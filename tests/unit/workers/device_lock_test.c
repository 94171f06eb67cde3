/* SPDX-License-Identifier: Apache-2.0 */
/* The device lock between processes: mutual exclusion, fairness, and release however the holder dies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/workers/device_lock.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { RIVALS = 2, TURNS = 200 };

/* Memory shared by a test's processes. */
struct shared {
    atomic_int inside, clashes;  /* processes inside now; times there were two */
    atomic_int turns[RIVALS];    /* of each process */
    atomic_int streak, longest;  /* consecutive turns of one process while the other was waiting */
    atomic_int last, contending; /* the last process inside; the number of processes running */
};

struct lock_fixture {
    char folder[512];
    struct shared *shared;
    struct remains before;
};

static int set_up(void **state)
{
    struct lock_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->before = remains_now();
    snprintf(fixture->folder, sizeof fixture->folder, "%s/locks", getenv("TMPDIR"));
    fixture->shared = mmap(NULL, sizeof *fixture->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(fixture->shared, MAP_FAILED);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct lock_fixture *fixture = *state;
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->folder);
    assert_int_equal(system(command), 0);
    munmap(fixture->shared, sizeof *fixture->shared);
    remains_equal(fixture->before, remains_now());
    free(fixture);
    return 0;
}

static struct device_lock *lock_of(const struct lock_fixture *fixture, const char *uuid)
{
    struct error error;
    struct device_lock *lock = NULL;
    if (!device_lock_create(fixture->folder, uuid, &lock, &error))
        fail_msg("%s", error.text);
    return lock;
}

static void microseconds(long count)
{
    nanosleep(&(struct timespec){.tv_nsec = count * 1000}, NULL);
}

static void take(struct device_lock *lock)
{
    while (!device_lock_attempt(lock))
        microseconds(200);
}

static void hold_briefly(struct shared *shared, int rival)
{
    if (atomic_fetch_add(&shared->inside, 1) != 0)
        atomic_fetch_add(&shared->clashes, 1);
    microseconds(500);
    if (atomic_exchange(&shared->last, rival) == rival && atomic_load(&shared->contending) == RIVALS) {
        if (atomic_fetch_add(&shared->streak, 1) + 1 > atomic_load(&shared->longest))
            atomic_store(&shared->longest, atomic_load(&shared->streak));
    } else {
        atomic_store(&shared->streak, 0);
    }
    atomic_fetch_add(&shared->turns[rival], 1);
    atomic_fetch_sub(&shared->inside, 1);
}

static pid_t start_rival(const struct lock_fixture *fixture, int rival, int turns)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    struct device_lock *lock;
    if (!device_lock_create(fixture->folder, "GPU-1", &lock, NULL))
        _exit(1);
    atomic_fetch_add(&fixture->shared->contending, 1);
    while (atomic_load(&fixture->shared->contending) < RIVALS)
        microseconds(200);
    for (int i = 0; i < turns; i++) {
        take(lock);
        hold_briefly(fixture->shared, rival);
        device_lock_release(lock);
    }
    atomic_fetch_sub(&fixture->shared->contending, 1);
    _exit(0);
}

static void expect_success(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_two_processes_take_turns(void **state)
{
    struct lock_fixture *fixture = *state;
    pid_t children[RIVALS];
    atomic_store(&fixture->shared->last, -1);
    for (int i = 0; i < RIVALS; i++)
        children[i] = start_rival(fixture, i, TURNS);
    for (int i = 0; i < RIVALS; i++)
        expect_success(children[i]);
    assert_int_equal(fixture->shared->clashes, 0);
    assert_int_equal(fixture->shared->turns[0], TURNS);
    assert_int_equal(fixture->shared->turns[1], TURNS);
    /* A process that is not scheduled for a while misses some turns; a starved one misses nearly all. */
    assert_true(fixture->shared->longest < TURNS * 3 / 4);
}

static void test_a_waiting_process_is_next(void **state)
{
    struct lock_fixture *fixture = *state;
    struct device_lock *first = lock_of(fixture, "GPU-1"), *second = lock_of(fixture, "GPU-1");
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_attempt(second)); /* now holds the gate */
    device_lock_release(first);
    assert_false(device_lock_attempt(first)); /* even though the device is free */
    assert_true(device_lock_attempt(second));
    assert_false(device_lock_attempt(first)); /* now the first holds the gate */
    device_lock_release(second);
    assert_false(device_lock_attempt(second));
    assert_true(device_lock_attempt(first));
    device_lock_free(first);
    device_lock_free(second);
}

static void test_leaving_the_queue_unblocks_others(void **state)
{
    struct lock_fixture *fixture = *state;
    struct device_lock *first = lock_of(fixture, "GPU-1"), *second = lock_of(fixture, "GPU-1");
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_attempt(second));
    device_lock_release(second);
    device_lock_release(first);
    assert_true(device_lock_attempt(first));
    assert_true(device_lock_attempt(first)); /* already held: no second lock is taken */
    device_lock_free(second);
    device_lock_free(first);
}

/* Querying has no side effects. */
static void test_contention_is_reported(void **state)
{
    struct lock_fixture *fixture = *state;
    char path[600];
    struct device_lock *first = lock_of(fixture, "GPU-1"), *second = lock_of(fixture, "GPU-1");
    assert_false(device_lock_contended(NULL));
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_contended(first));
    assert_false(device_lock_attempt(second));
    assert_true(device_lock_contended(first));
    device_lock_release(first);
    assert_true(device_lock_attempt(second));
    assert_false(device_lock_contended(second));
    device_lock_release(second);
    assert_true(device_lock_attempt(first));
    snprintf(path, sizeof path, "%s/GPU-1.device", fixture->folder);
    assert_int_equal(unlink(path), 0);
    assert_true(device_lock_contended(first)); /* its file was unlinked: the lock is lost */
    device_lock_release(first);
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_contended(first));
    device_lock_free(second);
    device_lock_free(first);
}

static void test_devices_have_separate_locks(void **state)
{
    struct lock_fixture *fixture = *state;
    struct device_lock *first = lock_of(fixture, "GPU-1"), *other = lock_of(fixture, "../GPU/2");
    assert_true(device_lock_attempt(first));
    assert_true(device_lock_attempt(other));
    assert_int_equal(remains_entries(fixture->folder, "GPU-1."), 2); /* ".._GPU_2" is hidden and not counted */
    device_lock_free(first);
    device_lock_free(other);
}

/* Wherever the holder is killed, at the gate or inside, the next process gets in. */
static void killed_holder(struct lock_fixture *fixture, bool at_the_gate)
{
    struct device_lock *mine = lock_of(fixture, "GPU-1");
    if (at_the_gate)
        assert_true(device_lock_attempt(mine));
    pid_t child = fork();
    if (child == 0) {
        struct device_lock *lock;
        if (!device_lock_create(fixture->folder, "GPU-1", &lock, NULL) || device_lock_attempt(lock) == at_the_gate)
            _exit(1);
        atomic_store(&fixture->shared->inside, 1);
        for (;;)
            pause();
    }
    while (atomic_load(&fixture->shared->inside) == 0 && waitpid(child, NULL, WNOHANG) == 0)
        microseconds(200);
    device_lock_release(mine);
    assert_false(device_lock_attempt(mine));
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(device_lock_attempt(mine));
    device_lock_free(mine);
    atomic_store(&fixture->shared->inside, 0);
}

static void test_a_killed_holder_frees_the_device(void **state)
{
    killed_holder(*state, false);
    killed_holder(*state, true);
}

static void assert_holder(const struct device_lock *lock, pid_t pid)
{
    char path[64], own[64] = "";
    const struct lock_holder holder = device_lock_holder(lock);
    const struct passwd *user = getpwuid(geteuid());
    assert_int_equal(holder.pid, pid);
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(own, sizeof own, file));
    fclose(file);
    own[strcspn(own, "\n")] = '\0';
    assert_string_equal(holder.command, own);
    if (user)
        assert_string_equal(holder.user, user->pw_name);
}

/* Of the gate while this process waits for it, of the device once it has the gate. */
static void test_the_holder_can_be_told(void **state)
{
    struct lock_fixture *fixture = *state;
    struct device_lock *mine = lock_of(fixture, "GPU-1");
    char path[600];
    int files[2], told[2];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/GPU-1.%s", fixture->folder, i ? "gate" : "device");
        files[i] = open(path, O_RDONLY | O_CLOEXEC);
        assert_true(files[i] >= 0);
    }
    assert_int_equal(device_lock_holder(mine).pid, 0);
    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        if (flock(files[0], LOCK_EX) != 0 || flock(files[1], LOCK_EX) != 0 || write(told[1], "y", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char taken;
    assert_int_equal(read(told[0], &taken, 1), 1);
    assert_false(device_lock_attempt(mine));
    assert_holder(mine, child);                    /* of the gate */
    assert_int_equal(flock(files[1], LOCK_UN), 0); /* which the two processes share */
    assert_false(device_lock_attempt(mine));
    assert_holder(mine, child); /* of the device */
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (int i = 0; i < 2; i++) {
        close(files[i]);
        close(told[i]);
    }
    device_lock_free(mine);
}

/* A clean-up of old files unlinks them: a holder of the old file and a creator of a new one would both get in. */
static void test_unlinked_lock_files(void **state)
{
    struct lock_fixture *fixture = *state;
    char path[600];
    struct device_lock *old = lock_of(fixture, "GPU-1");
    snprintf(path, sizeof path, "%s/GPU-1.device", fixture->folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/GPU-1.gate", fixture->folder);
    assert_int_equal(unlink(path), 0);
    struct device_lock *new = lock_of(fixture, "GPU-1");
    assert_true(device_lock_attempt(old));
    assert_false(device_lock_attempt(new));
    device_lock_free(old);
    assert_true(device_lock_attempt(new));
    device_lock_free(new);
}

/* Other users may lock: the umask is ignored. */
static void test_permissions(void **state)
{
    struct lock_fixture *fixture = *state;
    struct stat status;
    char path[600];
    mode_t mask = umask(077);
    struct device_lock *lock = lock_of(fixture, "GPU-1");
    umask(mask);
    assert_int_equal(stat(fixture->folder, &status), 0);
    assert_int_equal(status.st_mode & 07777, 01777);
    snprintf(path, sizeof path, "%s/GPU-1.device", fixture->folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0644);
    device_lock_free(lock);
}

static void test_unsuitable_lock_folders_are_refused(void **state)
{
    struct lock_fixture *fixture = *state;
    struct device_lock *lock;
    struct error error = {0};
    char path[600];
    assert_int_equal(symlink("/tmp", fixture->folder), 0); /* planted by another user */
    assert_false(device_lock_create(fixture->folder, "GPU-1", &lock, &error));
    assert_non_null(strstr(error.text, fixture->folder));
    assert_int_equal(unlink(fixture->folder), 0);
    assert_int_equal(mkdir(fixture->folder, 0700), 0);
    snprintf(path, sizeof path, "%s/GPU-1.gate", fixture->folder);
    assert_int_equal(mkfifo(path, 0600), 0); /* opening it must not block */
    assert_false(device_lock_create(fixture->folder, "GPU-1", &lock, &error));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/etc/passwd", path), 0); /* it must not be followed */
    assert_false(device_lock_create(fixture->folder, "GPU-1", &lock, &error));
    assert_non_null(strstr(error.text, "something else of that name"));
    assert_false(device_lock_create("/proc/no/such", "GPU-1", &lock, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_two_processes_take_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_waiting_process_is_next, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaving_the_queue_unblocks_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contention_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_devices_have_separate_locks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_killed_holder_frees_the_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_holder_can_be_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unlinked_lock_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_permissions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unsuitable_lock_folders_are_refused, set_up, tear_down),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
