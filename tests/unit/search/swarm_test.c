/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { PARTICLES = 5, SIDE = 40, SEEDS = 60 };
static const size_t sizes[] = {SIDE, SIDE};

/* Ask for the initial swarm; particle `best` has the best place. */
static struct session begin(const char *text, const struct search_space *space, uint64_t seed, size_t best,
                            size_t *particles)
{
    struct session session = session_begin(text, space, seed);
    for (size_t i = 0; i < PARTICLES; i++)
        particles[i] = session_ask(&session);
    for (size_t i = 0; i < PARTICLES; i++)
        session_tell(&session, particles[i], i == best ? 1 : 2 + (double)i);
    return session;
}

/* Without inertia or pull a particle stays, and steps aside as its place is known. */
static void test_rests(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t particles[PARTICLES], beside = 0;
        struct session session =
            begin("swarm:particles=5,inertia=0,own=0,common=0,turbulence=0", space, seed, 0, particles);
        size_t index = session_ask(&session);
        for (size_t i = 0; i < PARTICLES; i++)
            beside += hamming(space, particles[i], index) == 1;
        assert_true(beside > 0);
        session_end(&session);
    }
    search_space_free(space);
}

/* Whether a point is, in both dimensions, between a particle's place and `pull` times the way to the leader's. */
static bool is_pulled(const struct search_space *space, size_t particle, size_t leader, double pull, size_t index)
{
    uint16_t from[2], to[2], at[2];
    search_space_point(space, particle, from);
    search_space_point(space, leader, to);
    search_space_point(space, index, at);
    for (size_t d = 0; d < 2; d++) {
        double way = pull * ((double)to[d] - from[d]), moved = (double)at[d] - from[d];
        if (way * moved < 0 || fabs(moved) > fabs(way) + 0.5)
            return false;
    }
    return true;
}

/* With the common best's pull alone, particles move towards it, at most as far as the coefficient says. A tournament
 * of 100 lets the leader move, whose own place is the best: it steps aside. */
static void test_pulled_to_the_leader(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    size_t pulled = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t particles[PARTICLES], best = seed % PARTICLES, could = 0;
        struct session session = begin("swarm:particles=5,inertia=0,own=0,common=0.5,turbulence=0,tournament=1",
                                       space, seed, best, particles);
        size_t index = session_ask(&session);
        for (size_t i = 0; i < PARTICLES; i++)
            could += is_pulled(space, particles[i], particles[best], 0.5, index);
        pulled += could > 0 || hamming(space, particles[best], index) == 1;
        session_end(&session);
        session = begin("swarm:particles=5,inertia=0,own=0,common=0.5,turbulence=0,tournament=100", space, seed, best,
                        particles);
        assert_int_equal(hamming(space, particles[best], session_ask(&session)), 1);
        session_end(&session);
    }
    assert_int_equal(pulled, SEEDS);
    search_space_free(space);
}

/* A better place becomes the particle's own and, if none is better, the leader's: the next questions are around it
 * when all moves are those of the leader at rest. */
static void test_new_leader(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    size_t particles[PARTICLES];
    struct session session =
        begin("swarm:particles=5,inertia=0,own=4,common=4,turbulence=0,tournament=100", space, 3, 1, particles);
    size_t leader = session_ask(&session);
    session_tell(&session, leader, 0.5);
    session_tell(&session, 7 * SIDE + 7, 0.25); /* told unasked: the leader's */
    size_t index = session_ask(&session);
    uint16_t from[2], to[2], at[2];
    search_space_point(space, particles[1], from);
    search_space_point(space, 7 * SIDE + 7, to);
    search_space_point(space, index, at);
    for (size_t d = 0; d < 2; d++)
        assert_true((at[d] - from[d]) * (to[d] - from[d]) >= 0);
    assert_true(hamming(space, particles[1], index) == 2);
    session_end(&session);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rests),
        cmocka_unit_test(test_pulled_to_the_leader),
        cmocka_unit_test(test_new_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
