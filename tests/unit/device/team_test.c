/* SPDX-License-Identifier: Apache-2.0 */
/* Threads as the members of a team, without kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 6, CLUSTER = 2, ROUNDS = 200 };

static struct team *team;
static _Atomic int arrived[ROUNDS], behind;
static struct error errors[MEMBERS];
static bool outcomes[MEMBERS];

static void run_all(void *(*run)(void *))
{
    pthread_t threads[MEMBERS];
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void open_team(const struct block_watch *watch)
{
    struct error error;
    memset(errors, 0, sizeof errors);
    memset(outcomes, 0, sizeof outcomes);
    assert_true(team_create(MEMBERS, CLUSTER, watch, &team, &error));
}

/* Whoever passes the n-th barrier finds that all who must have arrived have. */
static void *pass_barriers(void *argument)
{
    size_t i = (size_t)(uintptr_t)argument;
    outcomes[i] = team_begin(team, i, false, NULL, NULL);
    for (int round = 0; outcomes[i] && round < ROUNDS; round++) {
        atomic_fetch_add(&arrived[round], 1);
        bool grid = round % 3 == 0;
        outcomes[i] = team_wait(team, i, grid ? TUNE_GRID : TUNE_CLUSTER, round, &errors[i]);
        if (grid && atomic_load(&arrived[round]) != MEMBERS)
            atomic_fetch_add(&behind, 1);
    }
    team_end(team, i);
    return NULL;
}

static void barriers_of_the_grid_wait_for_all(void **state)
{
    (void)state;
    open_team(NULL);
    run_all(pass_barriers);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_true(outcomes[i]);
    assert_int_equal(atomic_load(&behind), 0);
    team_destroy(team);
}

/* The second block of each cluster ends at once: its peer does not wait for it, but the grid does. */
static void *end_early(void *argument)
{
    size_t i = (size_t)(uintptr_t)argument;
    struct error ignored;
    if (!team_begin(team, i, false, NULL, NULL))
        return NULL;
    if (i % CLUSTER == 0 && team_wait(team, i, TUNE_CLUSTER, 7, &ignored))
        outcomes[i] = !team_wait(team, i, TUNE_GRID, 8, &errors[i]);
    team_end(team, i);
    return NULL;
}

static void a_block_that_ended_is_missed_by_the_grid_alone(void **state)
{
    (void)state;
    open_team(NULL);
    run_all(end_early);
    for (size_t i = 0; i < MEMBERS; i += CLUSTER) {
        assert_true(outcomes[i]);
        assert_int_equal(errors[i].code, ERROR_FAULT);
        assert_string_equal(errors[i].text,
                            "divergent barrier: 3 of 6 blocks wait for the grid (line 8), 0 for their "
                            "cluster (line 0), and 3 have ended");
    }
    team_destroy(team);
}

static void *fail_one(void *argument)
{
    size_t i = (size_t)(uintptr_t)argument;
    if (!team_begin(team, i, false, NULL, NULL)) { /* the team has failed before it woke */
        outcomes[i] = true;
        return NULL;
    }
    if (i == 4)
        team_fail(team);
    else
        outcomes[i] = !team_wait(team, i, TUNE_GRID, 1, &errors[i]);
    outcomes[i] = outcomes[i] && !team_begin(team, i, false, NULL, NULL); /* nor does another team begin */
    return NULL;
}

static void a_fault_frees_all_who_wait(void **state)
{
    (void)state;
    open_team(NULL);
    run_all(fail_one);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(outcomes[i], i != 4);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_true(errors[i].text[0] == '\0' || strcmp(errors[i].text, "another block failed") == 0);
    team_destroy(team);
}

/* ---- watched ---- */

static char seen[256];

static void note(char c)
{
    size_t length = strlen(seen);
    assert_true(length + 1 < sizeof seen);
    seen[length] = c;
}

static void see_team(void *context, const struct watched_block *blocks, size_t count, size_t cluster)
{
    (void)context;
    assert_non_null(blocks);
    assert_int_equal(count * 10 + cluster, MEMBERS * 10 + CLUSTER);
    note('t');
}

static void see_turn(void *context, size_t i)
{
    (void)context;
    note((char)('0' + i));
}

static void see_barrier(void *context, enum tune_scope scope)
{
    (void)context;
    note(scope == TUNE_GRID ? 'g' : 'c');
}

static void *take_turns(void *argument)
{
    size_t i = (size_t)(uintptr_t)argument;
    outcomes[i] = team_begin(team, i, false, NULL, NULL) && team_wait(team, i, TUNE_CLUSTER, 1, &errors[i]) &&
                  team_wait(team, i, TUNE_GRID, 2, &errors[i]);
    team_end(team, i);
    outcomes[i] = outcomes[i] && !team_begin(team, i, i == 3, NULL, NULL); /* one of them stops all */
    return NULL;
}

static void watched_members_take_turns(void **state)
{
    (void)state;
    const struct block_watch watch = {.team = see_team, .turn = see_turn, .wide_barrier = see_barrier};
    for (int round = 0; round < 20; round++) {
        memset(seen, 0, sizeof seen);
        open_team(&watch);
        run_all(take_turns);
        for (size_t i = 0; i < MEMBERS; i++)
            assert_true(outcomes[i]);
        assert_string_equal(seen, "t01c23c45c01234"
                                  "5g012345");
        team_destroy(team);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_of_the_grid_wait_for_all),
        cmocka_unit_test(a_block_that_ended_is_missed_by_the_grid_alone),
        cmocka_unit_test(a_fault_frees_all_who_wait),
        cmocka_unit_test(watched_members_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
