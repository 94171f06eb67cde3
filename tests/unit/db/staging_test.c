/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "db/staging.h"
#include "tests/unit/expect.h"
#include "tests/unit/pretended_file_system.h"

#include <sys/stat.h>

struct desk {
    struct fixture *f;
    char database[160], local[160];
    struct staging *staging;
};

static struct desk set_up(struct fixture *f)
{
    struct desk desk = {.f = f};
    snprintf(desk.database, sizeof desk.database, "%s/away.db", f->folder);
    snprintf(desk.local, sizeof desk.local, "%s/local", f->folder);
    assert_int_equal(mkdir(desk.local, 0700), 0);
    return desk;
}

static void begin(struct desk *desk)
{
    assert_success(staging_begin(desk->database, desk->local, &desk->staging, &desk->f->error), &desk->f->error);
}

/* A run of one configuration, in the database at `path`, which stays open. */
static struct store *store_row(struct desk *desk, const char *path, const char *configuration)
{
    struct store *store;
    assert_success(store_open(path, false, &store, &desk->f->error), &desk->f->error);
    int64_t run = fixture_begin(desk->f, store);
    fixture_put(desk->f, store, run, configuration, fixture_success(100));
    return store;
}

static int rows_of(const char *path)
{
    sqlite3 *sqlite;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(sqlite, "SELECT count(*) FROM evaluation", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int rows = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
    return rows;
}

static bool is_empty(const char *folder)
{
    return rmdir(folder) == 0 && mkdir(folder, 0700) == 0;
}

static void test_storage_of_the_node_is_not_remote(void **state)
{
    assert_false(staging_is_remote(((struct fixture *)*state)->folder));
    assert_false(staging_is_remote("/proc/no/such/folder/tune.db"));
    assert_false(staging_is_remote("relative.db"));
}

/* The numbers are those of statfs(2), and of `stat -f` for what is not in the kernel. */
static void test_network_file_systems_are_remote(void **state)
{
    struct desk desk = set_up(*state);
    static const struct {
        unsigned type;
        bool remote;
    } cases[] = {
        {0x6969, true},      /* NFS */
        {0x0bd00bd0, true},  /* Lustre */
        {0x47504653, true},  /* GPFS, which it spells */
        {0x19830326, true},  /* BeeGFS */
        {0x00c36400, true},  /* Ceph */
        {0x5346414f, true},  /* AFS */
        {0xff534d42, true},  /* CIFS */
        {0xfe534d42, true},  /* SMB 2 */
        {0xef53, false},     /* ext4 */
        {0x58465342, false}, /* XFS, which it spells */
        {0x9123683e, false}, /* Btrfs */
        {0x01021994, false}, /* tmpfs */
        {0x794c7630, false}, /* overlayfs */
    };
    char missing[200];
    snprintf(missing, sizeof missing, "%s/yet/to/be/made.db", desk.f->folder);
    store_close(store_row(&desk, desk.database, "{\"T\":1}"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pretended_type = cases[i].type;
        assert_int_equal(staging_is_remote(desk.database), cases[i].remote);
        assert_int_equal(staging_is_remote(missing), cases[i].remote);
    }
    pretended_type = 0;
}

static void test_a_new_database_appears_where_it_belongs(void **state)
{
    struct desk desk = set_up(*state);
    begin(&desk);
    struct store *store = store_row(&desk, staging_path(desk.staging), "{\"T\":1}");
    assert_int_not_equal(access(desk.database, F_OK), 0);
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error); /* it is open */
    assert_int_equal(rows_of(desk.database), 1);
    store_close(store);
    staging_end(desk.staging);
    assert_true(is_empty(desk.local));
}

static void test_what_others_store_meanwhile_stays(void **state)
{
    struct desk desk = set_up(*state);
    store_close(store_row(&desk, desk.database, "{\"T\":1}"));
    begin(&desk);
    assert_int_equal(rows_of(staging_path(desk.staging)), 1);
    store_close(store_row(&desk, staging_path(desk.staging), "{\"T\":2}"));
    store_close(store_row(&desk, desk.database, "{\"T\":3}"));
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error);
    assert_int_equal(rows_of(desk.database), 3);
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error); /* once more changes nothing */
    assert_int_equal(rows_of(desk.database), 3);
    staging_end(desk.staging);
}

