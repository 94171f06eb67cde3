/* SPDX-License-Identifier: Apache-2.0 */
/* Against a model of the walk that scans all configurations. */
#include "tests/unit/search/landscape.h"

enum { SIDE = 9, COUNT = SIDE * SIDE };
static const size_t sizes[] = {SIDE, SIDE};

/* The walk by its rules, one result at a time. */
struct walk {
    const double *objectives;
    bool unknown[COUNT];
    size_t center, best; /* COUNT: none; the best neighbour of this step */
    size_t told, sample;
};

static void step(struct walk *walk)
{
    walk->center = walk->best;
    walk->best = COUNT;
    walk->told = 0;
}

/* Before a question: where a step or a restart is due, it is taken. */
static void prepare(struct walk *walk, const struct search_space *space)
{
    while (walk->center != COUNT && count_neighbours(space, walk->center, walk->unknown) == 0)
        step(walk); /* to nowhere if no neighbour is left: restart */
}

static void result(struct walk *walk, size_t index)
{
    const double *objectives = walk->objectives;
    walk->unknown[index] = false;
    walk->told++;
    if (walk->best == COUNT || objectives[index] < objectives[walk->best])
        walk->best = index;
    if (walk->center == COUNT || objectives[walk->best] < objectives[walk->center] || walk->told >= walk->sample)
        step(walk);
}

/* To a better neighbour at once, to the best of the sample otherwise, never back. */
static void test_walk(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    for (uint64_t seed = 0; seed < 30; seed++) {
        double *objectives = rugged_objectives(COUNT, seed);
        char text[60];
        struct walk walk = {.objectives = objectives, .center = COUNT, .best = COUNT, .sample = 1 + seed % 5};
        memset(walk.unknown, true, sizeof walk.unknown);
        snprintf(text, sizeof text, "tabu:starts=1,sample=%zu,patience=10000", walk.sample);
        struct session session = session_begin(text, space, seed);
        for (int i = 0; i < COUNT; i++) {
            prepare(&walk, space);
            size_t index = session_ask(&session);
            assert_true(walk.unknown[index]);
            assert_true(walk.center == COUNT || hamming(space, walk.center, index) == 1);
            result(&walk, index);
            session_tell(&session, index, objectives[index]);
        }
        session_end(&session);
        free(objectives);
    }
    search_space_free(space);
}

/* With patience 2 and results that only get worse, the third and fourth step are where a new start is. Random starts
 * are neighbours with probability 29 / 4096. */
static void test_restarts(void **state)
{
    (void)state;
    static const size_t large[] = {8, 8, 8, 8};
    struct search_space *space = grid_create(large, 4);
    struct session session = session_begin("tabu:starts=1,sample=1,patience=2", space, 5);
    size_t at = COUNT;
    for (int i = 0; i < 30; i++) {
        size_t index = session_ask(&session);
        if (i % 3 == 0)
            assert_true(i == 0 || hamming(space, at, index) > 1);
        else
            assert_int_equal(hamming(space, at, index), 1);
        at = index;
        session_tell(&session, index, i);
    }
    session_end(&session);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
