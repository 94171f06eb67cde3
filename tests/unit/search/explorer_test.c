/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/explorer.h"

static void create(struct explorer *explorer, struct search_space **space, size_t size)
{
    *space = grid_create(&size, 1);
    const struct strategy_setup setup = {.space = *space, .seed = 2};
    assert_true(explorer_create(explorer, &setup, DESIGN_LATIN, 4));
}

static void destroy(struct explorer *explorer, struct search_space *space)
{
    explorer_clear(explorer);
    search_space_free(space);
}

/* Every configuration is begun at once, though the design repeats some; then there are no more. */
static void test_begins_at_each_once(void **state)
{
    (void)state;
    enum { SIZE = 200 };
    struct explorer explorer;
    struct search_space *space;
    bool seen[SIZE] = {false};
    size_t index;
    create(&explorer, &space, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        assert_int_equal(explorer_begin(&explorer, (ptrdiff_t)i, &index), ASK_READY);
        assert_false(seen[index]);
        seen[index] = true;
        assert_true(explorer_knows(&explorer, index));
    }
    assert_int_equal(explorer_begin(&explorer, 0, &index), ASK_END);
    destroy(&explorer, space);
}

static void test_tell(void **state)
{
    (void)state;
    struct explorer explorer;
    struct search_space *space;
    size_t index;
    create(&explorer, &space, 10);
    assert_int_equal(explorer_ask(&explorer, 7, 42, &index), ASK_READY);
    assert_int_equal(index, 7);
    assert_false(explorer_knows(&explorer, 3));
    const struct observation asked = {.index = 7, .valid = true, .objective = 2.5};
    const struct observation unasked = {.index = 3, .valid = false, .objective = 9};
    const struct trial *trial = explorer_tell(&explorer, &asked);
    assert_non_null(trial);
    assert_int_equal(trial->index, 7);
    assert_int_equal(trial->origin, 42);
    assert_true(trial->told && trial->objective == 2.5);
    assert_null(explorer_tell(&explorer, &asked)); /* nothing new */
    trial = explorer_tell(&explorer, &unasked);
    assert_non_null(trial);
    assert_int_equal(trial->origin, NO_ORIGIN);
    assert_true(isinf(trial->objective)); /* a failure, whatever it says */
    assert_true(explorer_knows(&explorer, 3));
    destroy(&explorer, space);
}

/* A result that was lost for want of memory must not pass unnoticed. */
static void test_out_of_memory(void **state)
{
    (void)state;
    struct explorer explorer;
    struct search_space *space;
    size_t index;
    create(&explorer, &space, 10);
    explorer.out_of_memory = true;
    assert_int_equal(explorer_begin(&explorer, 0, &index), ASK_FAILED);
    assert_int_equal(explorer_ask(&explorer, 1, 0, &index), ASK_FAILED);
    assert_int_equal(explorer.trial_count, 0);
    destroy(&explorer, space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins_at_each_once),
        cmocka_unit_test(test_tell),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
