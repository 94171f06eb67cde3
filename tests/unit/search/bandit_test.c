/* SPDX-License-Identifier: Apache-2.0 */
/* Against the arms on their own, told of the same results. */
#include "tests/unit/search/landscape.h"

static const char *const arms[] = {"surrogate", "genetic", "ils", "evolution"};
enum { ARMS = sizeof arms / sizeof *arms };

struct arena {
    struct landscape landscape;
    struct session bandit, alone[ARMS];
};

static void create(struct arena *arena, const char *text, uint64_t seed)
{
    landscape_create(&arena->landscape, 20, 16, 8, 3, SIZE_MAX);
    arena->bandit = session_begin(text, arena->landscape.space, seed);
    for (size_t i = 0; i < ARMS; i++) /* each arm has a seed of its own */
        arena->alone[i] = session_begin(arms[i], arena->landscape.space, seed + i);
}

static void destroy(struct arena *arena)
{
    session_end(&arena->bandit);
    for (size_t i = 0; i < ARMS; i++)
        session_end(&arena->alone[i]);
    landscape_free(&arena->landscape);
}

/* One question to the bandit: it must be what this arm asks. All are told. */
static void assert_asks(struct arena *arena, size_t arm, double objective)
{
    size_t expected = session_ask(&arena->alone[arm]), index = session_ask(&arena->bandit);
    assert_int_equal(index, expected);
    session_tell(&arena->bandit, index, objective);
    for (size_t i = 0; i < ARMS; i++)
        session_tell(&arena->alone[i], index, objective);
}

/* First each arm once, in order; then by score. */
static void test_each_arm_first(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct arena arena;
        create(&arena, "bandit", seed);
        for (size_t i = 0; i < ARMS; i++)
            assert_asks(&arena, i, 1 + (double)i);
        destroy(&arena);
    }
}

/*
 * Without exploration, only successes count. The first result is a new best anyhow, arm 2's as well: scores 1, 0, 1,
 * 0, and the first arm of equal ones is asked. When it fails twice its area falls to 2 * 1 / (2 * 3), below arm 2's.
 */
static void test_follows_success(void **state)
{
    (void)state;
    static const double objectives[ARMS] = {5, 6, 4, 7};
    struct arena arena;
    create(&arena, "bandit:exploration=0", 3);
    for (size_t i = 0; i < ARMS; i++)
        assert_asks(&arena, i, objectives[i]);
    assert_asks(&arena, 0, 9); /* 1/3 now */
    assert_asks(&arena, 2, 3); /* 1 again: two of two */
    assert_asks(&arena, 2, 8); /* successes 1, 1, 0: 2 * (1 + 2) / (3 * 4) = 1/2, still the most */
    assert_asks(&arena, 2, 8); /* 2 * (1 + 2) / (4 * 5) = 0.3 */
    assert_asks(&arena, 0, 2); /* successes 1, 0, 1: 2 * (1 + 3) / 12 */
    assert_asks(&arena, 0, 1);
    destroy(&arena);
}

/* A window of 4 forgets: when arm 0's results have left it, the arms without results there come first again. */
static void test_window(void **state)
{
    (void)state;
    struct arena arena;
    create(&arena, "bandit:window=4,exploration=0", 4);
    for (size_t i = 0; i < ARMS; i++)
        assert_asks(&arena, i, 10 - (double)i); /* all of them successes */
    assert_asks(&arena, 0, 20);                 /* leaves the window: arm 0's first */
    assert_asks(&arena, 1, 20);                 /* scores 0, 1, 1, 1 */
    assert_asks(&arena, 2, 20);
    destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_arm_first),
        cmocka_unit_test(test_follows_success),
        cmocka_unit_test(test_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
