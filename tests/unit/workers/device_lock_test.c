/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of a device among processes: never two at a time, turn by turn, and free again however its holder ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/workers/device_lock.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { RIVALS = 2, TURNS = 200 };

/* What the processes of a test see of each other. */
struct arena {
    atomic_int inside, clashes;  /* now, and how often there were two */
    atomic_int turns[RIVALS];    /* of each */
    atomic_int streak, longest;  /* turns of one in a row while the other wanted the device too */
    atomic_int last, contending; /* who was inside last; how many are under way */
};

struct stage {
    char folder[512];
    struct arena *arena;
    struct remains before;
};

static int set_up(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->before = remains_now();
    snprintf(stage->folder, sizeof stage->folder, "%s/locks", getenv("TMPDIR"));
    stage->arena = mmap(NULL, sizeof *stage->arena, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(stage->arena, MAP_FAILED);
    *state = stage;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *stage = *state;
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", stage->folder);
    assert_int_equal(system(command), 0);
    munmap(stage->arena, sizeof *stage->arena);
    remains_equal(stage->before, remains_now());
    free(stage);
    return 0;
}

static struct device_lock *lock_of(const struct stage *stage, const char *uuid)
{
    struct error error;
    struct device_lock *lock = NULL;
    if (!device_lock_create(stage->folder, uuid, &lock, &error))
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

static void be_inside(struct arena *arena, int who)
{
    if (atomic_fetch_add(&arena->inside, 1) != 0)
        atomic_fetch_add(&arena->clashes, 1);
    microseconds(500);
    if (atomic_exchange(&arena->last, who) == who && atomic_load(&arena->contending) == RIVALS) {
        if (atomic_fetch_add(&arena->streak, 1) + 1 > atomic_load(&arena->longest))
            atomic_store(&arena->longest, atomic_load(&arena->streak));
    } else {
        atomic_store(&arena->streak, 0);
    }
    atomic_fetch_add(&arena->turns[who], 1);
    atomic_fetch_sub(&arena->inside, 1);
}

static pid_t start_rival(const struct stage *stage, int who, int turns)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    struct device_lock *lock;
    if (!device_lock_create(stage->folder, "GPU-1", &lock, NULL))
        _exit(1);
    atomic_fetch_add(&stage->arena->contending, 1);
    while (atomic_load(&stage->arena->contending) < RIVALS)
        microseconds(200);
    for (int i = 0; i < turns; i++) {
        take(lock);
        be_inside(stage->arena, who);
        device_lock_release(lock);
    }
    atomic_fetch_sub(&stage->arena->contending, 1);
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
    struct stage *stage = *state;
    pid_t children[RIVALS];
    atomic_store(&stage->arena->last, -1);
    for (int i = 0; i < RIVALS; i++)
        children[i] = start_rival(stage, i, TURNS);
    for (int i = 0; i < RIVALS; i++)
        expect_success(children[i]);
    assert_int_equal(stage->arena->clashes, 0);
    assert_int_equal(stage->arena->turns[0], TURNS);
    assert_int_equal(stage->arena->turns[1], TURNS);
    /* One who is not scheduled for a while misses some turns; one who is starved misses nearly all. */
    assert_true(stage->arena->longest < TURNS * 3 / 4);
}

static void test_one_who_waits_is_next(void **state)
{
    struct stage *stage = *state;
    struct device_lock *first = lock_of(stage, "GPU-1"), *second = lock_of(stage, "GPU-1");
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_attempt(second)); /* stands at the gate now */
    device_lock_release(first);
    assert_false(device_lock_attempt(first)); /* although the device is free */
    assert_true(device_lock_attempt(second));
    assert_false(device_lock_attempt(first)); /* now it is the first that stands at the gate */
    device_lock_release(second);
    assert_false(device_lock_attempt(second));
    assert_true(device_lock_attempt(first));
    device_lock_free(first);
    device_lock_free(second);
}

static void test_one_who_leaves_the_queue_blocks_nobody(void **state)
{
    struct stage *stage = *state;
    struct device_lock *first = lock_of(stage, "GPU-1"), *second = lock_of(stage, "GPU-1");
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_attempt(second));
    device_lock_release(second);
    device_lock_release(first);
    assert_true(device_lock_attempt(first));
    assert_true(device_lock_attempt(first)); /* held: no second lock */
    device_lock_free(second);
    device_lock_free(first);
}

