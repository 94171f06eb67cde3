/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture.h"
#include "printed.h"

#include "tuner/cli/summary.h"
#include "tuner/engine/identity.h"

#include <jansson.h>
#include <unistd.h>

static const char template_text[] = "template t\n"
                                    "size n = 64\n"
                                    "parameter V\n"
                                    "parameter A\n"
                                    "source \"k.cu\"\n"
                                    "buffer y : float[n] out\n"
                                    "launch { k<<<1, 1>>>(y) }\n"
                                    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n"
                                    "work flops = 1000000\n"
                                    "check y exact\n";
static const char space_text[] = "space s of t\nset V = \"x\"\nparam A = range(1, 10)\n";

/* A problem with a run in a database of its own. */
struct desk {
    struct fixture fixture;
    char folder[32], path[64];
    struct store *store;
    int64_t run;
    struct error error;
};

static int set_up(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    *state = desk;
    fixture_create(&desk->fixture, template_text, space_text);
    strcpy(desk->folder, "/tmp/tune-summary-XXXXXX");
    assert_non_null(mkdtemp(desk->folder));
    snprintf(desk->path, sizeof desk->path, "%s/tune.db", desk->folder);
    assert_success(store_open(desk->path, false, &desk->store, &desk->error), &desk->error);
    struct store_problem identity;
    assert_success(problem_identity(desk->fixture.problem, &identity, &desk->error), &desk->error);
    const struct store_run run = {
        .strategy = "random", .budget = "", .objective = "time", .tune_version = "", .host = ""};
    assert_success(store_run_begin(desk->store, &identity, &run, &desk->run, &desk->error), &desk->error);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    struct desk *desk = *state;
    store_close(desk->store);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s%s", desk->path, suffixes[i]);
        unlink(path);
    }
    rmdir(desk->folder);
    fixture_free(&desk->fixture);
    free(desk);
    return 0;
}

static int64_t put(struct desk *desk, int a, const struct evaluation *evaluation)
{
    char configuration[40];
    int64_t id;
    snprintf(configuration, sizeof configuration, "{\"V\":\"x\",\"A\":%d}", a);
    assert_success(store_put(desk->store, desk->run, configuration, evaluation, &id, &desk->error), &desk->error);
    return id;
}

static int64_t put_time(struct desk *desk, int a, double time_ns)
{
    char message[] = "", awkward[] = "";
    struct evaluation evaluation = evaluation_unmeasured;
    evaluation.awkward = awkward;
    evaluation.outcome = OUTCOME_OK;
    evaluation.message = message;
    evaluation.time_ns = time_ns;
    evaluation.resources.shared_bytes = -1;
    evaluation.time_low_ns = time_ns - 1;
    evaluation.time_high_ns = time_ns + 1;
    return put(desk, a, &evaluation);
}

static struct result_summary gather(struct desk *desk)
{
    struct result_summary summary;
    assert_success(summary_gather(desk->fixture.problem, &objectives[0], desk->store, &summary, &desk->error),
                   &desk->error);
    return summary;
}

/* The rows as "A=1:time ", with a letter of the rank: Winner, Tied, Lost, Single. */
static void expect_rows(const struct result_summary *summary, const char *expected)
{
    char text[400] = "";
    for (size_t i = 0; i < summary->best_count; i++) {
        const struct summary_row *row = &summary->best[i];
        size_t used = strlen(text);
        json_t *configuration = json_loads(row->configuration, 0, NULL);
        snprintf(text + used, sizeof text - used, "%lld%c%g ",
                 (long long)json_integer_value(json_object_get(configuration, "A")), "WTLS"[row->rank],
                 row -> time_ns);
        json_decref(configuration);
    }
    assert_string_equal(text, expected);
}

static void without_finals_the_rows_go_by_time(void **state)
{
    struct desk *desk = *state;
    const double times[] = {500, 300, 700, 200, 600, 400, 100};
    for (int i = 0; i < 7; i++)
        put_time(desk, i + 1, times[i]);
    struct result_summary summary = gather(desk);
    expect_rows(&summary, "7W100 4S200 2S300 6S400 1S500 ");
    summary_clear(&summary);
}

/* The device can do 66.9 TFLOP/s. 1 seemed fastest, but 2 wins the finals, where all were slower; 3 ties with a
 * smaller median and uses more; 4 was not in the finals, and its one time of 101 is smaller than the winner's of 102.
 */
static void put_finals(struct desk *desk)
{
    const int64_t first = put_time(desk, 1, 100), second = put_time(desk, 2, 100.5), third = put_time(desk, 3, 100.6);
    put_time(desk, 4, 101);
    put_time(desk, 5, 150);
    static const double rounds[] = {101, 103, 102};
    const struct store_final finals[] = {
        {second, true, 102, 101, 103, -1, -1, 1, 1, 1, rounds, 3, NULL, 0},
        {third, true, 101.9, 101, 103, -1, -1, 0.999, 0.99, 1.01, rounds, 3, NULL, 0},
        {first, false, 104, 103, 105, -1, -1, 1.02, 1.01, 1.03, rounds, 3, NULL, 0},
    };
    assert_success(store_finals_put(desk->store, desk->run, finals, 3, &desk->error), &desk->error);
}

static void the_winner_of_the_finals_comes_first_then_those_it_met(void **state)
{
    struct desk *desk = *state;
    put_finals(desk);
    struct result_summary summary = gather(desk);
    expect_rows(&summary, "2W102 3T101.9 1L104 4S101 5S150 ");
    summary_clear(&summary);
}

static const struct sweep_finals three = {
    .finalists = 3, .rounds = 6, .lost = 1, .tied = 1, .needs_less_of = "registers"};

