/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short series of operations on a disk that, at each write in turn, fails, becomes full, or loses power: whatever
 * was reported as stored is there when the file is reopened, and repeating the series gives the same rows as without
 * a fault.
 */
#include "fixture.h"

#include "faulty_disk.h"

enum { ROWS = 4, FINALISTS = 3, WINNER = 2 };

/* What has been reported as stored so far. */
struct promise {
    bool begun, ended, finals;
    bool put[ROWS];
    double least_ns[ROWS];
};

static bool put(struct fixture *f, struct store *store, int64_t run, int i, int64_t *id)
{
    char configuration[32];
    snprintf(configuration, sizeof configuration, "{\"T\":%d}", i);
    double samples[8];
    for (int k = 0; k < 8; k++)
        samples[k] = 1000.25 + i + k;
    struct evaluation evaluation = fixture_success(1000 + i);
    evaluation.samples_ns = samples;
    evaluation.sample_count = 8;
    return store_put(store, run, configuration, &evaluation, id, &f->error);
}

static bool put_finals(struct fixture *f, struct store *store, int64_t run, const int64_t *ids)
{
    static const double rounds[] = {1100, 1101};
    struct store_final finals[FINALISTS];
    for (int i = 0; i < FINALISTS; i++) {
        int64_t id = ids[(WINNER + i) % ROWS];
        finals[i] = (struct store_final){id, i == 0, 1100 + i, 1099, 1103, -1, -1, 1, 1, 1, rounds, 2, NULL, 0};
    }
    return store_finals_put(store, run, finals, FINALISTS, &f->error);
}

/* Run the series until something fails, with a checkpoint of the journal half-way. */
static bool carry_out(struct fixture *f, struct promise *promise)
{
    struct store *store;
    int64_t run, ids[ROWS];
    if (!store_open(f->path, false, &store, &f->error))
        return false;
    bool done = store_run_begin(store, &f->problem, &f->run, &run, &f->error);
    promise->begun |= done;
    for (int i = 0; done && i < ROWS; i++) {
        done = put(f, store, run, i, &ids[i]) && store_flush(store, &f->error);
        promise->put[i] |= done;
        if (done && i == ROWS / 2)
            sqlite3_wal_checkpoint_v2(store->sqlite, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    }
    done = done && put_finals(f, store, run, ids);
    promise->finals |= done;
    done = done && store_run_end(store, run, "done", &f->error);
    promise->ended |= done;
    store_close(store);
    return done;
}

/* Like fixture_ask, but through an open connection: opening dominates here. */
static const char *ask(sqlite3 *sqlite, const char *sql)
{
    static char answer[8192];
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(sqlite));
    const unsigned char *text = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_text(statement, 0) : NULL;
    snprintf(answer, sizeof answer, "%s", text ? (const char *)text : sqlite3_errmsg(sqlite));
    sqlite3_finalize(statement);
    return answer;
}

static void expect(sqlite3 *sqlite, const char *sql, const char *expected, long at)
{
    const char *answer = ask(sqlite, sql);
    if (strcmp(answer, expected) != 0)
        fail_msg("after a fault at operation %ld: %s: %s, not %s", at, sql, answer, expected);
}

static const char rows_sql[] = "SELECT count(*) || ' ' || group_concat(configuration || time_ns || ifnull((SELECT "
                               "winner || result FROM verdict WHERE evaluation = row.id), '') || "
                               "samples_ns) FROM (SELECT * FROM evaluation ORDER BY configuration) AS row";

/* The reopened file is a valid database with everything that was promised. */
static void check(struct fixture *f, const struct promise *promise, long at)
{
    struct store *store;
    if (!store_open(f->path, false, &store, &f->error))
        fail_msg("after a fault at operation %ld: %s", at, f->error.text);
    sqlite3 *sqlite = store->sqlite;
    expect(sqlite, "PRAGMA integrity_check", "ok", at);
    expect(sqlite, "SELECT count(*) FROM pragma_foreign_key_check", "0", at);
    if (promise->begun)
        expect(sqlite, "SELECT count(*) > 0 FROM run", "1", at);
    for (int i = 0; i < ROWS; i++) {
        char sql[256];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM evaluation JOIN run_evaluation ON evaluation = evaluation.id "
                 "WHERE configuration = '{\"T\":%d}' AND json_array_length(samples_ns) = 8",
                 i);
        if (promise->put[i])
            expect(sqlite, sql, "1", at);
    }
    expect(sqlite, "SELECT count(*) - count(DISTINCT configuration) FROM evaluation", "0", at);
    if (promise->finals)
        expect(sqlite, "SELECT group_concat(evaluation) FROM (SELECT evaluation FROM final ORDER BY place)", "3,4,1",
               at);
    if (promise->ended)
        expect(sqlite, "SELECT count(*) FROM run WHERE status = 'done'", "1", at);
    store_close(store);
}

