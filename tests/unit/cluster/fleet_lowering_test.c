/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates that come to a fleet before they are lowered. */
#include "tests/unit/cluster/cluster_fixture.h"

#include "tests/unit/h100.h"

static const char template_text[] = "template t\nsize n = 8\nparameter BLOCK\nsource \"k.cu\"\n"
                                    "buffer x : int[n] temp\nlaunch { k<<<1, BLOCK>>>(x) }\n";
static const char space_text[] = "space s of t\nparam BLOCK = [32, 4096]\n"; /* no device has such blocks */

struct lowering_work {
    struct cluster_fixture cluster;
    struct template *template;
    struct space *space;
    struct problem *problem;
};

/* The second hand has room for two, which it gets; those from `measurers` on have no device. */
static void begin_with(struct lowering_work *work, size_t measurers)
{
    struct error *error = &work->cluster.error;
    fixture_open(&work->cluster, measurers);
    assert_success(template_parse("t", ".", template_text, strlen(template_text), &work->template, error), error);
    assert_success(space_parse("s", space_text, strlen(space_text), work->template, &work->space, error), error);
    assert_success(problem_create(work->template, work->space, &h100, NULL, 0, &work->problem, error), error);
    assert_true(fleet_lowers(work->cluster.fleet, work->problem));
    has_room(&work->cluster, 1, 2, 0);
    for (size_t i = 0; i < 2; i++) {
        struct candidate *candidate = NULL;
        assert_success(candidate_describe(work->problem, i, 5, &candidate, error), error);
        fleet_submit(work->cluster.fleet, candidate);
    }
    step(&work->cluster);
}

static void begin(struct lowering_work *work)
{
    begin_with(work, FIXTURE_HANDS);
}

static void end(struct lowering_work *work)
{
    fixture_free(&work->cluster);
    problem_free(work->problem);
    space_free(work->space);
    template_free(work->template);
}

/* What a hand is to evaluate, as an order or as a job. */
static uint64_t hears_work(struct cluster_fixture *cluster, size_t hand, bool is_order)
{
    struct message message = hears(cluster, hand, "evaluate");
    uint64_t token = (uint64_t)json_integer_value(json_object_get(message.json, "token"));
    assert_int_equal(json_object_get(message.json, "lower") != NULL, is_order);
    assert_int_equal(json_object_get(message.json, "job") != NULL, !is_order);
    message_clear(&message);
    return token;
}

static void is_finished(struct cluster_fixture *cluster, const char *configuration, enum outcome outcome)
{
    struct candidate *candidate = fleet_finished(cluster->fleet);
    assert_non_null(candidate);
    assert_string_equal(candidate->text, configuration);
    assert_int_equal(candidate->evaluation.outcome, outcome);
    assert_non_null(candidate->evaluation.awkward);
    candidate_free(candidate);
}

static void test_what_a_hand_has_lowered_is_finished_as_any(void **state)
{
    (void)state;
    struct lowering_work work;
    begin(&work);
    finishes(&work.cluster, 1, hears_work(&work.cluster, 1, true), 3);
    hears_work(&work.cluster, 1, true);
    step(&work.cluster);
    is_finished(&work.cluster, "{\"BLOCK\":32}", OUTCOME_OK);
    assert_int_equal(fleet_inside(work.cluster.fleet), 1);
    end(&work);
}

static void test_what_a_hand_cannot_lower_is_lowered_here(void **state)
{
    (void)state;
    struct lowering_work work;
    begin(&work);
    for (size_t i = 0; i < 2; i++) {
        const struct hand_load load = {.room = 1, .received = i + 1};
        says(&work.cluster, 1, hand_refused(hears_work(&work.cluster, 1, true), &load));
    }
    step(&work.cluster);
    assert_int_equal(fleet_inside(work.cluster.fleet), 2);
    step(&work.cluster);
    is_finished(&work.cluster, "{\"BLOCK\":4096}", OUTCOME_RESOURCES);
    assert_null(fleet_finished(work.cluster.fleet));
    finishes(&work.cluster, 1, hears_work(&work.cluster, 1, false), 3);
    step(&work.cluster);
    is_finished(&work.cluster, "{\"BLOCK\":32}", OUTCOME_OK);
    assert_int_equal(fleet_inside(work.cluster.fleet), 0);
    end(&work);
}

/* A hand that refuses jobs, too, does not keep the work going for ever. */
static void test_a_job_is_refused_once(void **state)
{
    (void)state;
    struct lowering_work work;
    begin(&work);
    says(&work.cluster, 1, hand_refused(hears_work(&work.cluster, 1, true), &no_load));
    step(&work.cluster);
    for (uint64_t i = 0; i < 2; i++) {
        has_room(&work.cluster, 2, 1, i);
        step(&work.cluster);
        says(&work.cluster, 2, hand_refused(hears_work(&work.cluster, 2, false), &no_load));
        step(&work.cluster);
    }
    is_finished(&work.cluster, "{\"BLOCK\":32}", OUTCOME_CRASH);
    end(&work);
}

static void test_orders_of_a_lost_hand_go_to_another(void **state)
{
    (void)state;
    struct lowering_work work;
    begin(&work);
    is_gone(&work.cluster, 1);
    step(&work.cluster);
    has_room(&work.cluster, 0, 2, 0);
    step(&work.cluster);
    for (size_t i = 0; i < 2; i++)
        finishes(&work.cluster, 0, hears_work(&work.cluster, 0, true), 3);
    step(&work.cluster);
    struct candidate *one = fleet_finished(work.cluster.fleet), *other = fleet_finished(work.cluster.fleet);
    assert_true(one && other && one->index != other->index);
    assert_null(fleet_finished(work.cluster.fleet));
    candidate_free(one);
    candidate_free(other);
    end(&work);
}

/* Who only compiles needs the launches, and so does who measures: neither job nor launches travel. */
static void test_what_others_have_compiled_is_lowered_again_where_it_is_measured(void **state)
{
    (void)state;
    char image[] = "image";
    struct lowering_work work;
    struct message message;
    begin_with(&work, 1);
    const struct candidate compiled = {.index = (size_t)hears_work(&work.cluster, 1, true),
                                       .image = image,
                                       .image_bytes = sizeof image,
                                       .compile_seconds = 3};
    assert_true(hand_compiled(&compiled, &no_load, &message, NULL));
    sends(&work.cluster, 1, &message);
    step(&work.cluster);
    has_room(&work.cluster, 0, 1, 0);
    step(&work.cluster);
    message = hears(&work.cluster, 0, "evaluate");
    assert_true(message.blob_bytes > 0 && json_object_get(message.json, "lower"));
    assert_true(json_number_value(json_object_get(message.json, "compile_seconds")) == 3);
    finishes(&work.cluster, 0, (uint64_t)json_integer_value(json_object_get(message.json, "token")), 3);
    message_clear(&message);
    step(&work.cluster);
    is_finished(&work.cluster, "{\"BLOCK\":32}", OUTCOME_OK);
    assert_int_equal(fleet_inside(work.cluster.fleet), 1);
    end(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_hand_has_lowered_is_finished_as_any),
        cmocka_unit_test(test_what_a_hand_cannot_lower_is_lowered_here),
        cmocka_unit_test(test_a_job_is_refused_once),
        cmocka_unit_test(test_orders_of_a_lost_hand_go_to_another),
        cmocka_unit_test(test_what_others_have_compiled_is_lowered_again_where_it_is_measured),
    };
    return cmocka_run_group_tests_name("fleet_lowering", tests, NULL, NULL);
}
