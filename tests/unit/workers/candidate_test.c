/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates, lowered or rejected immediately, and their queues. */
#include "tests/unit/fixture.h"
#include "tuner/workers/candidate.h"

#include <stdlib.h>

static const char template_text[] = "template scale \"y = 3 x\"\n"
                                    "size n = 1000\n"
                                    "parameter BLOCK \"threads\"\n"
                                    "parameter PARTS \"buffers of 256 MiB\"\n"
                                    "source \"scale.cu\"\n"
                                    "buffer x : float[n] in uniform(-1, 1)\n"
                                    "buffer y : float[n * PARTS] out\n"
                                    "launch { scale<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, n // (3 - PARTS)) }\n"
                                    "reference \"reference.cu\" { r<<<1, 32>>>(x, ref(y), n) }\n"
                                    "check y within 1e-6\n";
static const char space_text[] = "space s of scale\n"
                                 "param BLOCK = [256, 2048]\n"
                                 "param PARTS = [1, 2, 3, 1000000]\n";

static struct candidate *lower(struct fixture *fixture, const char *configuration, struct error *error)
{
    size_t index;
    struct candidate *candidate = NULL;
    assert_true(problem_configuration_find(fixture->problem, configuration, &index));
    return candidate_create(fixture->problem, index, 5, &candidate, error) ? candidate : NULL;
}

static void test_a_valid_configuration_is_lowered(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct candidate *candidate = lower(&fixture, "{\"BLOCK\":256,\"PARTS\":1}", &fixture.error);
    assert_non_null(candidate);
    assert_non_null(candidate->job);
    assert_string_equal(candidate->text, "{\"BLOCK\":256,\"PARTS\":1}");
    assert_int_equal(candidate->spill_bytes, -1);
    assert_int_equal(candidate->measurer, -1);
    candidate_free(candidate);
    fixture_free(&fixture);
}

/* By the names of its kernels. */
static void test_parts_for_the_host(void **state)
{
    (void)state;
    static const char hosted[] = "template t\nsize n = 8\nparameter BLOCK\nsource \"k.cu\"\nbuffer x : int[n] temp\n"
                                 "launch { k<<<1, 1>>>(x)\n k<<<1, 1, host = BLOCK == 1>>>(x) }\n";
    for (int i = 0; i < 2; i++) {
        struct fixture fixture;
        fixture_create(&fixture, hosted, "space s of t\nparam BLOCK = [1, 2]\n");
        struct candidate *candidate = lower(&fixture, i ? "{\"BLOCK\":1}" : "{\"BLOCK\":2}", &fixture.error);
        assert_non_null(candidate);
        assert_int_equal(candidate_is_hosted(candidate), i);
        candidate_free(candidate);
        fixture_free(&fixture);
    }
    assert_false(candidate_is_hosted(NULL));
}

/* 2048 threads exceed an H100's limit per block; 4 GB exceed the memory of the fixture's device. */
static void test_candidates_that_fail_before_compilation(void **state)
{
    (void)state;
    static const struct {
        const char *configuration;
        enum outcome outcome;
    } cases[] = {{"{\"BLOCK\":2048,\"PARTS\":1}", OUTCOME_RESOURCES},
                 {"{\"BLOCK\":256,\"PARTS\":1000000}", OUTCOME_MEMORY}};
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    for (size_t i = 0; i < 2; i++) {
        struct candidate *candidate = lower(&fixture, cases[i].configuration, &fixture.error);
        assert_non_null(candidate);
        assert_null(candidate->job);
        assert_int_equal(candidate->evaluation.outcome, cases[i].outcome);
        assert_true(strlen(candidate->evaluation.message) > 0);
        candidate_free(candidate);
    }
    fixture_free(&fixture);
}

static void test_an_expression_that_fails_is_a_row_with_its_place(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct candidate *candidate = lower(&fixture, "{\"BLOCK\":256,\"PARTS\":3}", &fixture.error);
    assert_non_null(candidate);
    assert_null(candidate->job);
    assert_int_equal(candidate->evaluation.outcome, OUTCOME_HOST_ERROR);
    assert_mentions(candidate->evaluation.message, "test.template:");
    assert_mentions(candidate->evaluation.message, "division by zero");
    candidate_free(candidate);
    fixture_free(&fixture);
}

