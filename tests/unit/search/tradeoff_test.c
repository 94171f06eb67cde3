/* SPDX-License-Identifier: Apache-2.0 */
/* Searches by several objectives: every strategy tries each configuration once, with many under way; by one objective
 * nothing changes; the front is found sooner than by chance, and both its ends are. */
#include "tests/unit/search/landscape.h"
#include "tuner/search/tradeoff.h"

enum { SIDE = 7, COUNT = SIDE * SIDE * SIDE * SIDE, UNDER_WAY = 6 };

static struct search_space *create_space(void)
{
    const size_t sides[] = {SIDE, SIDE, SIDE, SIDE};
    return grid_create(sides, 4);
}

/* Bowls whose bottoms are far apart in the first two parameters and the same in the others; the third objective
 * grows with the last parameter. One configuration in nine fails. */
static bool measure(const struct search_space *space, size_t index, double costs[FRONT_OBJECTIVES])
{
    uint16_t point[LANDSCAPE_DIMENSIONS];
    search_space_point(space, index, point);
    double a = point[0], b = point[1], c = point[2], d = point[3], shared = 2 * (c - 2) * (c - 2) + (d - 4) * (d - 4);
    costs[0] = 1e6 * (4 + a * a + b * b + shared);
    costs[1] = 1e-3 * (4 + (6 - a) * (6 - a) + (5 - b) * (5 - b) + shared);
    costs[2] = 1 + d;
    return (point[0] + 2 * point[1] + 4 * point[2]) % 9 != 4;
}

struct walk {
    struct search_space *space;
    struct tradeoff *tradeoff;
    size_t objectives, asked, told, open, under_way[UNDER_WAY];
    double costs[COUNT * FRONT_OBJECTIVES]; /* of the valid ones, one after the other */
    size_t valid;
    bool tried[COUNT];
    struct generator generator;
};

static void begin(struct walk *walk, const char *strategy, size_t objectives, uint64_t seed)
{
    const struct strategy_driver *driver = strategy_find(strategy);
    struct error error;
    *walk = (struct walk){.space = create_space(), .objectives = objectives, .generator.state = seed + 9};
    const struct strategy_setup setup = {.space = walk->space, .seed = seed};
    assert_non_null(driver);
    assert_success(tradeoff_create(driver, &setup, objectives, &walk->tradeoff, &error), &error);
}

static void end(struct walk *walk)
{
    tradeoff_free(walk->tradeoff);
    search_space_free(walk->space);
}

/* One of those under way ends; every eleventh as if it had never been measured. */
static void finish_one(struct walk *walk)
{
    size_t at = (size_t)generator_below(&walk->generator, walk->open), index = walk->under_way[at];
    double costs[FRONT_OBJECTIVES];
    struct observation observation = {.index = index, .valid = measure(walk->space, index, costs), .seconds = 1};
    walk->under_way[at] = walk->under_way[--walk->open];
    if (walk->told++ % 11 == 10) {
        assert_true(tradeoff_tell_nothing(walk->tradeoff, index));
        return;
    }
    for (size_t k = 0; observation.valid && k < walk->objectives; k++)
        walk->costs[walk->valid * walk->objectives + k] = costs[k];
    walk->valid += observation.valid;
    assert_true(tradeoff_tell(walk->tradeoff, &observation, observation.valid ? costs : NULL));
}

static void go_on(struct walk *walk, size_t evaluations, size_t under_way)
{
    enum answer answer = ASK_READY;
    while (walk->told < evaluations && (answer == ASK_READY || walk->open > 0)) {
        answer = ASK_READY;
        while (walk->open < under_way && answer == ASK_READY && walk->asked < evaluations) {
            size_t index = COUNT;
            answer = tradeoff_ask(walk->tradeoff, &index);
            assert_int_not_equal(answer, ASK_FAILED);
            if (answer != ASK_READY)
                break;
            assert_true(index < COUNT && !walk->tried[index]);
            walk->tried[index] = true;
            walk->asked++;
            walk->under_way[walk->open++] = index;
        }
        if (walk->open > 0)
            finish_one(walk);
    }
}

