/* SPDX-License-Identifier: Apache-2.0 */
/* Runs are listed newest first and marked as killed once their process has died. */
#include "fixture.h"

#include <math.h>

#include "db/process.h"

#include <sys/wait.h>

/* In a child: begin a run, store a row and die without ending the run. */
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

static void the_run_of_a_dead_process_is_marked_killed(void **state)
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
    store_close(fixture_open(f)); /* a live process's run is unaffected by others opening the file */
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(status) FROM (SELECT status FROM run ORDER BY id)"),
                        "killed,running");
    assert_string_equal(fixture_ask(f->path, "SELECT ended_at = (SELECT measured_at FROM evaluation) FROM run"), "1");
    store_close(store);
}

struct statuses {
    char text[200];
};

static bool see_status(const struct store_run_row *row, void *context)
{
    struct statuses *seen = context;
    size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s%s", row->status, row->id > 1 ? "," : "");
    return true;
}

/* Even if the file may only be read. */
static void a_listing_says_what_has_become_of_a_run(void **state)
{
    struct fixture *f = *state;
    char host[256] = "";
    struct statuses seen = {""};
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    f->run.host = host;
    die_in_a_run(f);
    struct store *store;
    assert_true(store_open(f->path, true, &store, &f->error));
    assert_true(store_runs(store, see_status, &seen, &f->error));
    store_close(store);
    assert_string_equal(seen.text, "killed");
    assert_string_equal(fixture_ask(f->path, "SELECT status FROM runs"), "running");
}

/* Of a process elsewhere only its signs of life are known. */
static void a_silent_run_elsewhere_is_lost(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    for (int i = 0; i < 4; i++)
        fixture_begin(f, store);
    fixture_put(f, store, 3, "{\"T\":1}", fixture_success(10)); /* a row, this moment */
    assert_true(store_run_alive(store, 4, &f->error));
    int64_t mine = fixture_begin(f, store);
    assert_int_equal(mine, 5);
    store_close(store);
    fixture_ask(f->path, "UPDATE run SET process = '1:2:3:elsewhere', host = 'far away', "
                         "started_at = '2026-01-01T00:00:00.000Z' WHERE id < 5");
    fixture_ask(f->path, "UPDATE run SET alive_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1000 seconds') "
                         "WHERE id IN (1, 3, 5)");
    fixture_ask(f->path,
                "UPDATE run SET alive_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-800 seconds') WHERE id = 2");
    struct statuses seen = {""};
    assert_true(store_open(f->path, true, &store, &f->error));
    assert_true(store_runs(store, see_status, &seen, &f->error));
    store_close(store);
    assert_string_equal(seen.text, "running,running,running,running,lost"); /* newest first */
    store_close(fixture_open(f));
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(status) FROM (SELECT status FROM run ORDER BY id)"),
                        "lost,running,running,running,running");
    assert_string_equal(fixture_ask(f->path, "SELECT ended_at = alive_at FROM run WHERE id = 1"), "1");
    store = fixture_open(f);
    assert_true(store_run_alive(store, 1, &f->error)); /* it lives after all */
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT status || ifnull(ended_at, '') FROM run WHERE id = 1"),
                        "running");
}

struct seen_runs {
    struct store_run_row rows[8];
    char texts[8][256], named[8][32], files[8][64];
    size_t count;
};

static bool see_run(const struct store_run_row *row, void *context)
{
    struct seen_runs *seen = context;
    seen->rows[seen->count] = *row;
    snprintf(seen->named[seen->count], sizeof seen->named[0], "%s", row->objective);
    snprintf(seen->files[seen->count], sizeof seen->files[0], "%s", row->input_files);
    snprintf(seen->texts[seen->count++], sizeof seen->texts[0], "%s %s %s %s %s %s %s%s", row->template_name,
             row->space_name, row->size, row->device_name, row->device_kind, row->strategy, row->status,
             row->ended_at[0] ? " ended" : "");
    return true;
}

static void runs_are_listed_newest_first(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t first = fixture_begin(f, store);
    char message[] = "";
    fixture_put(f, store, first, "{\"T\":1}", fixture_failure(OUTCOME_FAULT, message));
    fixture_put(f, store, first, "{\"T\":2}", fixture_success(20));
    fixture_put(f, store, first, "{\"T\":3}", fixture_success(10));
    assert_true(store_run_end(store, first, "budget", &f->error));
    f->run.strategy = "random";
    int64_t second = fixture_begin(f, store);
    assert_false(store_run_end(store, second + 1, "done", &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));

    struct seen_runs seen = {0};
    assert_true(store_runs(store, see_run, &seen, &f->error));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.rows[0].id, second);
    assert_string_equal(seen.texts[0], "gemm joint M=1024,N=1024,K=1024 Imaginary 100 cuda random running");
    assert_true(seen.rows[0].evaluations == 0 && seen.rows[0].failures == 0 && seen.rows[0].best_ns == 0);
    assert_int_equal(seen.rows[1].id, first);
    assert_string_equal(seen.texts[1], "gemm joint M=1024,N=1024,K=1024 Imaginary 100 cuda exhaustive budget ended");
    assert_true(seen.rows[1].evaluations == 3 && seen.rows[1].failures == 1 && seen.rows[1].best_ns == 10);
    assert_true(seen.rows[1].configurations == 324);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT evaluations || ' ' || failures || ' ' || best_ms || ' ' || seed "
                                             "FROM runs WHERE run = 1"),
                        "3 1 1.0e-05 18446744073709551615");
}

static struct evaluation with(double time_ns, double energy_j, char *metrics)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.energy_j = energy_j;
    evaluation.metrics = metrics;
    return evaluation;
}

/* The best of a run is that by its own objective, with the value. */
static void runs_name_their_objective_and_data(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char *const objectives[] = {"time", "energy", "edp", "rate", "loss", "gone"};
    static const double values[][2] = {{10, 10}, {20, 1}, {15, 15 * 1.2}, {20, 9}, {15, 0.5}, {0, 0}};
    static char metrics[][40] = {"{\"rate\":1,\"loss\":2}", "{\"rate\":9,\"loss\":null}",
                                 "{\"rate\":3,\"loss\":0.5}"};
    f->problem.template_metrics = "{\"rate\":{\"text\":\"a\",\"sense\":\"maximize\"},"
                                  "\"loss\":{\"text\":\"b\",\"sense\":\"minimize\"}}";
    f->problem.inputs = "x=0123456789abcdef";
    f->problem.input_files = "x = x.npy (0123456789abcdef)";
    for (size_t i = 0; i < 6; i++) {
        f->run.objective = objectives[i];
        int64_t run = fixture_begin(f, store);
        fixture_put(f, store, run, "{\"T\":1}", with(10, 3, metrics[0]));
        fixture_put(f, store, run, "{\"T\":2}", with(20, 1, metrics[1]));
        fixture_put(f, store, run, "{\"T\":3}", with(15, 1.2, metrics[2]));
        struct seen_runs seen = {0};
        assert_true(store_runs(store, see_run, &seen, &f->error));
        assert_string_equal(seen.named[0], objectives[i]);
        assert_string_equal(seen.files[0], f->problem.input_files);
        assert_true(fabs(seen.rows[0].best_ns - values[i][0]) < 1e-9);
        assert_true(fabs(seen.rows[0].best_value - values[i][1]) < 1e-9);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(runs_are_listed_newest_first),
        unit(runs_name_their_objective_and_data),
        unit(a_listing_says_what_has_become_of_a_run),
        unit(a_silent_run_elsewhere_is_lost),
        unit(the_run_of_a_dead_process_is_marked_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