/* Its journal would be taken for that of the file that replaces it. */
static void test_a_database_that_is_open_is_not_replaced(void **state)
{
    struct desk desk = set_up(*state);
    struct store *other = store_row(&desk, desk.database, "{\"T\":1}");
    begin(&desk);
    store_close(store_row(&desk, staging_path(desk.staging), "{\"T\":2}"));
    assert_false(staging_save(desk.staging, &desk.f->error));
    assert_mentions(desk.f->error.text, "another program has");
    assert_mentions(desk.f->error.hint, staging_path(desk.staging));
    store_close(other);
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error);
    assert_int_equal(rows_of(desk.database), 2);
    staging_end(desk.staging);
}

static void test_what_cannot_be_saved_stays_in_the_copy(void **state)
{
    struct desk desk = set_up(*state);
    char copy[300], folder[120];
    snprintf(folder, sizeof folder, "%s/away", desk.f->folder);
    snprintf(desk.database, sizeof desk.database, "%s/away.db", folder);
    begin(&desk);
    assert_int_equal(rmdir(folder), 0);
    snprintf(copy, sizeof copy, "%s", staging_path(desk.staging));
    store_close(store_row(&desk, copy, "{\"T\":1}"));
    assert_false(staging_save(desk.staging, &desk.f->error));
    assert_mentions(desk.f->error.text, "cannot create");
    assert_mentions(desk.f->error.hint, copy);
    staging_end(desk.staging);
    assert_int_equal(rows_of(copy), 1);
}

static void test_what_a_killed_job_left_half_written_goes(void **state)
{
    struct desk desk = set_up(*state);
    char partial[200];
    snprintf(partial, sizeof partial, "%s.0123456789abcdef.partial", desk.database);
    FILE *file = fopen(partial, "w");
    assert_true(file && fclose(file) == 0);
    begin(&desk);
    store_close(store_row(&desk, staging_path(desk.staging), "{\"T\":1}"));
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error);
    assert_int_not_equal(access(partial, F_OK), 0);
    assert_int_equal(rows_of(desk.database), 1);
    staging_end(desk.staging);
}

static void test_rows_go_where_a_link_leads(void **state)
{
    struct desk desk = set_up(*state);
    char target[160];
    struct stat status;
    snprintf(target, sizeof target, "%s", desk.database);
    snprintf(desk.database, sizeof desk.database, "%s/link.db", desk.f->folder);
    store_close(store_row(&desk, target, "{\"T\":1}"));
    assert_int_equal(symlink("away.db", desk.database), 0);
    begin(&desk);
    store_close(store_row(&desk, staging_path(desk.staging), "{\"T\":2}"));
    assert_success(staging_save(desk.staging, &desk.f->error), &desk.f->error);
    assert_int_equal(rows_of(target), 2);
    assert_true(lstat(desk.database, &status) == 0 && S_ISLNK(status.st_mode));
    staging_end(desk.staging);
}

static void test_it_is_saved_now_and_then(void **state)
{
    struct desk desk = set_up(*state);
    begin(&desk);
    store_close(store_row(&desk, staging_path(desk.staging), "{\"T\":1}"));
    assert_success(staging_save_now_and_then(desk.staging, &desk.f->error), &desk.f->error); /* not so soon */
    assert_int_not_equal(access(desk.database, F_OK), 0);
    staging_end(desk.staging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(test_storage_of_the_node_is_not_remote),        unit(test_a_new_database_appears_where_it_belongs),
        unit(test_what_others_store_meanwhile_stays),        unit(test_a_database_that_is_open_is_not_replaced),
        unit(test_what_cannot_be_saved_stays_in_the_copy),   unit(test_it_is_saved_now_and_then),
        unit(test_what_a_killed_job_left_half_written_goes), unit(test_rows_go_where_a_link_leads),
        unit(test_network_file_systems_are_remote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
