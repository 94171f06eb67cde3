/* SPDX-License-Identifier: Apache-2.0 */
/* Entries on disk: many processes at once, the bound, foreign files in the folder, full disks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };
static const uint64_t plenty = (uint64_t)1 << 30;

/* ---- a folder for each test */

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tune-cache-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[600];
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' || strncmp(entry->d_name, ".new-", 5) == 0 ||
            strcmp(entry->d_name, ".state") == 0 || strcmp(entry->d_name, ".claims") == 0)
            remove(path);
    }
    if (directory)
        closedir(directory);
    return rmdir(folder);
}

static struct cache_key key_of(uint64_t number)
{
    return (struct cache_key){.name = {number << 32, number}, .check = ~number};
}

static void path_of(uint64_t number, char *path, size_t size)
{
    struct cache_key key = key_of(number);
    snprintf(path, size, "%s/%016" PRIx64 "%016" PRIx64, folder, key.name[0], key.name[1]);
}

/* Bytes that zstd cannot make smaller, and that tell which entry they belong to. */
static void fill(unsigned char *bytes, size_t count, uint64_t number)
{
    uint64_t state = number * 2 + 1;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (unsigned char)(state >> 32);
    }
}

static void put(struct cache *cache, uint64_t number, size_t count)
{
    unsigned char *bytes = malloc(count);
    assert_non_null(bytes);
    struct cache_key key = key_of(number);
    fill(bytes, count, number);
    cache_put(cache, &key, bytes, count);
    free(bytes);
}

/* Is the entry there? If so, it must be what was put. Aborts if not, so that children can call it. */
static bool has(struct cache *cache, uint64_t number, size_t count)
{
    struct cache_key key = key_of(number);
    void *found;
    size_t bytes;
    if (!cache_get(cache, &key, &found, &bytes))
        return false;
    unsigned char *expected = malloc(count);
    fill(expected, count, number);
    bool same = bytes == count && memcmp(found, expected, count) == 0;
    free(expected);
    free(found);
    if (!same) {
        fprintf(stderr, "entry %" PRIu64 " is not what was put\n", number);
        abort();
    }
    return true;
}

static size_t count_files(const char *prefix)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(directory);
    return count;
}

static void set_age(const char *path, time_t seconds)
{
    struct timespec when[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, when, AT_SYMLINK_NOFOLLOW), 0);
}

static time_t age_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return time(NULL) - status.st_mtim.tv_sec;
}

/* ---- tests */

static void test_put_and_get(void **state)
{
    (void)state;
    struct cache *cache = cache_open_at(folder, plenty);
    assert_non_null(cache);
    assert_false(has(cache, 1, 10000));
    put(cache, 1, 10000);
    put(cache, 2, 1);
    assert_true(has(cache, 1, 10000));
    assert_true(has(cache, 2, 1));
    cache_close(cache);

    cache = cache_open_at(folder, plenty);
    assert_true(has(cache, 1, 10000));
    put(cache, 1, 500); /* replaces the first */
    assert_true(has(cache, 1, 500));
    assert_int_equal(count_files(".new-"), 0);
    cache_close(cache);
}

static void test_no_cache(void **state)
{
    (void)state;
    char file[300];
    struct cache_key key = key_of(1);
    put(NULL, 1, 10);
    assert_false(has(NULL, 1, 10));
    assert_true(cache_claim(NULL, &key, 0));
    cache_release(NULL, &key);
    cache_close(NULL);
    assert_null(cache_open_at(folder, 0));
    assert_null(cache_open_at("/proc/no/folder", plenty));
    snprintf(file, sizeof file, "%s/file", folder);
    assert_int_equal(close(open(file, O_CREAT | O_WRONLY, 0600)), 0);
    assert_null(cache_open_at(file, plenty));
}

