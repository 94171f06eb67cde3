/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/simulate/by_hand.h"

#include "tuner/simulate/traces.h"

#include <stdio.h>
#include <unistd.h>

struct subject {
    struct by_hand made;
    struct simulated_space *space;
    char path[40];
};

/* A recording named "made". */
static void create(struct subject *subject)
{
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    make(&subject->made, objectives, costs, 5);
    subject->space = simulated(&subject->made, 1);
    strcpy(subject->path, "/tmp/tune-traces-XXXXXX");
    int descriptor = mkstemp(subject->path);
    assert_true(descriptor >= 0);
    close(descriptor);
}

static void write_traces(const struct subject *subject, const char *text)
{
    FILE *file = fopen(subject->path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void destroy(struct subject *subject)
{
    remove(subject->path);
    simulated_space_free(subject->space);
    unmake(&subject->made);
}

static bool read_traces(const struct subject *subject, struct traced_strategies *traced, struct error *error)
{
    const struct simulated_space *space = subject->space;
    return traces_score(subject->path, &space, 1, 1, traced, error);
}

/* A trace that another program wrote counts like a replay that went the same way; other recordings are ignored. */
static void test_scored_like_a_replay(void **state)
{
    (void)state;
    static const size_t order[] = {2, 3, 1};
    struct subject subject;
    struct replay_trace ours;
    struct score score;
    struct error error;
    struct traced_strategies traced = {0};
    create(&subject);
    write_traces(&subject, "{\"traces\":[{\"strategy\":\"theirs\",\"recording\":\"made\",\"repeats\":"
                           "[{\"seconds\":[1,2,3],\"best_ms\":[5e-5,2e-5,1e-5]}]},"
                           "{\"strategy\":\"theirs\",\"recording\":\"elsewhere\",\"repeats\":[]}]}");
    run_script(subject.space, order, 3, &ours);
    assert_true(score_traces(subject.space, &ours, 1, 1, &score, &error));
    if (!read_traces(&subject, &traced, &error))
        fail_msg("%s", error.text);
    assert_int_equal(traced.count, 1);
    assert_string_equal(traced.items[0].name, "theirs");
    assert_near(traced.items[0].scores[0].p, score.p, 0);
    assert_near(traced.items[0].scores[0].evaluations, 3, 0);
    /* a second file's strategies are appended */
    assert_true(read_traces(&subject, &traced, &error));
    assert_int_equal(traced.count, 2);
    traced_strategies_clear(&traced);
    assert_int_equal(traced.count, 0);
    destroy(&subject);
}

static void test_errors(void **state)
{
    (void)state;
#define ENTRY(repeats) "{\"traces\":[{\"strategy\":\"theirs\",\"recording\":\"made\",\"repeats\":" repeats "}]}"
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{}", "no array \"traces\""},
        {"{\"traces\": []}", "no array \"traces\""},
        {"[1]", "no array \"traces\""},
        {"{\"traces\":[{\"recording\":\"made\"}]}", "traces[0] has no string \"strategy\""},
        {"{\"traces\":[{\"strategy\":\"theirs\",\"recording\":\"other\",\"repeats\":[]}]}",
         "no traces of 'theirs' on made"},
        {ENTRY("[]"), "no repeats on made"},
        {ENTRY("7"), "no repeats on made"},
        {ENTRY("[{\"seconds\":[1]}]"), "equally many numbers"},
        {ENTRY("[{\"seconds\":[1],\"best_ms\":[1,2]}]"), "equally many numbers"},
        {ENTRY("[{\"seconds\":[1],\"best_ms\":[\"1\"]}]"), "equally many numbers"},
        {ENTRY("[{\"seconds\":1,\"best_ms\":1}]"), "equally many numbers"},
    };
    struct subject subject;
    create(&subject);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        struct traced_strategies traced = {0};
        write_traces(&subject, cases[i].text);
        assert_false(read_traces(&subject, &traced, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        if (!strstr(error.text, cases[i].says) || !strstr(error.text, subject.path))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].says);
        traced_strategies_clear(&traced);
    }
    destroy(&subject);
}

/* Text that is not JSON, with its place. */
static void test_not_json(void **state)
{
    (void)state;
    struct subject subject;
    struct error error;
    struct traced_strategies traced = {0};
    create(&subject);
    write_traces(&subject, "{\n \"traces\": [}");
    assert_false(read_traces(&subject, &traced, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "this is not JSON"));
    assert_string_equal(error.file, subject.path);
    assert_int_equal(error.line, 2);
    traced_strategies_clear(&traced);
    destroy(&subject);
}

static void test_missing_file(void **state)
{
    (void)state;
    struct error error;
    struct traced_strategies traced = {0};
    assert_false(traces_score("/nowhere/traces.json", NULL, 0, 1, &traced, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "cannot open /nowhere/traces.json: No such file"));
    traced_strategies_clear(&traced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scored_like_a_replay),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_not_json),
        cmocka_unit_test(test_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