static void remove_database(struct fixture *f)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 4; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s%s", f->path, endings[i]);
        unlink(path);
    }
}

/* Sanitizers slow SQLite, and look at the same code at each operation. */
#ifdef TUNE_SANITIZED
enum { STRIDE = 4 };
#else
enum { STRIDE = 1 };
#endif

/* `made`: start from a database that already has its schema. */
static void fail_at_each_operation(struct fixture *f, bool made, enum fault fault, enum remains remains)
{
    static char empty[1 << 19];
    char expected[4096];
    struct promise promise = {0};
    store_close(fixture_open(f));
    size_t length = fixture_read(f->path, empty, sizeof empty);
    faulty_disk_install();
    assert_true(carry_out(f, &promise));
    snprintf(expected, sizeof expected, "%s", fixture_ask(f->path, rows_sql));
    long at = 1;
    srand(20261122);
    for (bool fell = true; fell; at += STRIDE) {
        remove_database(f);
        if (made)
            fixture_write(f->path, empty, length);
        promise = (struct promise){0};
        faulty_disk_arm(fault, at);
        bool done = carry_out(f, &promise);
        fell = disk.operations >= at;
        /* closing may fail silently: no promise depends on it */
        assert_true(done || fell);
        faulty_disk_restart(remains);
        check(f, &promise, at);
        if (!carry_out(f, &promise))
            fail_msg("cannot continue after a fault at operation %ld: %s", at, f->error.text);
        if (strcmp(fixture_ask(f->path, rows_sql), expected) != 0)
            fail_msg("different rows after a fault at operation %ld", at);
    }
    faulty_disk_remove();
    assert_true(at > 50); /* the series has this many operations */
}

static void a_disk_that_fails_once(void **state)
{
    fail_at_each_operation(*state, true, FAULT_ONCE, REMAINS_NOTHING);
}

static void a_disk_that_is_full(void **state)
{
    fail_at_each_operation(*state, true, FAULT_FULL, REMAINS_NOTHING);
}

static void a_power_cut_that_loses_all_unsynced_data(void **state)
{
    fail_at_each_operation(*state, true, FAULT_POWER_CUT, REMAINS_NOTHING);
}

static void a_power_cut_that_loses_some_unsynced_data(void **state)
{
    fail_at_each_operation(*state, false, FAULT_POWER_CUT, REMAINS_SOMETHING);
}

/* The disk really loses unsynced data; otherwise the tests above would prove nothing. */
static void unsynced_rows_are_lost(void **state)
{
    struct fixture *f = *state;
    faulty_disk_install();
    faulty_disk_arm(FAULT_POWER_CUT, 1000000);
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), id;
    store->synced_at = 1e300; /* a sync is never due */
    assert_true(put(f, store, run, 0, &id) && store_flush(store, &f->error));
    store->synced_at = 1e300;
    assert_true(put(f, store, run, 1, &id));
    disk.dead = true;
    store_close(store);
    faulty_disk_restart(REMAINS_NOTHING);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation"), "{\"T\":0}");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    faulty_disk_remove();
}

/* Where syncs are slow, store_put defers them; every other function syncs before it returns. */
static void syncs_take_a_small_share_of_the_time(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), id;
    assert_false(store->behind);
    store->sync_seconds = 0;
    assert_true(put(f, store, run, 0, &id));
    assert_false(store->behind);
    store->sync_seconds = 3600;
    store->synced_at += 3600; /* the last one was just now, however slow this machine is */
    assert_true(put(f, store, run, 1, &id));
    assert_true(store->behind);
    assert_true(store_reuse(store, run, &id, 1, &f->error));
    assert_false(store->behind);
    store->sync_seconds = 3600;
    store->synced_at -= 2; /* deferred by at most a second */
    assert_true(put(f, store, run, 2, &id));
    assert_false(store->behind);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_disk_that_fails_once),
        unit(a_disk_that_is_full),
        unit(a_power_cut_that_loses_all_unsynced_data),
        unit(a_power_cut_that_loses_some_unsynced_data),
        unit(unsynced_rows_are_lost),
        unit(syncs_take_a_small_share_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