static void test_places(void **state)
{
    (void)state;
    char path[300];
    struct stat status;
    struct cache *cache;
    setenv("XDG_CACHE_HOME", "relative", 1); /* ignored */
    setenv("HOME", folder, 1);
    unsetenv("TUNE_CACHE_BYTES");
    assert_non_null(cache = cache_open());
    cache_close(cache);
    snprintf(path, sizeof path, "%s/.cache/tune/images/.state", folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/.cache/tune/images/.claims", folder);
    assert_int_equal(unlink(path), 0);
    for (int i = 0; i < 3; i++) { /* images, tune, .cache */
        *strrchr(path, '/') = '\0';
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0700);
        assert_int_equal(rmdir(path), 0);
    }
    static const char *const off[] = {"0", "none", "-1", "1x", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        setenv("TUNE_CACHE_BYTES", off[i], 1);
        assert_null(cache_open());
        assert_null(cache_open_to_read());
    }
    unsetenv("TUNE_CACHE_BYTES");
    unsetenv("HOME");
    assert_null(cache_open());
    unsetenv("XDG_CACHE_HOME");
}

/* An entry with any byte changed, or cut off anywhere, counts as absent and is replaced. */
static void test_corrupt_entries(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    char path[400];
    unsigned char bytes[2 * COUNT];
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 7, COUNT);
    path_of(7, path, sizeof path);
    int file = open(path, O_RDWR);
    ssize_t size = read(file, bytes, sizeof bytes);
    assert_true(size > COUNT && (size_t)size < sizeof bytes);
    for (ssize_t i = 0; i < size; i++) {
        unsigned char changed = bytes[i] ^ 0x10;
        assert_int_equal(pwrite(file, &changed, 1, i), 1);
        assert_false(has(cache, 7, COUNT));
        assert_int_equal(pwrite(file, &bytes[i], 1, i), 1);
    }
    assert_true(has(cache, 7, COUNT));
    for (ssize_t length = size; length-- > 0;) {
        assert_int_equal(ftruncate(file, length), 0);
        assert_false(has(cache, 7, COUNT));
    }
    close(file);
    put(cache, 7, COUNT);
    assert_true(has(cache, 7, COUNT));

    /* Another entry under this name: the second hash differs. */
    char other[400];
    put(cache, 8, COUNT);
    path_of(8, other, sizeof other);
    assert_int_equal(rename(other, path), 0);
    assert_false(has(cache, 7, COUNT));

    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_false(has(cache, 7, COUNT));
    put(cache, 7, COUNT);
    assert_true(has(cache, 7, COUNT));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(has(cache, 7, COUNT));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(has(cache, 7, COUNT));
    put(cache, 7, COUNT); /* impossible: nothing happens */
    assert_false(has(cache, 7, COUNT));
    assert_int_equal(count_files(".new-"), 0);
    cache_close(cache);
}

static void test_another_users_entry(void **state)
{
    (void)state;
    char path[400];
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 1, 100);
    path_of(1, path, sizeof path);
    if (geteuid() == 0) { /* only root can change the owner */
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_false(has(cache, 1, 100));
        put(cache, 1, 100);
    }
    assert_true(has(cache, 1, 100));
    cache_close(cache);
}

/* A header and 3000 bytes take a page; the bound is 100 pages. */
static void test_least_recently_used_go_first(void **state)
{
    (void)state;
    enum { COUNT = 100, BYTES = 3000 };
    char path[400];
    struct cache *cache = cache_open_at(folder, COUNT * PAGE);
    for (uint64_t i = 0; i < COUNT; i++) {
        put(cache, i, BYTES);
        path_of(i, path, sizeof path);
        set_age(path, 10 * 3600 + (time_t)(i * 37 % COUNT) * 60); /* in no particular order */
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        path_of(i, path, sizeof path);
        assert_int_equal(access(path, F_OK), 0);
    }
    /* The oldest entry is used again, which makes it the youngest. */
    uint64_t oldest[COUNT];
    for (uint64_t i = 0; i < COUNT; i++)
        oldest[COUNT - 1 - i * 37 % COUNT] = i;
    assert_true(has(cache, oldest[0], BYTES));
    path_of(oldest[0], path, sizeof path);
    assert_true(age_of(path) < 60);
    put(cache, 1000, BYTES); /* over the bound: down to 90 entries */
    assert_true(has(cache, 1000, BYTES));
    assert_true(has(cache, oldest[0], BYTES));
    for (size_t i = 1; i <= 11; i++)
        assert_false(has(cache, oldest[i], BYTES));
    for (size_t i = 12; i < COUNT; i++)
        assert_true(has(cache, oldest[i], BYTES));
    put(cache, 2000, COUNT * PAGE); /* larger than the bound */
    assert_false(has(cache, 2000, COUNT * PAGE));
    assert_true(has(cache, 1000, BYTES));
    cache_close(cache);
}

