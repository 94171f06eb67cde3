/* SPDX-License-Identifier: Apache-2.0 */
/* What a hand lowers is what rank 0 would have lowered. */
#include "tests/unit/fixture.h"

#include "tuner/cluster/hand_lowering.h"

#include <stdlib.h>

static const char template_text[] = "template scale \"y = 3 x\"\n"
                                    "size n = 1000\nawkward n = 777\n"
                                    "parameter KIND \"a name\"\n"
                                    "parameter BLOCK \"threads\"\n"
                                    "parameter SCALE \"a factor\"\n"
                                    "source \"scale.cu\"\n"
                                    "buffer x : float[n] in uniform(-1, 1)\n"
                                    "buffer y : float[n] out\n"
                                    "launch { scale<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, n, SCALE) }\n"
                                    "reference \"reference.cu\" { r<<<1, 32>>>(x, ref(y), n) }\n"
                                    "check y within 1e-6\n";
static const char space_text[] = "space s of scale\n"
                                 "set KIND = \"plain\"\n"
                                 "param BLOCK = [32, 100, 2048]\n"
                                 "param SCALE = [0.1, 3, true]\n"
                                 "where n % BLOCK == 0 or BLOCK != 100\n";

static const uint64_t seed = UINT64_C(0xfedcba9876543210);

/* The order, carried out as a hand does. */
static bool lowers_there(const struct fixture *fixture, const struct candidate *candidate, struct job **job,
                         struct error *error)
{
    json_t *order = hand_lowering_order(candidate);
    assert_non_null(order);
    char *text = json_dumps(order, JSON_COMPACT); /* by way of the connection */
    json_decref(order);
    order = json_loads(text, 0, NULL);
    bool lowered = hand_lower(order, fixture->template, &fixture->device, job, error);
    json_decref(order);
    free(text);
    return lowered;
}

static void assert_same_job(const struct job *one, const struct job *other)
{
    json_t *a = job_to_json(one), *b = job_to_json(other);
    assert_non_null(a);
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
}

/* Lower a configuration here and there. Returns whether it can be lowered, and is validated at an awkward size. */
static bool compare(struct fixture *fixture, size_t index, bool *awkward)
{
    struct candidate *candidate;
    struct job *there = NULL;
    struct error refusal = {0};
    assert_success(candidate_describe(fixture->problem, index, seed, &candidate, &fixture->error), &fixture->error);
    assert_null(candidate->job);
    bool lowered = lowers_there(fixture, candidate, &there, &refusal);
    assert_success(candidate_lower(candidate, &fixture->error), &fixture->error);
    assert_int_equal(lowered, candidate->job != NULL);
    if (lowered) {
        assert_same_job(candidate->job, there);
        assert_true(there->seed == seed);
    }
    *awkward = lowered && there->has_awkward;
    job_free(there);
    candidate_free(candidate);
    return lowered;
}

static void test_a_hand_makes_the_same_jobs(void **state)
{
    (void)state;
    struct fixture fixture;
    size_t lowered = 0, awkward = 0;
    fixture_create(&fixture, template_text, space_text);
    assert_int_equal(problem_configuration_count(fixture.problem), 9);
    for (size_t i = 0; i < 9; i++) {
        bool is_awkward;
        lowered += compare(&fixture, i, &is_awkward);
        awkward += is_awkward;
    }
    assert_int_equal(lowered, 6); /* the device has no blocks of 2048 threads */
    assert_int_equal(awkward, 3); /* 100 does not divide 777 */
    fixture_free(&fixture);
}

static void test_at_sizes_that_were_set(void **state)
{
    (void)state;
    static const struct size_setting size = {"n", 3200};
    struct fixture fixture;
    bool awkward;
    fixture_parse(&fixture, template_text, space_text);
    assert_success(
        problem_create(fixture.template, fixture.space, &fixture.device, &size, 1, &fixture.problem, &fixture.error),
        &fixture.error);
    assert_true(hand_lowering_suits(fixture.problem));
    assert_true(compare(&fixture, 0, &awkward) && awkward);
    fixture_free(&fixture);
}

/* At 777 the kernel's last argument cannot be computed. */
static void test_what_fails_at_the_awkward_size_fails_there_too(void **state)
{
    (void)state;
    static const char text[] = "template t\nsize n = 1000\nawkward n = 777\nparameter BLOCK\nsource \"k.cu\"\n"
                               "buffer x : int[n] out\nlaunch { k<<<1, BLOCK>>>(x, 1 // (n - 777)) }\n"
                               "reference \"r.cu\" { r<<<1, 1>>>(ref(x)) }\ncheck x exact\n";
    struct fixture fixture;
    struct candidate *candidate;
    struct job *job = NULL;
    bool awkward;
    fixture_create(&fixture, text, "space s of t\nset BLOCK = 32\n");
    assert_false(compare(&fixture, 0, &awkward));
    assert_true(candidate_describe(fixture.problem, 0, seed, &candidate, NULL));
    assert_false(lowers_there(&fixture, candidate, &job, NULL)); /* nobody wants to know why */
    candidate_free(candidate);
    fixture_free(&fixture);
}

static void test_orders_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    struct candidate *candidate;
    struct job *job = NULL;
    fixture_create(&fixture, template_text, space_text);
    assert_true(candidate_describe(fixture.problem, 0, seed, &candidate, NULL));
    json_t *changes[] = {
        json_pack("{s:s}", "configuration", "{\"BLOCK\":"),
        json_pack("{s:s}", "configuration", "{\"OTHER\":1}"),
        json_pack("{s:[]}", "sizes"),
        json_pack("{s:[s]}", "sizes", "1000"),
        json_pack("{s:[i]}", "sizes", -1),
        json_pack("{s:b}", "more", 1),
        json_pack("{s:n}", "seed"),
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct error error = {0};
        json_t *order = hand_lowering_order(candidate);
        assert_int_equal(json_object_update(order, changes[i]), 0);
        assert_false(hand_lower(order, fixture.template, &fixture.device, &job, &error));
        assert_true(error.code != ERROR_NONE);
        json_decref(changes[i]);
        json_decref(order);
    }
    candidate_free(candidate);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hand_makes_the_same_jobs),
        cmocka_unit_test(test_at_sizes_that_were_set),
        cmocka_unit_test(test_what_fails_at_the_awkward_size_fails_there_too),
        cmocka_unit_test(test_orders_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("hand_lowering", tests, NULL, NULL);
}
