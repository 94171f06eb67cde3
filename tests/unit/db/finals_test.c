/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "db/migrate.h"
#include "db/process.h"

#include <sys/wait.h>

/* The row of a lookup or the first of the best; its texts are copied because they are the store's. */
struct seen {
    struct store_row row;
    char configuration[64];
    size_t count;
};

static bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    if (seen->count++ == 0) {
        seen->row = *row;
        snprintf(seen->configuration, sizeof seen->configuration, "%s", row->configuration);
    }
    return true;
}

static void expect_best(struct fixture *f, struct store *store, const char *objective, const char *configuration)
{
    struct seen seen = {0};
    const struct store_filter filter = {.objective = objective};
    if (!store_best(store, &filter, see, &seen, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(seen.count, configuration ? 1 : 0);
    assert_string_equal(seen.configuration, configuration ? configuration : "");
}

static struct store_row look_up(struct fixture *f, struct store *store, int64_t run, const char *configuration)
{
    struct seen seen = {0};
    assert_true(store_lookup(store, run, configuration, see, &seen, &f->error));
    assert_int_equal(seen.count, 1);
    return seen.row;
}

static struct evaluation with_energy(double time_ns, double energy_j)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.energy_j = energy_j;
    evaluation.energy_error_j = energy_j / 100;
    return evaluation;
}

static const double rounds[] = {101, 103.5, 102};

static struct store_final place(int64_t id, bool tied, double time_ns, double ratio)
{
    return (struct store_final){id, tied,  time_ns,      time_ns - 1,  time_ns + 1, -1,
                                -1, ratio, ratio - 0.01, ratio + 0.01, rounds,      3};
}

/* The rows of a run: A seems fastest, then B, C and D; in the finals B wins, A loses, C ties. */
struct rows {
    int64_t run, a, b, c, d;
};

static struct rows put_finals(struct fixture *f, struct store *store)
{
    struct rows rows = {.run = fixture_begin(f, store)};
    rows.a = fixture_put(f, store, rows.run, "{\"T\":\"A\"}", fixture_success(100));
    rows.b = fixture_put(f, store, rows.run, "{\"T\":\"B\"}", fixture_success(100.5));
    rows.c = fixture_put(f, store, rows.run, "{\"T\":\"C\"}", fixture_success(100.6));
    rows.d = fixture_put(f, store, rows.run, "{\"T\":\"D\"}", fixture_success(101));
    const struct store_final finals[] = {place(rows.b, true, 102, 1), place(rows.c, true, 101.9, 0.999),
                                         place(rows.a, false, 104, 1.02)};
    if (!store_finals_put(store, rows.run, finals, 3, &f->error))
        fail_msg("%s", f->error.text);
    return rows;
}

static void the_winner_of_the_finals_is_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    expect_best(f, store, "time", "{\"T\":\"B\"}");
    struct store_row winner = look_up(f, store, rows.run, "{\"T\":\"B\"}");
    assert_true(winner.time_ns == 102 && winner.time_low_ns == 101 && winner.time_high_ns == 103);
    assert_true(winner.was_final && !winner.beaten && !winner.tied);
    struct store_row tied = look_up(f, store, rows.run, "{\"T\":\"C\"}");
    assert_true(tied.time_ns == 101.9 && tied.was_final && tied.beaten && tied.tied);
    struct store_row loser = look_up(f, store, rows.run, "{\"T\":\"A\"}");
    assert_true(loser.time_ns == 104 && loser.was_final && loser.beaten && !loser.tied);
    /* not good enough for the finals, where all were slower: its 101 ns are no better than the winner's 102 */
    struct store_row rest = look_up(f, store, rows.run, "{\"T\":\"D\"}");
    assert_true(rest.time_ns == 101 && !rest.was_final && rest.beaten);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT configuration || time_ms FROM best"), "{\"T\":\"B\"}0.000102");
    assert_string_equal(fixture_ask(f->path, "SELECT best_ms FROM runs"), "0.000102");
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(place || result || evaluation_id || ':' || ratio || "
                                    "'/' || ratio_low || '/' || ratio_high) FROM finals"),
                        "1winner2:1.0/0.99/1.01,2tied3:0.999/0.989/1.009,3lost1:1.02/1.01/1.03");
    assert_string_equal(fixture_ask(f->path, "SELECT rounds_ns FROM final WHERE place = 3"), "[101.0,103.5,102.0]");
}

