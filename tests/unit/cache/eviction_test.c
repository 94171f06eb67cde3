/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes in pages, the sum in the state file, and when the folder is counted again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/eviction.h"
#include "tuner/cache/region_lock.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* As eviction.c has it on disk. */
struct state_file {
    uint64_t magic, total;
    int64_t counted;
};

struct folder {
    char path[64];
    int folder, state;
};

static int make_folder(void **state)
{
    struct folder *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/tune-evict-XXXXXX");
    if (!mkdtemp(f->path))
        return -1;
    f->folder = open(f->path, O_RDONLY | O_DIRECTORY);
    f->state = openat(f->folder, ".state", O_RDWR | O_CREAT, 0600);
    *state = f;
    return f->state < 0 ? -1 : 0;
}

static int remove_folder(void **state)
{
    struct folder *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->path);
    close(f->state);
    close(f->folder);
    free(f);
    return system(command);
}

/* Entry `number` of so many bytes, last used so many seconds ago. */
static void make_entry(const struct folder *f, unsigned number, off_t bytes, time_t age)
{
    char name[ENTRY_NAME + 1];
    snprintf(name, sizeof name, "%032x", number);
    int file = openat(f->folder, name, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(file, bytes), 0);
    struct timespec when[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    assert_int_equal(futimens(file, when), 0);
    close(file);
}

static bool has_entry(const struct folder *f, unsigned number)
{
    char name[ENTRY_NAME + 1];
    snprintf(name, sizeof name, "%032x", number);
    return faccessat(f->folder, name, F_OK, 0) == 0;
}

static struct state_file read_state(const struct folder *f)
{
    struct state_file file = {0};
    assert_int_equal(pread(f->state, &file, sizeof file, 0), sizeof file);
    return file;
}

static void write_state(const struct folder *f, struct state_file file)
{
    assert_int_equal(pwrite(f->state, &file, sizeof file, 0), sizeof file);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(eviction_size(0), 0);
    assert_int_equal(eviction_size(1), PAGE);
    assert_int_equal(eviction_size(PAGE), PAGE);
    assert_int_equal(eviction_size(PAGE + 1), 2 * PAGE);
    assert_int_equal(eviction_size(((uint64_t)1 << 40) - 1), (uint64_t)1 << 40);
}

/* The first count is of the folder; later ones add to the sum without looking. */
static void test_sum(void **state)
{
    const struct folder *f = *state;
    make_entry(f, 1, 5000, 0);
    make_entry(f, 2, 100, 0);
    eviction_count(f->folder, f->state, 100, 100 * PAGE);
    assert_int_equal(read_state(f).total, 3 * PAGE);
    assert_in_range(read_state(f).counted, time(NULL) - 10, time(NULL));
    eviction_count(f->folder, f->state, PAGE + 1, 100 * PAGE); /* no such file: nobody looks */
    assert_int_equal(read_state(f).total, 5 * PAGE);
}

/* Twenty pages against a bound of ten: the nine youngest stay, by time of use, not by name. */
static void test_eviction(void **state)
{
    const struct folder *f = *state;
    for (unsigned i = 0; i < 20; i++)
        make_entry(f, i, 1, 100 + (time_t)(i * 7 % 20) * 10);
    eviction_count(f->folder, f->state, 1, 10 * PAGE);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(has_entry(f, i), i * 7 % 20 < 9);
    assert_int_equal(read_state(f).total, 9 * PAGE);
}

/* A bound that is just reached is kept. */
static void test_exact_bound(void **state)
{
    const struct folder *f = *state;
    for (unsigned i = 0; i < 10; i++)
        make_entry(f, i, PAGE, 100);
    eviction_count(f->folder, f->state, PAGE, 10 * PAGE);
    for (unsigned i = 0; i < 10; i++)
        assert_true(has_entry(f, i));
}

/* A wrong sum is corrected after a day, when the clock was ahead, when the magic number is wrong, and above the
 * bound. */
static void test_recount(void **state)
{
    const struct folder *f = *state;
    make_entry(f, 1, 1, 0);
    eviction_count(f->folder, f->state, 1, 100 * PAGE);
    const struct state_file good = read_state(f);
    const struct {
        struct state_file file;
        bool recounted;
    } cases[] = {
        {{good.magic, 50 * PAGE, good.counted}, false},
        {{good.magic, 50 * PAGE, good.counted - 23 * 3600}, false},
        {{good.magic, 50 * PAGE, good.counted - 25 * 3600}, true},
        {{good.magic, 50 * PAGE, good.counted + 3600}, true},
        {{good.magic ^ 1, 50 * PAGE, good.counted}, true},
        {{good.magic, 100 * PAGE, good.counted}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_state(f, cases[i].file);
        eviction_count(f->folder, f->state, 1, 100 * PAGE);
        uint64_t total = read_state(f).total;
        if (cases[i].recounted)
            assert_in_range(total, PAGE, 2 * PAGE); /* the new one may be in both counts */
        else
            assert_int_equal(total, 51 * PAGE);
    }
}

/* One process evicts at a time; another does not wait for it. */
static void test_someone_evicts(void **state)
{
    const struct folder *f = *state;
    for (unsigned i = 0; i < 20; i++)
        make_entry(f, i, 1, 100);
    int other = openat(f->folder, ".state", O_RDWR);
    assert_true(region_lock(other, REGION_EVICTION, 0));
    eviction_count(f->folder, f->state, 1, 10 * PAGE);
    for (unsigned i = 0; i < 20; i++)
        assert_true(has_entry(f, i));
    close(other);
    eviction_count(f->folder, f->state, 1, 10 * PAGE);
    assert_false(has_entry(f, 0) && has_entry(f, 19));
}

/* Only entries count and go: names of 32 hexadecimal digits. */
static void test_other_files(void **state)
{
    const struct folder *f = *state;
    static const char *const names[] = {"notes", "0123456789ABCDEF0123456789ABCDEF",
                                        "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0"};
    for (size_t i = 0; i < 4; i++)
        close(openat(f->folder, names[i], O_WRONLY | O_CREAT, 0600));
    make_entry(f, 1, 1, 0);
    make_entry(f, 2, 1, 50);
    eviction_count(f->folder, f->state, 1, 1);
    assert_int_equal(read_state(f).total, 0);
    assert_false(has_entry(f, 1));
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(faccessat(f->folder, names[i], F_OK, 0), 0);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes), IN_FOLDER(test_sum),     IN_FOLDER(test_eviction),
        IN_FOLDER(test_exact_bound),  IN_FOLDER(test_recount), IN_FOLDER(test_someone_evicts),
        IN_FOLDER(test_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
