/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/region_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char path[] = "/tmp/tune-region-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    strcpy(path, "/tmp/tune-region-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static int open_file(void)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    return file;
}

/* Each open file is an owner of its own. */
static void test_regions(void **state)
{
    (void)state;
    static const uint64_t regions[] = {REGION_TOTAL,    REGION_EVICTION, REGION_KEYS,
                                       REGION_KEYS + 1, UINT64_MAX >> 2, (UINT64_MAX >> 2) - 1};
    enum { COUNT = sizeof regions / sizeof *regions };
    int one = open_file(), two = open_file();
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(region_lock(one, regions[i], 0));
        for (size_t j = 0; j < COUNT; j++) {
            bool locked = region_lock(two, regions[j], 0);
            assert_int_equal(locked, i != j);
            if (locked)
                region_unlock(two, regions[j]);
        }
        assert_true(region_lock(one, regions[i], 0)); /* the owner may lock it again */
        region_unlock(one, regions[i]);
        assert_true(region_lock(two, regions[i], 0));
        region_unlock(two, regions[i]);
    }
    assert_true(region_lock(one, 7, 0));
    close(one);
    assert_true(region_lock(two, 7, 0)); /* closing the file ended the lock */
    close(two);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void test_waiting(void **state)
{
    (void)state;
    int one = open_file(), two = open_file();
    assert_true(region_lock(one, 5, 0));
    double start = now();
    assert_false(region_lock(two, 5, 0.05));
    assert_true(now() - start >= 0.05);
    close(one);
    close(two);
}

/* A process that is killed gives up its lock, and whoever waits gets it. */
static void test_killed_holder(void **state)
{
    (void)state;
    int ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int own = open(path, O_RDWR);
        bool locked = own >= 0 && region_lock(own, 5, 0);
        (void)!write(ready[1], locked ? "y" : "n", 1);
        pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    int file = open_file();
    assert_false(region_lock(file, 5, 0));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_true(region_lock(file, 5, 10));
    assert_int_equal(waitpid(child, &status, 0), child);
    close(file);
    close(ready[0]);
    close(ready[1]);
}

/* Processes that add to a counter without atomics: no addition is lost. */
static void test_exclusion(void **state)
{
    (void)state;
    enum { PROCESSES = 4, ROUNDS = 200 };
    volatile unsigned *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(count, MAP_FAILED);
    pid_t children[PROCESSES];
    for (int child = 0; child < PROCESSES; child++) {
        children[child] = fork();
        if (children[child] > 0)
            continue;
        int own = open(path, O_RDWR);
        for (int i = 0; i < ROUNDS; i++) {
            if (!region_lock(own, 9, 30))
                _exit(1);
            unsigned seen = *count;
            for (volatile int pause = 0; pause < 1000; pause++)
                ;
            *count = seen + 1;
            region_unlock(own, 9);
        }
        _exit(0);
    }
    for (int child = 0; child < PROCESSES; child++) {
        int status;
        assert_int_equal(waitpid(children[child], &status, 0), children[child]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(*count, PROCESSES * ROUNDS);
    munmap((void *)(uintptr_t)count, sizeof *count);
}

/* Where locking does not work at all, everyone may go on. */
static void test_no_locks(void **state)
{
    (void)state;
    assert_true(region_lock(-1, 5, 10));
    region_unlock(-1, 5);
}

int main(void)
{
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make_file, remove_file)
    const struct CMUnitTest tests[] = {
        WITH_FILE(test_regions),   WITH_FILE(test_waiting),  WITH_FILE(test_killed_holder),
        WITH_FILE(test_exclusion), WITH_FILE(test_no_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