static void test_hits_write_once_an_hour(void **state)
{
    (void)state;
    char path[400];
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 1, 100);
    path_of(1, path, sizeof path);
    set_age(path, 1800);
    assert_true(has(cache, 1, 100));
    assert_true(age_of(path) >= 1800);
    set_age(path, -7200); /* in the future */
    assert_true(has(cache, 1, 100));
    assert_true(age_of(path) >= -1); /* time() may be a tick behind the file system */
    cache_close(cache);
}

/* The next count of the folder removes files of killed writers, and leaves foreign files alone. */
static void test_remains(void **state)
{
    (void)state;
    char path[400];
    static const struct {
        const char *name;
        time_t age;
        bool stays;
    } files[] = {{".new-abcdef", 7200, false}, {".new-ghijkl", 60, true}, {"notes", 999999, true}};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
        set_age(path, files[i].age);
    }
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 1, 100); /* the first put counts the folder */
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        assert_int_equal(access(path, F_OK) == 0, files[i].stays);
    }
    cache_close(cache);
}

/* A damaged state is rebuilt, and the bound holds. */
static void test_damaged_state(void **state)
{
    (void)state;
    enum { COUNT = 20, BYTES = 3000 };
    char path[400];
    struct cache *cache = cache_open_at(folder, COUNT * PAGE);
    snprintf(path, sizeof path, "%s/.state", folder);
    for (uint64_t i = 0; i < 3 * COUNT; i++) {
        if (i % 7 == 0)
            assert_int_equal(truncate(path, (off_t)(i % 5)), 0);
        put(cache, i, BYTES);
        assert_true(has(cache, i, BYTES));
        assert_true(count_files("0") <= COUNT);
    }
    cache_close(cache);
}

static void test_full_disk(void **state)
{
    (void)state;
    struct rlimit before, small = {.rlim_cur = 2000};
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 1, 1000);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    put(cache, 2, 100000);
    put(cache, 1, 100000);
    bool kept = has(cache, 1, 1000), none = !has(cache, 2, 100000);
    put(cache, 3, 500);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_true(kept);
    assert_true(none);
    assert_true(has(cache, 3, 500));
    assert_int_equal(count_files(".new-"), 0);
    cache_close(cache);
}