static void measuring_anew_takes_a_loss_back(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    /* a loser: it alone is free again */
    fixture_put(f, store, rows.run, "{\"T\":\"A\"}", fixture_success(110));
    assert_false(look_up(f, store, rows.run, "{\"T\":\"A\"}").beaten);
    assert_true(look_up(f, store, rows.run, "{\"T\":\"C\"}").beaten);
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    /* the winner: all who lost to it are */
    char message[] = "";
    fixture_put(f, store, rows.run, "{\"T\":\"B\"}", fixture_failure(OUTCOME_WRONG_RESULT, message));
    assert_false(look_up(f, store, rows.run, "{\"T\":\"C\"}").beaten);
    expect_best(f, store, NULL, "{\"T\":\"D\"}");
    store_close(store);
}

static void later_finals_overrule_earlier_ones(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    int64_t run = fixture_begin(f, store);
    const struct store_final again[] = {place(rows.c, true, 100, 1), place(rows.b, false, 103, 1.03)};
    assert_true(store_finals_put(store, run, again, 2, &f->error));
    expect_best(f, store, NULL, "{\"T\":\"C\"}");
    /* finals put twice are one */
    assert_true(store_finals_put(store, run, again, 1, &f->error));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(run || ':' || place) FROM (SELECT * FROM final "
                                             "ORDER BY run, place)"),
                        "1:1,1:2,1:3,2:1");
}

static void finals_are_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    f->problem.size = "M=1,N=1,K=1";
    int64_t other = fixture_begin(f, store);
    const struct store_final foreign[] = {place(rows.a, true, 50, 1)};
    assert_false(store_finals_put(store, other, foreign, 1, &f->error));
    assert_non_null(strstr(f->error.text, "no such evaluation"));
    const struct store_final half[] = {place(rows.a, true, 50, 1), place(rows.d + 7, false, 60, 1.2)};
    assert_false(store_finals_put(store, rows.run, half, 2, &f->error));
    assert_false(store_finals_put(store, other + 1, half, 1, &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM final"), "3");
}

/* 2*1024^3 operations for 0.002 J are 1073.74 GFLOP a joule; 0.002 J in 50 us are 40 W. */
static void the_best_by_energy(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    expect_best(f, store, "energy", NULL);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(10e3)); /* fastest; energy not known */
    fixture_put(f, store, run, "{\"T\":2}", with_energy(20e3, 0.004));
    fixture_put(f, store, run, "{\"T\":3}", with_energy(50e3, 0.002));
    fixture_put(f, store, run, "{\"T\":4}", with_energy(25e3, 0.003));
    expect_best(f, store, "time", "{\"T\":1}");
    expect_best(f, store, "energy", "{\"T\":3}");
    expect_best(f, store, "edp", "{\"T\":4}"); /* 75 uJ s against 80 and 100 */
    struct seen seen = {0};
    assert_false(store_best(store, &(struct store_filter){.objective = "beauty"}, see, &seen, &f->error));
    assert_error(f, "no objective beauty");
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_j == 0.004);
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_error_j == 0.00004);
    assert_true(look_up(f, store, run, "{\"T\":1}").energy_j == 0);
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT configuration || ' ' || gflops_per_watt || ' ' || watts || ' ' || "
                                    "time_ms FROM best_by_energy"),
                        "{\"T\":3} 1073.74 40.0 0.05");
}

/* Who loses by energy may still be the fastest. */
static void finals_count_by_their_objective(void **state)
{
    struct fixture *f = *state;
    f->run.objective = "energy";
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    int64_t fast = fixture_put(f, store, run, "{\"T\":1}", with_energy(10, 0.0020));
    int64_t thrifty = fixture_put(f, store, run, "{\"T\":2}", with_energy(20, 0.0021));
    fixture_put(f, store, run, "{\"T\":3}", with_energy(30, 0.0022)); /* not in the finals */
    struct store_final finals[] = {place(thrifty, true, 21, 1), place(fast, false, 11, 0.5)};
    finals[0].energy_j = 0.0023;
    finals[0].energy_error_j = 0.0001;
    assert_true(store_finals_put(store, run, finals, 2, &f->error));
    expect_best(f, store, "energy", "{\"T\":2}");
    expect_best(f, store, "time", "{\"T\":1}");
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_j == 0.0023);
    assert_true(look_up(f, store, run, "{\"T\":1}").energy_j == 0.0020);
    store_close(store);
}