static char *print(const struct result_summary *summary, const struct sweep_finals *finals, size_t width)
{
    struct printed printed;
    struct error error;
    printed_begin(&printed, width);
    assert_success(summary_print(summary, finals, &printed.out, &error), &error);
    return printed_end(&printed);
}

static void a_smaller_time_below_has_a_mark_and_a_footnote(void **state)
{
    struct desk *desk = *state;
    put_finals(desk);
    struct result_summary summary = gather(desk);
    char *text = print(&summary, &three, 80);
    assert_string_equal(
        text, "all rows: V=x\n"
              " #      time            rate  of limit      configuration\n"
              " 1    102 ns  9803.9 GFLOP/s  14.7 % fp32*  A=2\n"
              "=2  101.9 ns  9813.5 GFLOP/s  14.7 % fp32*  A=3\n"
              " 3    104 ns  9615.4 GFLOP/s  14.4 % fp32*  A=1\n"
              "~4    101 ns  9901.0 GFLOP/s  14.8 % fp32*  A=4\n"
              " 5    150 ns  6666.7 GFLOP/s  10.0 % fp32*  A=5\n"
              "= tied with the winner in the finals, which uses fewer resources\n"
              "~ measured only once, not in turns with the finalists: this time does not compare with theirs\n"
              "* limit of the data sheet; 'tune ceilings' measures what the device can do\n"
              "\n"
              "best:   V=x A=2\n"
              "        102 ns, 9803.9 GFLOP/s, 14.7 % of the fp32 limit of the data sheet\n"
              "        won against 1 other in 6 rounds; tied with 1 that needs more registers\n");
    free(text);
    summary_clear(&summary);
}

/* A finalist that lost may have a smaller median than the winner: it left after fewer rounds. */
static void a_loser_with_a_smaller_median_is_marked(void **state)
{
    struct desk *desk = *state;
    const int64_t first = put_time(desk, 1, 100), second = put_time(desk, 2, 100.5);
    static const double rounds[] = {100, 103, 102};
    const struct store_final finals[] = {
        {first, true, 102, 101, 103, -1, -1, 1, 1, 1, rounds, 3, NULL, 0},
        {second, false, 101.5, 101, 103, -1, -1, 1.01, 1.005, 1.02, rounds, 3, NULL, 0},
    };
    assert_success(store_finals_put(desk->store, desk->run, finals, 2, &desk->error), &desk->error);
    struct result_summary summary = gather(desk);
    char *text = print(&summary, &(struct sweep_finals){.finalists = 2, .rounds = 8, .lost = 1}, 80);
    assert_mentions(text, "<2  101.5 ns");
    assert_mentions(text, "< slower than the winner in the rounds of the finals that both played\n");
    assert_mentions(text, "        won against 1 other in 8 rounds\n");
    free(text);
    summary_clear(&summary);
}

static void in_a_pipe_each_row_stands_for_itself(void **state)
{
    struct desk *desk = *state;
    put_time(desk, 1, 1000);
    put_time(desk, 2, 2000);
    struct result_summary summary = gather(desk);
    char *text = print(&summary, &(struct sweep_finals){0}, 0);
    assert_mentions(text, "\n1  1 us  1000.0 GFLOP/s");
    assert_mentions(text, "  V=x A=1\n2  2 us");
    assert_null(strstr(text, "all rows"));
    assert_null(strstr(text, "measured only once"));
    free(text);
    summary_clear(&summary);
}

static void failures_are_counted_with_an_example(void **state)
{
    struct desk *desk = *state;
    char first[] = "too many\033[31m threads\nand more", second[] = "another", awkward[] = "";
    struct evaluation evaluation = evaluation_unmeasured;
    evaluation.awkward = awkward;
    evaluation.outcome = OUTCOME_WRONG_RESULT;
    evaluation.message = first;
    put(desk, 1, &evaluation);
    evaluation.message = second;
    put(desk, 2, &evaluation);
    struct result_summary summary = gather(desk);
    assert_int_equal(summary.best_count, 0);
    assert_int_equal(summary.failed[OUTCOME_WRONG_RESULT], 2);
    char *text = print(&summary, &(struct sweep_finals){0}, 80);
    assert_mentions(text, "      2  wrong_result: ");
    assert_mentions(text, "         such as V=x A=1: too many\\x1b[31m threads\n");
    assert_null(strstr(text, "best"));
    free(text);
    summary_clear(&summary);
}

static void as_json(void **state)
{
    struct desk *desk = *state;
    put_finals(desk);
    struct result_summary summary = gather(desk);
    json_t *document = summary_json(&summary);
    const json_t *best = json_object_get(document, "best");
    assert_int_equal(json_array_size(best), 5);
    static const bool tied[] = {false, true, false, false, false}, finalist[] = {true, true, true, false, false};
    for (size_t i = 0; i < 5; i++) {
        const json_t *row = json_array_get(best, i);
        assert_int_equal(json_is_true(json_object_get(row, "tied")), tied[i]);
        assert_int_equal(json_is_true(json_object_get(row, "finalist")), finalist[i]);
    }
    assert_true(json_real_value(json_object_get(json_array_get(best, 0), "time_ns")) == 102);
    assert_int_equal(json_object_size(json_object_get(document, "failed")), 0);
    json_decref(document);
    summary_clear(&summary);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(without_finals_the_rows_go_by_time),
        test(the_winner_of_the_finals_comes_first_then_those_it_met),
        test(a_smaller_time_below_has_a_mark_and_a_footnote),
        test(a_loser_with_a_smaller_median_is_marked),
        test(in_a_pipe_each_row_stands_for_itself),
        test(failures_are_counted_with_an_example),
        test(as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