static void every_strategy_tries_each_once(void **state)
{
    (void)state;
    static struct walk walk;
    for (size_t i = 0; i < strategy_driver_count; i++) {
        enum { MOST = 90 };
        begin(&walk, strategy_drivers[i]->name, 2 + i % 2, i);
        go_on(&walk, MOST, UNDER_WAY);
        assert_int_equal(walk.told, MOST);
        end(&walk);
    }
}

/* What the valid results dominate of what the whole space does, in logarithms. */
static double share_of(const struct walk *walk)
{
    static size_t order[2 * COUNT];
    static double found[COUNT * FRONT_OBJECTIVES], all[COUNT * FRONT_OBJECTIVES];
    const double reference[] = {log(130e6), log(0.13), log(8)};
    size_t objectives = walk->objectives, valid = 0;
    for (size_t i = 0; i < walk->valid * objectives; i++)
        found[i] = log(walk->costs[i]);
    for (size_t index = 0; index < COUNT; index++) {
        double costs[FRONT_OBJECTIVES];
        if (!measure(walk->space, index, costs))
            continue;
        for (size_t k = 0; k < objectives; k++)
            all[valid * objectives + k] = log(costs[k]);
        valid++;
    }
    return front_hypervolume(found, walk->valid, objectives, reference, order) /
           front_hypervolume(all, valid, objectives, reference, order);
}

static double found_by(const char *strategy, size_t objectives, double *ends)
{
    enum { SEEDS = 5, EVALUATIONS = 60 };
    static struct walk walk;
    double sum = 0;
    *ends = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double least[FRONT_OBJECTIVES] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        begin(&walk, strategy, objectives, seed);
        go_on(&walk, EVALUATIONS, 1);
        sum += share_of(&walk) / SEEDS;
        for (size_t i = 0; i < walk.valid * objectives; i++)
            least[i % objectives] = fmin(least[i % objectives], walk.costs[i]);
        *ends += (log(least[0] / 1e6) + log(least[1] / 1e-3)) / SEEDS;
        end(&walk);
    }
    return sum;
}

static void a_front_is_found_sooner_than_by_chance(void **state)
{
    (void)state;
    for (size_t objectives = 2; objectives <= 3; objectives++) {
        double ends, ends_by_chance;
        double found = found_by("auto", objectives, &ends);
        double by_chance = found_by("random", objectives, &ends_by_chance);
        assert_true(found > by_chance + 0.03);
        assert_true(objectives > 2 || ends < ends_by_chance);
    }
}

static void by_one_objective_it_is_a_search(void **state)
{
    (void)state;
    static struct walk walk;
    struct search *search;
    struct error error;
    begin(&walk, "genetic", 1, 3);
    const struct strategy_setup setup = {.space = walk.space, .seed = 3};
    assert_success(search_create(strategy_find("genetic"), &setup, &search, &error), &error);
    for (size_t i = 0; i < 100; i++) {
        size_t index, same;
        double costs[FRONT_OBJECTIVES];
        assert_int_equal(tradeoff_ask(walk.tradeoff, &index), ASK_READY);
        assert_int_equal(search_ask(search, &same), ASK_READY);
        assert_int_equal(index, same);
        struct observation observation = {.index = index, .valid = measure(walk.space, index, costs)};
        observation.objective = observation.valid ? costs[0] : 0;
        assert_true(tradeoff_tell(walk.tradeoff, &observation, NULL) && search_tell(search, &observation));
    }
    search_free(search);
    end(&walk);
}

/* What was told before the first question is not asked for. */
static void told_unasked(void **state)
{
    (void)state;
    static struct walk walk;
    begin(&walk, "exhaustive", 2, 0);
    for (size_t index = 0; index < COUNT - 4; index++) {
        double costs[FRONT_OBJECTIVES];
        const struct observation observation = {.index = index, .valid = measure(walk.space, index, costs)};
        assert_true(tradeoff_tell(walk.tradeoff, &observation, costs));
        walk.tried[index] = true;
    }
    size_t index;
    go_on(&walk, 4, 2);
    assert_int_equal(walk.told, 4);
    assert_int_equal(tradeoff_ask(walk.tradeoff, &index), ASK_END);
    end(&walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy_tries_each_once),
        cmocka_unit_test(a_front_is_found_sooner_than_by_chance),
        cmocka_unit_test(by_one_objective_it_is_a_search),
        cmocka_unit_test(told_unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