static void an_evaluation_tells_its_device_inputs_and_throttling(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(10);
    strcpy(evaluation.uuid, "GPU-7");
    evaluation.seed = UINT64_MAX;
    evaluation.throttled = 3;
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    char message[] = "";
    fixture_put(f, store, run, "{\"T\":2}", fixture_failure(OUTCOME_COMPILE_ERROR, message));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT uuid || ' ' || seed || ' ' || throttled FROM evaluation"),
                        "GPU-7 18446744073709551615 3");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation WHERE uuid IS NULL AND seed IS NULL"),
                        "1");
}

static void a_lookup_sees_what_another_program_has_put(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f), *other = fixture_open(f);
    int64_t run = fixture_begin(f, store), its_run = fixture_begin(f, other);
    struct seen seen = {0};
    assert_true(store_lookup(store, run, "{\"T\":1}", see, &seen, &f->error));
    assert_int_equal(seen.count, 0);
    int64_t id = fixture_put(f, other, its_run, "{\"T\":1}", fixture_success(10));
    struct store_row row = look_up(f, store, run, "{\"T\":1}");
    assert_true(row.id == id && row.time_ns == 10);
    /* another size is another problem */
    f->problem.size = "M=1,N=1,K=1";
    assert_true(store_lookup(store, fixture_begin(f, store), "{\"T\":1}", see, &seen, &f->error));
    assert_int_equal(seen.count, 0);
    store_close(other);
    store_close(store);
}

/* In a child: a run that is begun and not ended; its process dies with a row in the store. */
static void die_in_a_run(struct fixture *f)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *store;
        int64_t run, id;
        struct evaluation evaluation = fixture_success(10);
        _exit(store_open(f->path, false, &store, &f->error) &&
                      store_run_begin(store, &f->problem, &f->run, &run, &f->error) &&
                      store_put(store, run, "{\"T\":1}", &evaluation, &id, &f->error)
                  ? 0
                  : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_run_of_a_dead_process_is_interrupted(void **state)
{
    struct fixture *f = *state;
    char host[256] = "";
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    f->run.host = host;
    die_in_a_run(f);
    assert_string_equal(fixture_ask(f->path, "SELECT status FROM runs"), "running");
    struct store *store = fixture_open(f);
    int64_t mine = fixture_begin(f, store);
    assert_int_equal(mine, 2);
    store_close(fixture_open(f)); /* a live process's run stays, whoever else opens the file */
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(status) FROM (SELECT status FROM run ORDER BY id)"),
                        "interrupted,running");
    assert_string_equal(fixture_ask(f->path, "SELECT ended_at = (SELECT measured_at FROM evaluation) FROM run"), "1");
    store_close(store);
}

static void expect_gone(bool gone, bool same_host, long pid, unsigned long long start, const char *rest)
{
    char token[512];
    snprintf(token, sizeof token, "%ld:%llu:%s", pid, start, rest);
    if (process_is_gone(token, same_host) != gone)
        fail_msg("%s is %s", token, gone ? "not gone" : "gone");
}

static void a_process_is_known_by_more_than_its_id(void **state)
{
    (void)state;
    char token[PROCESS_TEXT], rest[PROCESS_TEXT], other_boot[2 * PROCESS_TEXT], other_space[2 * PROCESS_TEXT];
    long pid;
    unsigned long long start;
    process_token(token);
    assert_int_equal(sscanf(token, "%ld:%llu:%127s", &pid, &start, rest), 3);
    assert_int_equal(pid, getpid());
    snprintf(other_boot, sizeof other_boot, "%.100sx", rest);
    snprintf(other_space, sizeof other_space, "9%s", rest);
    expect_gone(false, true, pid, start, rest);
    expect_gone(true, true, pid, start + 1, rest); /* the id was given again */
    expect_gone(true, true, pid, start, other_boot);
    expect_gone(false, false, pid, start, other_boot); /* another machine */
    expect_gone(false, true, pid, start + 1, other_space);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    expect_gone(true, true, (long)child, start, rest);
    static const char *const garbage[] = {"", "x", "1:2:3", "-1:2:3:4", "1::2"};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        assert_false(process_is_gone(garbage[i], true));
}

