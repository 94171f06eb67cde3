/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/advanced_clock.h"
#include "tests/unit/expect.h"
#include "tests/unit/pretended_file_system.h"
#include "tuner/cli/sweep_store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct desk {
    char folder[64], database[128], local[128];
    struct sweep_store opened;
    struct error error;
};

static void make_desk(struct desk *desk)
{
    *desk = (struct desk){.folder = "/tmp/tune-sweep-store-XXXXXX"};
    assert_non_null(mkdtemp(desk->folder));
    snprintf(desk->database, sizeof desk->database, "%s/tune.db", desk->folder);
    snprintf(desk->local, sizeof desk->local, "%s/local", desk->folder);
    assert_int_equal(mkdir(desk->local, 0700), 0);
}

/* The database of a sweep, which is worked on in a folder of the node's own. */
static void open_desk(struct desk *desk)
{
    make_desk(desk);
    setenv("TUNE_DB_LOCAL", desk->local, 1);
    assert_success(sweep_store_open(desk->database, true, &desk->opened, &desk->error), &desk->error);
}

static void remove_desk(const struct desk *desk)
{
    char lock[160];
    snprintf(lock, sizeof lock, "%s.lock", desk->database);
    unlink(desk->database);
    unlink(lock);
    assert_int_equal(rmdir(desk->local), 0); /* nothing is left in it */
    assert_int_equal(rmdir(desk->folder), 0);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void count(const struct sweep_progress *progress, const struct evaluation *latest, const char *configuration,
                  void *context)
{
    (void)progress, (void)latest, (void)configuration;
    ++*(int *)context;
}

static void test_a_copy_is_saved_at_the_end(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk);
    assert_string_equal(store_path(desk.opened.store), desk.database);
    assert_false(exists(desk.database));
    assert_success(sweep_store_close(&desk.opened, true, &desk.error), &desk.error);
    assert_true(exists(desk.database));
    remove_desk(&desk);
}

static void test_a_copy_is_saved_now_and_then(void **state)
{
    (void)state;
    struct desk desk;
    int observed = 0;
    struct sweep_progress progress = {0};
    open_desk(&desk);
    struct sweep_watch watch = {.database = &desk.opened, .observe = count, .context = &observed};
    sweep_watch(&progress, NULL, NULL, &watch);
    assert_int_equal(observed, 1);
    clock_ahead += STAGING_INTERVAL + 1;
    sweep_watch(&progress, NULL, NULL, &watch);
    assert_int_equal(observed, 2);
    assert_true(exists(desk.database));
    assert_success(sweep_store_close(&desk.opened, true, &desk.error), &desk.error);
    remove_desk(&desk);
}

static void test_a_network_file_system_has_a_copy_made(void **state)
{
    (void)state;
    static const unsigned types[] = {0x6969, 0x0bd00bd0, 0xef53}; /* NFS, Lustre, ext4 */
    for (size_t i = 0; i < 3; i++) {
        struct desk desk;
        make_desk(&desk);
        unsetenv("TUNE_DB_LOCAL");
        setenv("TMPDIR", desk.local, 1);
        pretended_type = types[i];
        assert_success(sweep_store_open(desk.database, true, &desk.opened, &desk.error), &desk.error);
        pretended_type = 0;
        assert_int_equal(exists(desk.database), i == 2);
        assert_success(sweep_store_close(&desk.opened, true, &desk.error), &desk.error);
        assert_true(exists(desk.database));
        remove_desk(&desk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_copy_is_saved_at_the_end),
        cmocka_unit_test(test_a_copy_is_saved_now_and_then),
        cmocka_unit_test(test_a_network_file_system_has_a_copy_made),
    };
    return cmocka_run_group_tests_name("sweep_store", tests, NULL, NULL);
}