/* Asking takes nothing from anyone. */
static void test_contention_is_told(void **state)
{
    struct stage *stage = *state;
    char path[600];
    struct device_lock *first = lock_of(stage, "GPU-1"), *second = lock_of(stage, "GPU-1");
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
    snprintf(path, sizeof path, "%s/GPU-1.device", stage->folder);
    assert_int_equal(unlink(path), 0);
    assert_true(device_lock_contended(first)); /* nobody sees this lock any more */
    device_lock_release(first);
    assert_true(device_lock_attempt(first));
    assert_false(device_lock_contended(first));
    device_lock_free(second);
    device_lock_free(first);
}

static void test_devices_are_apart(void **state)
{
    struct stage *stage = *state;
    struct device_lock *first = lock_of(stage, "GPU-1"), *other = lock_of(stage, "../GPU/2");
    assert_true(device_lock_attempt(first));
    assert_true(device_lock_attempt(other));
    assert_int_equal(remains_entries(stage->folder, "GPU-1."), 2); /* beside ".._GPU_2", whose names are hidden */
    device_lock_free(first);
    device_lock_free(other);
}

/* Wherever the holder is killed, at the gate or inside, the next one gets in. */
static void killed_holder(struct stage *stage, bool at_the_gate)
{
    struct device_lock *mine = lock_of(stage, "GPU-1");
    if (at_the_gate)
        assert_true(device_lock_attempt(mine));
    pid_t child = fork();
    if (child == 0) {
        struct device_lock *lock;
        if (!device_lock_create(stage->folder, "GPU-1", &lock, NULL) || device_lock_attempt(lock) == at_the_gate)
            _exit(1);
        atomic_store(&stage->arena->inside, 1);
        for (;;)
            pause();
    }
    while (atomic_load(&stage->arena->inside) == 0 && waitpid(child, NULL, WNOHANG) == 0)
        microseconds(200);
    device_lock_release(mine);
    assert_false(device_lock_attempt(mine));
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(device_lock_attempt(mine));
    device_lock_free(mine);
    atomic_store(&stage->arena->inside, 0);
}

static void test_a_killed_holder_frees_the_device(void **state)
{
    killed_holder(*state, false);
    killed_holder(*state, true);
}

/* A clean-up of old files takes the names away: who holds the old file and who makes a new one would both get in. */
static void test_removed_files(void **state)
{
    struct stage *stage = *state;
    char path[600];
    struct device_lock *old = lock_of(stage, "GPU-1");
    snprintf(path, sizeof path, "%s/GPU-1.device", stage->folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/GPU-1.gate", stage->folder);
    assert_int_equal(unlink(path), 0);
    struct device_lock *new = lock_of(stage, "GPU-1");
    assert_true(device_lock_attempt(old));
    assert_false(device_lock_attempt(new));
    device_lock_free(old);
    assert_true(device_lock_attempt(new));
    device_lock_free(new);
}

/* Other users may lock: the creation mask does not count. */
static void test_permissions(void **state)
{
    struct stage *stage = *state;
    struct stat status;
    char path[600];
    mode_t mask = umask(077);
    struct device_lock *lock = lock_of(stage, "GPU-1");
    umask(mask);
    assert_int_equal(stat(stage->folder, &status), 0);
    assert_int_equal(status.st_mode & 07777, 01777);
    snprintf(path, sizeof path, "%s/GPU-1.device", stage->folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0644);
    device_lock_free(lock);
}

static void test_what_is_no_place_for_a_lock(void **state)
{
    struct stage *stage = *state;
    struct device_lock *lock;
    struct error error = {0};
    char path[600];
    assert_int_equal(symlink("/tmp", stage->folder), 0); /* another user's trap */
    assert_false(device_lock_create(stage->folder, "GPU-1", &lock, &error));
    assert_non_null(strstr(error.text, stage->folder));
    assert_int_equal(unlink(stage->folder), 0);
    assert_int_equal(mkdir(stage->folder, 0700), 0);
    snprintf(path, sizeof path, "%s/GPU-1.gate", stage->folder);
    assert_int_equal(mkfifo(path, 0600), 0); /* opening it must not block */
    assert_false(device_lock_create(stage->folder, "GPU-1", &lock, &error));
    assert_false(device_lock_create("/proc/no/such", "GPU-1", &lock, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_two_processes_take_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_who_waits_is_next, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_who_leaves_the_queue_blocks_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contention_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_devices_are_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_killed_holder_frees_the_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_removed_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_permissions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_place_for_a_lock, set_up, tear_down),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