/* A file of version 1 as the first release left it. */
static void a_file_of_version_one_is_brought_up_to_date(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 1, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO space VALUES (1, 'joint', 'bbbb', 'space joint of gemm');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1024,N=1024,K=1024', 2e9, 1e7);"
        "INSERT INTO run VALUES (1, 1, 1, 'exhaustive', '', 'time', '1', 2, '0.1.0', 'h', "
        "'2026-01-01T00:00:00.000Z', "
        "NULL, 'running'), (2, 1, 1, 'random', '', 'time', '1', 2, '0.1.0', 'h', '2026-01-01T00:00:00.000Z', "
        "'2026-01-01T00:01:00.000Z', 'done');"
        "INSERT INTO evaluation (id, problem, configuration, outcome, time_ns, samples_ns, measured_at, origin) "
        "VALUES "
        "(1, 1, '{\"T\":1}', 'ok', 2000, '[2000]', '2026-01-01T00:00:30.000Z', 'measured'), "
        "(2, 1, '{\"T\":2}', 'ok', 1000, '[1000]', '2026-01-01T00:00:40.000Z', 'measured');"
        "INSERT INTO run_evaluation VALUES (1, 1, 1, 0), (2, 1, 2, 0);"
        "INSERT INTO image VALUES (1, 2, 3, x'00');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);

    struct store *store = fixture_open(f);
    struct store_row row = look_up(f, store, 2, "{\"T\":1}");
    assert_true(row.time_ns == 2000 && row.energy_j == 0 && !row.was_final && !row.beaten);
    expect_best(f, store, NULL, "{\"T\":2}");
    expect_best(f, store, "energy", NULL);
    int64_t run = fixture_begin(f, store);
    assert_int_equal(fixture_put(f, store, run, "{\"T\":3}", fixture_success(500)), 3);
    expect_best(f, store, NULL, "{\"T\":3}");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "PRAGMA user_version"), "3");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(status) FROM (SELECT status FROM run ORDER BY id)"),
                        "interrupted,done,running");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM image"), "1");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

/* One of version 2, whose evaluations have places in finals and losses that refer to evaluations. */
static void a_file_of_version_two_keeps_what_refers_to_its_rows(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old.sqlite, "PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 2, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO space VALUES (1, 'joint', 'bbbb', 'space joint of gemm');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1', 2e9, 1e7);"
        "INSERT INTO run (id, problem, space, strategy, seed, configurations, tune_version, started_at, status) "
        "VALUES (1, 1, 1, 'exhaustive', '1', 2, '0.1.0', '2026-01-01T00:00:00.000Z', 'done');"
        "INSERT INTO evaluation (id, problem, configuration, outcome, message, time_ns, energy_j, uuid, seed, "
        "measured_at, origin, lost_to, lost_by) VALUES "
        "(7, 1, '{\"T\":1}', 'ok', '', 2000, 0.5, 'GPU-1', '42', '2026-01-01T00:00:30.000Z', 'measured', NULL, "
        "NULL), "
        "(9, 1, '{\"T\":2}', 'ok', 'm', 1000, 0.7, NULL, NULL, '2026-01-01T00:00:40.000Z', 'shipped', 7, 'time');"
        "INSERT INTO run_evaluation VALUES (1, 1, 7, 0), (1, 2, 9, 0);"
        "INSERT INTO final (run, place, evaluation, tied, time_ns, rounds_ns) VALUES (1, 1, 7, 0, 2000, '[]'), "
        "(1, 2, 9, 0, 2500, '[]');"
        "INSERT INTO image VALUES (1, 7, 3, x'00');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);

    struct store *store = fixture_open(f);
    expect_best(f, store, NULL, "{\"T\":1}"); /* the faster one lost to it */
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(id || message || energy_j || coalesce(uuid, '-') || "
                                    "coalesce(seed, '-') || origin || coalesce(lost_to || lost_by, '-'), ' ') "
                                    "FROM (SELECT * FROM evaluation ORDER BY id)"),
                        "70.5GPU-142measured- 9m0.7--shipped7time");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(evaluation_id || result) FROM finals"),
                        "7winner,9lost");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM image JOIN run_evaluation USING (evaluation)"),
                        "1");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%evaluation_3%'"),
                        "0");
    store = fixture_open(f); /* the new table's rows take with them what refers to them, as the old one's did */
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation WHERE id = 7", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT (SELECT count(*) FROM final) || (SELECT count(*) FROM image) || "
                                             "(SELECT count(*) FROM evaluation WHERE lost_to IS NULL)"),
                        "101");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_winner_of_the_finals_is_best),
        unit(measuring_anew_takes_a_loss_back),
        unit(later_finals_overrule_earlier_ones),
        unit(finals_are_all_or_nothing),
        unit(the_best_by_energy),
        unit(finals_count_by_their_objective),
        unit(an_evaluation_tells_its_device_inputs_and_throttling),
        unit(a_lookup_sees_what_another_program_has_put),
        unit(the_run_of_a_dead_process_is_interrupted),
        unit(a_process_is_known_by_more_than_its_id),
        unit(a_file_of_version_one_is_brought_up_to_date),
        unit(a_file_of_version_two_keeps_what_refers_to_its_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
