/* SPDX-License-Identifier: Apache-2.0 */
/* Simulations with each allocation failing in turn: a clean error, and no leak. */
#include "tests/unit/simulate/by_hand.h"

#include "tests/unit/failing_allocator.h"
#include "tuner/simulate/simulation.h"
#include "tuner/simulate/traces.h"

enum { COUNT = 30 };

/* Fails the allocations of a scenario in turn: it succeeds all the same, or reports that memory ran out. */
typedef bool scenario(struct error *error, void *context);

static void fail_each(scenario *run, void *context, size_t every)
{
    size_t n = 1;
    for (bool failed = true; failed; n += n < 20 ? 1 : every) {
        struct error error = {0};
        failing_allocator_begin(n);
        bool done = run(&error, context);
        failed = failing_allocator_end();
        if (!done && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu: code %d: %s", n, (int)error.code, error.text);
    }
    assert_true(n > 5);
}

static void make_many(struct by_hand *made)
{
    double objectives[COUNT], costs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        objectives[i] = i % 5 ? 1 + i * 7 % COUNT : 0;
        costs[i] = 1 + i % 3;
    }
    make(made, objectives, costs, COUNT);
}

static bool create_space_by_metric(struct error *error, void *context)
{
    struct simulated_space *space;
    bool done = simulated_space_create(context, "rate", 2, &space, error);
    if (done)
        simulated_space_free(space);
    return done;
}

static bool refuse_objective(struct error *error, void *context)
{
    struct simulated_space *space;
    return simulated_space_create(context, "gone", 2, &space, error) || error->code == ERROR_INPUT;
}

static bool create_space(struct error *error, void *context)
{
    struct simulated_space *space;
    bool done = simulated_space_create(context, NULL, 2, &space, error);
    if (done)
        simulated_space_free(space);
    return done;
}

struct knowing {
    struct simulated_space *space;
    const struct recording *recording;
};

static bool know(struct error *error, void *context)
{
    struct knowing *knowing = context;
    bool added;
    return simulated_space_know(knowing->space, knowing->recording, 2, &added, error) && added;
}

static void test_know(void **state)
{
    (void)state;
    struct by_hand made;
    make_many(&made);
    struct knowing knowing = {simulated(&made, 2), &made.recording};
    fail_each(know, &knowing, 1);
    assert_int_equal(knowing.space->prior_count, 2);
    simulated_space_free(knowing.space);
    unmake(&made);
}

static void test_space(void **state)
{
    (void)state;
    struct by_hand made;
    make_many(&made);
    fail_each(create_space, &made.recording, 1);
    static const char *const metrics[] = {"{\"rate\":3}", "{\"rate\":1}", "{\"rate\":2}"};
    made.recording.definitions = "{\"rate\":{\"sense\":\"maximize\"}}";
    for (size_t i = 0; i < COUNT; i++)
        made.results[i].metrics = metrics[i % 3];
    fail_each(create_space_by_metric, &made.recording, 7);
    fail_each(refuse_objective, &made.recording, 7);
    unmake(&made);
}

struct subject {
    const struct simulated_space *space;
    const char *path;
    double expected; /* NAN: not known yet */
};

static void assert_expected(struct subject *subject, double p)
{
    if (isnan(subject->expected))
        subject->expected = p;
    assert_true(subject->expected == p);
}

static bool simulate(struct error *error, void *context)
{
    struct subject *subject = context;
    struct score *scores = __real_calloc(2, sizeof *scores);
    const struct replay_plan plans[] = {{.driver = strategy_find("random")}, {.driver = strategy_find("genetic")}};
    const struct simulation simulation = {.spaces = &subject->space,
                                          .space_count = 1,
                                          .plans = plans,
                                          .plan_count = 2,
                                          .repeats = 2,
                                          .seed = 1,
                                          .jobs = 1};
    assert_non_null(scores);
    bool done = simulation_run(&simulation, scores, error);
    if (done)
        assert_expected(subject, scores[0].p + scores[1].p);
    free(scores);
    return done;
}

static bool score_file(struct error *error, void *context)
{
    struct subject *subject = context;
    struct traced_strategies traced = {0};
    bool done = traces_score(subject->path, &subject->space, 1, 1, &traced, error);
    if (done)
        assert_expected(subject, traced.items[0].scores[0].p);
    traced_strategies_clear(&traced);
    return done;
}

static void test_simulation_and_traces(void **state)
{
    (void)state;
    struct by_hand made;
    struct error error;
    char path[] = "/tmp/tune-traces-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs("{\"traces\":[{\"strategy\":\"theirs\",\"recording\":\"made\",\"repeats\":"
          "[{\"seconds\":[1,2],\"best_ms\":[5e-5,2e-5]}]}]}",
          file);
    assert_int_equal(fclose(file), 0);
    make_many(&made);
    struct simulated_space *space = simulated(&made, 2);
    struct subject subject = {space, path, NAN};
    assert_true(simulate(&error, &subject));
    fail_each(simulate, &subject, 9);
    failing_allocator_take_jansson();
    subject.expected = NAN;
    assert_true(score_file(&error, &subject));
    fail_each(score_file, &subject, 1);
    remove(path);
    simulated_space_free(space);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_know),
        cmocka_unit_test(test_simulation_and_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
