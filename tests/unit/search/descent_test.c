/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/descent.h"

enum { SIDE = 7, COUNT = SIDE * SIDE };
static const size_t sizes[] = {SIDE, SIDE};

static void create(struct descent *descent, struct search_space **space)
{
    *space = grid_create(sizes, 2);
    const struct strategy_setup setup = {.space = *space, .seed = 6};
    assert_true(descent_create(descent, &setup, 4, 2));
}

static void destroy(struct descent *descent, struct search_space *space)
{
    descent_clear(descent);
    search_space_free(space);
}

static void tell(struct descent *descent, size_t index, double objective)
{
    bool valid = isfinite(objective);
    descent_tell(descent, &(struct observation){.index = index, .valid = valid, .objective = valid ? objective : 0});
}

/* Objectives by the listing: the descent ends where none of the neighbours is better, and all of them were asked for.
 */
static void test_ends_at_a_local_optimum(void **state)
{
    (void)state;
    struct generator generator = {.state = 4};
    for (int round = 0; round < 20; round++) {
        struct descent descent;
        struct search_space *space;
        double objectives[COUNT];
        size_t index, at;
        enum answer answer;
        create(&descent, &space);
        for (size_t i = 0; i < COUNT; i++)
            objectives[i] = generator_real(&generator);
        assert_int_equal(descent_begin_at(&descent, &descent.now, 24, &index), ASK_READY);
        tell(&descent, index, objectives[index]);
        at = index;
        while ((answer = descent_ask(&descent, &index)) == ASK_READY) {
            assert_int_equal(hamming(space, at, index), 1);
            tell(&descent, index, objectives[index]);
            at = objectives[index] < objectives[at] ? index : at;
        }
        assert_int_equal(answer, ASK_END);
        assert_int_equal(descent.now.index, at);
        for (size_t i = 0; i < COUNT; i++)
            assert_true(hamming(space, at, i) != 1 || objectives[i] > objectives[at]);
        destroy(&descent, space);
    }
}

/* While results are pending the descent waits; the next one may begin, and takes over with the starts it has. */
static void test_next_begins_meanwhile(void **state)
{
    (void)state;
    struct descent descent;
    struct search_space *space;
    size_t index, pending[2 * SIDE], count = 0, start;
    create(&descent, &space);
    assert_int_equal(descent_begin_at(&descent, &descent.now, 0, &index), ASK_READY);
    assert_int_equal(descent_ask(&descent, &index), ASK_WAIT);
    tell(&descent, 0, 5);
    while (descent_ask(&descent, &pending[count]) == ASK_READY)
        count++;
    assert_int_equal(count, 2 * (SIDE - 1));
    assert_int_equal(descent_ask(&descent, &index), ASK_WAIT);
    assert_int_equal(descent_begin(&descent, &descent.next, &start), ASK_READY);
    for (size_t i = 0; i < count; i++)
        tell(&descent, pending[i], i % 2 ? INFINITY : 6);
    assert_int_equal(descent_ask(&descent, &index), ASK_END);
    assert_true(descent.now.objective == 5);
    descent_advance(&descent);
    assert_int_equal(descent.now.asked, 1);
    assert_int_equal(descent_ask(&descent, &index), ASK_WAIT);
    tell(&descent, start, 1);
    assert_int_equal(descent.now.index, start);
    assert_int_equal(descent_ask(&descent, &index), ASK_READY);
    assert_int_equal(hamming(space, start, index), 1);
    destroy(&descent, space);
}

/* A result told unasked moves the descent if it is better; one that comes too late for its descent counts as unasked.
 */
static void test_unasked_results(void **state)
{
    (void)state;
    struct descent descent;
    struct search_space *space;
    size_t index;
    create(&descent, &space);
    assert_int_equal(descent_begin_at(&descent, &descent.now, 10, &index), ASK_READY);
    tell(&descent, 10, 5);
    tell(&descent, 30, 4);
    assert_int_equal(descent.now.index, 30);
    assert_int_equal(descent.now.open, 0);
    tell(&descent, 31, 4.5);
    assert_int_equal(descent.now.index, 30);
    destroy(&descent, space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_at_a_local_optimum),
        cmocka_unit_test(test_next_begins_meanwhile),
        cmocka_unit_test(test_unasked_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