/* A folder that vanishes, or whose state cannot be opened: entries can still be read where possible. */
static void test_folder_that_cannot_be_written(void **state)
{
    (void)state;
    char path[400], moved[400];
    struct cache *cache = cache_open_at(folder, plenty);
    put(cache, 1, 100);
    cache_close(cache);
    snprintf(path, sizeof path, "%s/.state", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_non_null(cache = cache_open_at(folder, plenty));
    assert_true(has(cache, 1, 100));
    put(cache, 2, 100);
    assert_false(has(cache, 2, 100));
    struct cache_key key = key_of(2);
    assert_true(cache_claim(cache, &key, 0));
    cache_release(cache, &key);
    cache_close(cache);
    assert_int_equal(rmdir(path), 0);

    cache = cache_open_at(folder, plenty);
    snprintf(moved, sizeof moved, "%s.moved", folder);
    assert_int_equal(rename(folder, moved), 0);
    put(cache, 3, 100);
    assert_false(has(cache, 3, 100));
    assert_true(has(cache, 1, 100));
    assert_int_equal(rename(moved, folder), 0);
    cache_close(cache);
}

/* One that only reads stores nothing, removes nothing, and claims like any other. */
static void test_to_read(void **state)
{
    (void)state;
    char path[400], text[] = "text";
    struct stat status;
    struct cache_key key = key_of(3);
    struct cache *reader = cache_open_to_read_at(folder);
    snprintf(path, sizeof path, "%s/.state", folder);
    assert_int_equal(access(path, F_OK), -1);
    put(reader, 1, 100);
    assert_false(has(reader, 1, 100));
    struct cache *writer = cache_open_at(folder, PAGE);
    put(writer, 2, 100);
    assert_true(has(reader, 2, 100));
    assert_true(cache_claim(reader, &key, 0));
    assert_false(cache_claim(writer, &key, 0));
    cache_close(writer);

    /* What fills the file of claims goes when the cache is opened to write. */
    assert_string_equal(cache_path(reader), folder);
    snprintf(path, sizeof path, "%s/.claims", folder);
    assert_string_equal(cache_claims_path(reader), path);
    FILE *file = fopen(path, "a");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    cache_close(cache_open_to_read_at(folder));
    assert_true(stat(path, &status) == 0 && status.st_size == sizeof text - 1);
    cache_close(cache_open_at(folder, PAGE));
    assert_true(stat(path, &status) == 0 && status.st_size == 0);
    cache_close(reader);
}

static void test_claims(void **state)
{
    (void)state;
    struct cache_key one = key_of(1), two = key_of(2);
    struct cache *a = cache_open_at(folder, plenty), *b = cache_open_at(folder, plenty);
    assert_true(cache_claim(a, &one, 0));
    assert_false(cache_claim(b, &one, 0.01));
    assert_true(cache_claim(b, &two, 0));
    cache_release(a, &one);
    assert_true(cache_claim(b, &one, 0));
    cache_close(b);
    assert_true(cache_claim(a, &one, 0)); /* the claim ended with its holder */
    assert_true(cache_claim(a, &two, 0));
    cache_close(a);
}

/*
 * Writers and readers of a few entries in a cache that keeps overflowing, some of them killed: every entry found is
 * intact, and at the end the bound holds.
 */
static void test_many_processes(void **state)
{
    (void)state;
    enum { PROCESSES = 12, ROUNDS = 150, ENTRIES = 60, BOUND = 40 };
    pid_t children[PROCESSES];
    for (int child = 0; child < PROCESSES; child++) {
        children[child] = fork();
        assert_true(children[child] >= 0);
        if (children[child] > 0)
            continue;
        struct cache *cache = cache_open_at(folder, BOUND * PAGE);
        uint64_t random = (uint64_t)child * 7919 + 1;
        for (int round = 0; cache && (round < ROUNDS || child % 4 == 3); round++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t number = (random >> 33) % ENTRIES;
            if (!has(cache, number, 2000 + number))
                put(cache, number, 2000 + number);
        }
        cache_close(cache);
        _exit(cache ? 0 : 1);
    }
    for (int child = 0; child < PROCESSES; child++) {
        int status;
        bool victim = child % 4 == 3; /* never ends by itself */
        if (victim)
            kill(children[child], SIGKILL);
        assert_int_equal(waitpid(children[child], &status, 0), children[child]);
        assert_true(victim ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                           : WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct cache *cache = cache_open_at(folder, BOUND * PAGE);
    put(cache, ENTRIES, 2000);
    assert_true(has(cache, ENTRIES, 2000));
    /* An entry whose writer was killed before counting it counts only at the next count of the folder. */
    assert_true(count_files("0") <= BOUND + PROCESSES / 4);
    cache_close(cache);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_put_and_get),
        IN_FOLDER(test_to_read),
        IN_FOLDER(test_no_cache),
        IN_FOLDER(test_places),
        IN_FOLDER(test_corrupt_entries),
        IN_FOLDER(test_another_users_entry),
        IN_FOLDER(test_least_recently_used_go_first),
        IN_FOLDER(test_hits_write_once_an_hour),
        IN_FOLDER(test_remains),
        IN_FOLDER(test_damaged_state),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_folder_that_cannot_be_written),
        IN_FOLDER(test_claims),
        IN_FOLDER(test_many_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
