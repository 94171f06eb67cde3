/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 without a device of the problem's kind: its crew, of fake workers, compiles for hands, which the test plays.
 */
#include "tests/unit/cluster/cluster_fixture.h"

#include "tuner/cluster/hand_image.h"

static void open_fixture(struct cluster_fixture *fixture, struct crew_fixture *crew)
{
    crew_fixture_prepare(crew, "cuda", 1, 20);
    crew->plan.no_cache = true;
    fixture_open_beside(fixture, FIXTURE_HANDS, &crew->plan);
}

static void close_fixture(struct cluster_fixture *fixture, struct crew_fixture *crew)
{
    fixture_free(fixture);
    crew_fixture_free(crew);
}

/* Until this hand has been asked something. */
static void step_until_asked(struct cluster_fixture *fixture, size_t hand)
{
    double limit = monotonic_seconds() + 60;
    while (hears_nothing(fixture, hand)) {
        assert_true(monotonic_seconds() < limit);
        assert_success(fleet_step(fixture->fleet, 100, &fixture->error), &fixture->error);
    }
}

static void test_what_rank_0_compiles_is_measured_elsewhere(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct crew_fixture crew;
    void *image;
    size_t bytes;
    open_fixture(&fixture, &crew);
    assert_int_equal(fleet_load(fixture.fleet).measurers, 0);
    has_room(&fixture, 1, 1, 0);
    fleet_submit(fixture.fleet, new_candidate(7));
    step_until_asked(&fixture, 1);
    struct message message = hears(&fixture, 1, "evaluate");
    assert_true(hand_image_unpack(message.blob, message.blob_bytes, &image, &bytes, NULL));
    assert_int_equal(bytes, strlen("image of source.cu"));
    assert_memory_equal(image, "image of source.cu", bytes);
    assert_int_equal(json_integer_value(json_object_get(message.json, "spill_bytes")), 16);
    finishes(&fixture, 1, (uint64_t)json_integer_value(json_object_get(message.json, "token")), 9);
    step(&fixture);
    struct candidate *candidate = fleet_finished(fixture.fleet);
    assert_non_null(candidate);
    assert_int_equal(candidate->index, 7);
    assert_int_equal(fleet_inside(fixture.fleet), 0);
    candidate_free(candidate);
    free(image);
    message_clear(&message);
    close_fixture(&fixture, &crew);
}

static void test_what_it_cannot_compile_is_finished(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct crew_fixture crew;
    struct candidate *done = NULL, *given = candidate("refused", 3);
    open_fixture(&fixture, &crew);
    given->awkward = strdup("");
    fleet_submit(fixture.fleet, given);
    double limit = monotonic_seconds() + 60;
    while (!(done = fleet_finished(fixture.fleet))) {
        assert_true(monotonic_seconds() < limit);
        assert_success(fleet_step(fixture.fleet, 100, &fixture.error), &fixture.error);
    }
    assert_int_equal(done->index, 3);
    assert_int_equal(done->evaluation.outcome, OUTCOME_COMPILE_ERROR);
    candidate_free(done);
    close_fixture(&fixture, &crew);
}

/* Finals go to the first hand with a device, and without such a hand the work ends. */
static void test_it_measures_nothing(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct crew_fixture crew;
    open_fixture(&fixture, &crew);
    struct candidate *finalist = new_candidate(0);
    finalist->measurer = 0;
    fleet_submit(fixture.fleet, finalist);
    step(&fixture);
    hears_token(&fixture, 0);
    assert_true(fleet_seconds_held_up(fixture.fleet) == 0);
    for (size_t i = 0; i < FIXTURE_HANDS; i++)
        is_gone(&fixture, i);
    assert_false(fleet_step(fixture.fleet, 0, &fixture.error));
    close_fixture(&fixture, &crew);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_rank_0_compiles_is_measured_elsewhere),
        cmocka_unit_test(test_what_it_cannot_compile_is_finished),
        cmocka_unit_test(test_it_measures_nothing),
    };
    return crew_tests_main(count, arguments, "fleet_compiling", tests, sizeof tests / sizeof *tests);
}
