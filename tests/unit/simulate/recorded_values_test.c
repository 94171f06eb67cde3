/* SPDX-License-Identifier: Apache-2.0 */
/* What configurations are worth by each objective, and what is refused. */
#include "tests/unit/simulate/by_hand.h"

static const char definitions[] = "{\"points a second\":{\"text\":\"\",\"sense\":\"maximize\"},"
                                  "\"loss\":{\"sense\":\"minimize\"},\"shown\":{},\"gone\":{\"sense\":\"minimize\"},"
                                  "\"energy\":{\"sense\":\"maximize\"}}";

/* The third has failed, the fourth is known by time alone. */
static void make_rich(struct by_hand *made)
{
    static const double times[] = {10, 20, 0, 40}, costs[] = {1, 1, 1, 1};
    make(made, times, costs, 4);
    made->recording.definitions = definitions;
    made->recording.objective = "points a second";
    made->results[0].metrics = "{\"points a second\":3,\"loss\":-1,\"shown\":7}";
    made->results[1].metrics = "{\"points a second\":4.5,\"loss\":2,\"shown\":7}";
    made->results[2].metrics = "{\"points a second\":9}";
    made->results[3].metrics = "{\"points";
    made->results[0].energy_j = 0.5;
    made->results[1].energy_j = 0.25;
    made->results[2].energy_j = 0.125;
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *name, *objective;
        bool maximize;
        double values[4];
        size_t missing;
    } cases[] = {
        {"time", "time", false, {10, 20, 0, 40}, 0},  {"energy", "energy", false, {0.5, 0.25, 0, 0}, 1},
        {"edp", "edp", false, {5e-9, 5e-9, 0, 0}, 1}, {NULL, "points a second", true, {3, 4.5, 0, 0}, 1},
        {"loss", "loss", false, {0, 2, 0, 0}, 2}, /* -1 is not a positive number */
    };
    struct by_hand made;
    make_rich(&made);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recorded_values values;
        struct error error;
        if (!recorded_values_read(&made.recording, cases[i].name, &values, &error))
            fail_msg("%s", error.text);
        assert_string_equal(values.objective, cases[i].objective);
        assert_int_equal(values.maximize, cases[i].maximize);
        assert_int_equal(values.missing, cases[i].missing);
        for (size_t k = 0; k < 4; k++)
            assert_near(values.of[k], cases[i].values[k], 1e-15);
        recorded_values_clear(&values);
    }
    unmake(&made);
}

static void expect_refusal(const struct recording *recording, const char *name, const char *text, const char *hint)
{
    struct recorded_values values;
    struct error error = {0};
    assert_false(recorded_values_read(recording, name, &values, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, text);
    assert_string_equal(error.hint, hint);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char hint[] = "for this recording --objective can be time, energy, edp, \"points a second\", loss";
    struct by_hand made;
    make_rich(&made);
    expect_refusal(&made.recording, "points", "made: there is no objective 'points'", hint);
    expect_refusal(&made.recording, "gone", "made: no valid configuration has a value of 'gone'", hint);
    expect_refusal(&made.recording, "shown", "made: whether 'shown' is to be large or small is not recorded", hint);
    for (size_t i = 0; i < 4; i++)
        made.results[i].energy_j = 0;
    made.recording.definitions = "{";
    expect_refusal(&made.recording, "energy", "made: the energy of no valid configuration is recorded",
                   "for this recording --objective can be time");
    expect_refusal(&made.recording, NULL, "made: there is no objective 'points a second'",
                   "for this recording --objective can be time");
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