/* A finished candidate's row says what was asked. */
static void test_a_finished_candidate_is_completed(void **state)
{
    (void)state;
    static const struct {
        enum outcome outcome;
        double deadline;
    } cases[] = {{OUTCOME_OK, 0}, {OUTCOME_COMPILE_TIMEOUT, 3}, {OUTCOME_TIMEOUT, 4}, {OUTCOME_CRASH, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct candidate *candidate = calloc(1, sizeof *candidate);
        assert_non_null(candidate);
        candidate->awkward = strdup("n=7");
        candidate->job = calloc(1, sizeof *candidate->job);
        assert_non_null(candidate->job);
        candidate->job->cases[JOB_TUNED].work.flops = 10;
        candidate->job->cases[JOB_TUNED].work.bytes = 20;
        candidate->job->cases[JOB_TUNED].work.integer_ops = 30;
        candidate->evaluation.outcome = cases[i].outcome;
        candidate->evaluation.awkward = strdup("whatever a worker said");
        candidate->evaluation.deadline_seconds = candidate->evaluation.work.flops = 1e9;
        candidate_complete(candidate, 3, 4);
        const struct evaluation *evaluation = &candidate->evaluation;
        assert_true(evaluation->work.flops == 10 && evaluation->work.bytes == 20);
        assert_true(evaluation->work.integer_ops == 30 && evaluation->work.special_ops == 0);
        assert_string_equal(evaluation->awkward, "n=7");
        assert_true(evaluation->deadline_seconds == cases[i].deadline);
        candidate_free(candidate);
    }
}

static void test_a_failure_keeps_known_fields(void **state)
{
    (void)state;
    struct candidate *candidate = calloc(1, sizeof *candidate);
    assert_non_null(candidate);
    candidate->spill_bytes = 48;
    candidate->compile_seconds = 0.5;
    candidate->measure_seconds = 2;
    candidate_fail(candidate, OUTCOME_TIMEOUT, "not within %d s", 60);
    candidate_fail(candidate, OUTCOME_CRASH, "died of %s", "a fault"); /* replaces the first */
    const struct evaluation *evaluation = &candidate->evaluation;
    assert_int_equal(evaluation->outcome, OUTCOME_CRASH);
    assert_string_equal(evaluation->message, "died of a fault");
    assert_int_equal(evaluation->spill_bytes, 48);
    assert_true(evaluation->compile_seconds == 0.5 && evaluation->measure_seconds == 2 && evaluation->time_ns == 0);
    assert_true(evaluation->error_ratio == -1 && evaluation->energy_j == -1 && evaluation->resources.registers == -1);
    candidate_free(candidate);
}

/* ---- queues */

static struct candidate *with_seconds(size_t index, double seconds)
{
    struct candidate *candidate = calloc(1, sizeof *candidate);
    assert_non_null(candidate);
    candidate->index = index;
    candidate->expected_seconds = seconds;
    return candidate;
}

static void expect_index(struct candidate *candidate, size_t index)
{
    assert_non_null(candidate);
    assert_int_equal(candidate->index, index);
    candidate_free(candidate);
}

static void test_first_in_first_out(void **state)
{
    (void)state;
    struct candidate_queue queue = {0};
    assert_null(candidate_pop(&queue));
    for (size_t i = 0; i < 3; i++)
        candidate_push(&queue, with_seconds(i, 0));
    struct candidate *first = candidate_pop(&queue);
    candidate_put_back(&queue, first);
    assert_int_equal(queue.count, 3);
    for (size_t i = 0; i < 3; i++)
        expect_index(candidate_pop(&queue), i);
    assert_null(candidate_pop(&queue));
    candidate_put_back(&queue, with_seconds(7, 0)); /* into an empty queue, whose tail must be updated */
    candidate_push(&queue, with_seconds(8, 0));
    expect_index(candidate_pop(&queue), 7);
    expect_index(candidate_pop(&queue), 8);
    assert_true(queue.count == 0 && !queue.first && !queue.last);
}

static void test_the_longest_comes_first(void **state)
{
    (void)state;
    static const double seconds[] = {1, 5, 3, 5, 0};
    static const size_t order[] = {1, 3, 2, 0, 4}; /* ties in order of arrival */
    struct candidate_queue queue = {0};
    assert_null(candidate_pop_longest(&queue));
    for (size_t i = 0; i < 5; i++)
        candidate_push(&queue, with_seconds(i, seconds[i]));
    for (size_t i = 0; i < 5; i++)
        expect_index(candidate_pop_longest(&queue), order[i]);
    assert_true(queue.count == 0 && !queue.first && !queue.last);
}

/* Taking the last element must leave a tail that can be pushed to. */
static void test_taking_the_last_element(void **state)
{
    (void)state;
    struct candidate_queue queue = {0};
    candidate_push(&queue, with_seconds(0, 1));
    candidate_push(&queue, with_seconds(1, 2));
    expect_index(candidate_pop_longest(&queue), 1);
    candidate_push(&queue, with_seconds(2, 0));
    expect_index(candidate_pop(&queue), 0);
    expect_index(candidate_pop(&queue), 2);
    candidate_push(&queue, with_seconds(3, 0));
    candidate_queue_clear(&queue);
    assert_true(queue.count == 0 && !queue.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_valid_configuration_is_lowered),
        cmocka_unit_test(test_parts_for_the_host),
        cmocka_unit_test(test_candidates_that_fail_before_compilation),
        cmocka_unit_test(test_an_expression_that_fails_is_a_row_with_its_place),
        cmocka_unit_test(test_a_finished_candidate_is_completed),
        cmocka_unit_test(test_a_failure_keeps_known_fields),
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_the_longest_comes_first),
        cmocka_unit_test(test_taking_the_last_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
