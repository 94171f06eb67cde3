/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a sweep over sizes, and what each size begins with, where costs are a formula and nothing runs. */
#include "tests/unit/fixture.h"
#include "tuner/engine/set_finals.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/set_stages.h"

#include <math.h>
#include <stdlib.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 64\nparameter A\nparameter B\nsource \"k.cu\"\nbuffer y : float[n] out\n"                  \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"
#define SPACE "space s of t\nparam A = pow2(1, 512)\nparam B = [0, 1, 2, 3]\nwhere A <= n\ndefault A = 1, B = 3\n"

enum { SIZES = 9, OPEN_MOST = 3 /* visits under way */ };

struct world {
    struct fixture f;
    struct size_set set;
    struct problem *problems[SIZES];
    struct cost_table table;
    struct set_task task;
    size_t visits[4], evaluations, stop_after;
    bool began_with_default;
    bool is_open[SIZES];     /* visits under way: */
    struct cost_table later; /* their results */
    size_t open, open_most;
    double close; /* octaves that a step of B costs; 0: a third */
};

/* The best A is an eighth of n; B = 3 is twice as bad as B = 0. */
static double cost_of(const struct world *world, const char *configuration, int64_t n)
{
    int a, b;
    assert_int_equal(sscanf(configuration, "{\"A\":%d,\"B\":%d}", &a, &b), 2);
    return (double)n * exp2(fabs(log2(8.0 * a / (double)n)) / 2) *
           exp2(b * (world->close > 0 ? world->close : 1 / 3.0));
}

static bool is_predicted(const struct set_opening *opening, size_t index)
{
    for (size_t i = 0; i < opening->prediction_count; i++) {
        if (opening->predictions[i].index == index)
            return true;
    }
    return false;
}

/* Of visits under way, results come later. */
static void put(struct world *world, const struct set_visit *visit, size_t index, uint64_t *left)
{
    struct cost_table *table = world->task.settle ? &world->later : &world->table;
    char *text = problem_configuration_text(world->problems[visit->size], index);
    size_t before = table->known[visit->size];
    double cost = cost_of(world, text, world->set.values[visit->size].value);
    assert_true(cost_table_put(table, text, visit->size, cost, NULL));
    if (table->known[visit->size] > before) {
        world->evaluations++;
        --*left;
    }
    free(text);
}

static bool is_under_way(void *context, size_t size)
{
    const struct world *world = context;
    return world->is_open[size];
}

static void end_visit(struct world *world, size_t size)
{
    const struct cost_table *later = &world->later;
    for (size_t c = 0; c < later->count; c++) {
        if (cost_table_knows(later, c, size))
            assert_true(
                cost_table_put(&world->table, later->configurations[c], size, later->costs[c * SIZES + size], NULL));
    }
    world->is_open[size] = false;
    world->open--;
}

static bool settle(void *context, size_t size, struct error *error)
{
    struct world *world = context;
    (void)error;
    for (size_t s = 0; s < SIZES; s++) {
        if (world->is_open[s] && (size == SET_ALL || s == size))
            end_visit(world, s);
    }
    return true;
}

/* The oldest ends when there are too many: any will do. */
static void begin_visit(struct world *world, size_t size)
{
    size_t any = 0;
    assert_false(world->is_open[size]);
    assert_true(world->open == 0 || world->table.count > 0); /* the first is over before the second */
    while (world->open == OPEN_MOST && !world->is_open[any])
        any++;
    if (world->open == OPEN_MOST)
        end_visit(world, any);
    world->is_open[size] = true;
    world->open++;
    world->open_most = world->open > world->open_most ? world->open : world->open_most;
}

/* Where an evaluation takes a second. */
static uint64_t evaluations_in_time(const struct set_visit *visit, const struct problem *problem)
{
    double least = fmin((double)visit->least, visit->seconds + visit->overtime);
    double most = fmin(ceil(fmax(visit->seconds, least)), (double)problem_configuration_count(problem));
    if (visit->stage == SET_MISSING)
        return visit->evaluations;
    assert_int_equal(visit->evaluations, 0);
    return (uint64_t)fmax(most, 1);
}

/* What the opening says, then whatever it does not predict, in order. */
static bool visit(void *context, const struct set_visit *visit, struct error *error)
{
    struct world *world = context;
    const struct problem *problem = world->problems[visit->size];
    uint64_t left = visit->evaluations;
    size_t number;
    bool named;
    (void)error;
    assert_in_range(visit->number, 1, visit->count);
    if (visit->stage == SET_FINALS) {
        assert_int_equal(left, 0);
        assert_int_equal(world->open, 0);
        assert_in_range(visit->opening->first_count, 2, 6);
        world->visits[SET_FINALS]++;
        return true;
    }
    if (world->task.seconds > 0)
        left = evaluations_in_time(visit, problem);
    assert_in_range(left, 1, problem_configuration_count(problem));
    assert_true(problem_default(problem, &number, &named) && named);
    if (world->task.settle)
        begin_visit(world, visit->size);
    world->visits[visit->stage]++;
    if (visit->stage != SET_MISSING && visit->opening->first_count > 0)
        world->began_with_default = world->began_with_default && visit->opening->first[0] == number;
    for (size_t i = 0; i < visit->opening->first_count && left > 0; i++)
        put(world, visit, visit->opening->first[i], &left);
    for (size_t i = 0; visit->stage != SET_MISSING && i < problem_configuration_count(problem) && left > 0; i++) {
        if (!is_predicted(visit->opening, i))
            put(world, visit, i, &left);
    }
    return true;
}

static double no_seconds(void *context)
{
    (void)context;
    return 0;
}

static double a_second_each(void *context)
{
    const struct world *world = context;
    return (double)world->evaluations;
}

static bool must_stop(void *context)
{
    const struct world *world = context;
    if (world->task.seconds > 0 && (double)world->evaluations >= world->task.seconds)
        return true;
    return world->stop_after > 0 && world->visits[0] + world->visits[1] + world->visits[2] >= world->stop_after;
}

static bool is_interrupted(void *context)
{
    const struct world *world = context;
    return world->visits[SET_FINALS] >= 3;
}

static void open_world(struct world *world, uint64_t evaluations)
{
    static const char sizes[] = "n=8\nn=16\nn=32\nn=64\nn=128\nn=256\nn=512\nn=1024\nn=2048\n";
    *world = (struct world){.began_with_default = true};
    fixture_parse(&world->f, TEMPLATE, SPACE);
    assert_success(size_set_parse("sizes", sizes, strlen(sizes), world->f.template, &world->f.device, &world->set,
                                  &world->f.error),
                   &world->f.error);
    assert_int_equal(world->set.count, SIZES);
    for (size_t i = 0; i < SIZES; i++)
        assert_success(problem_create(world->f.template, world->f.space, &world->f.device, &world->set.values[i], 1,
                                      &world->problems[i], &world->f.error),
                       &world->f.error);
    assert_true(cost_table_create(&world->table, (const char *const *)world->set.texts, SIZES, &world->f.error));
    assert_true(cost_table_create(&world->later, (const char *const *)world->set.texts, SIZES, &world->f.error));
    world->task = (struct set_task){.problems = world->problems,
                                    .set = &world->set,
                                    .configurations = 4,
                                    .evaluations = evaluations,
                                    .table = &world->table,
                                    .visit = visit,
                                    .seconds_spent = no_seconds,
                                    .must_stop = must_stop,
                                    .is_interrupted = is_interrupted,
                                    .context = world};
}

static void close_world(struct world *world)
{
    for (size_t i = 0; i < SIZES; i++)
        problem_free(world->problems[i]);
    cost_table_clear(&world->table);
    cost_table_clear(&world->later);
    size_set_clear(&world->set);
    fixture_free(&world->f);
}

static void run(struct world *world)
{
    assert_success(set_stages_run(&world->task, &world->f.error), &world->f.error);
}

/* 240 configurations in all. */
static void the_budget_is_shared_and_kept(void **state)
{
    (void)state;
    for (uint64_t budget = 1; budget < 300; budget += 37) {
        struct world world;
        open_world(&world, budget);
        run(&world);
        assert_in_range(world.evaluations, 1, budget);
        assert_true(world.began_with_default);
        if (budget > 100) {
            assert_true(world.visits[SET_ANCHORS] > 5); /* there are five, visited more than once */
            assert_int_equal(world.visits[SET_OTHERS], SIZES - 5);
            for (size_t s = 0; s < SIZES; s++)
                assert_true(world.table.known[s] > 0);
        }
        close_world(&world);
    }
}

/* Results come later, and the budget is kept all the same; no size is visited twice at a time, and what is chosen
 * from is everything. */
static void visits_may_be_under_way_side_by_side(void **state)
{
    (void)state;
    for (uint64_t budget = 1; budget < 300; budget += 37) {
        struct world world;
        open_world(&world, budget);
        world.task.is_under_way = is_under_way;
        world.task.settle = settle;
        world.task.finals = true;
        world.close = 0.05;
        run(&world);
        assert_int_equal(world.open, 0);
        assert_in_range(world.evaluations, 1, budget);
        assert_true(world.began_with_default);
        if (budget > 100) {
            assert_int_equal(world.open_most, OPEN_MOST);
            assert_int_equal(world.visits[SET_OTHERS], SIZES - 5);
            assert_true(world.visits[SET_FINALS] > 0);
            for (size_t s = 0; s < SIZES; s++)
                assert_int_equal(world.table.known[s], world.later.known[s]);
        }
        close_world(&world);
    }
}

static void what_was_known_counts_as_spent(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, 90);
    run(&world);
    size_t first = world.evaluations;
    world.evaluations = 0;
    run(&world);
    assert_in_range(first + world.evaluations, first, 90);
    assert_true(world.evaluations < first / 4);
    close_world(&world);
}

static void it_stops_when_it_must(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, 90);
    world.stop_after = 2;
    run(&world);
    assert_int_equal(world.visits[SET_ANCHORS], 2);
    assert_int_equal(world.visits[SET_OTHERS] + world.visits[SET_MISSING], 0);
    close_world(&world);
}

/* A ninth of 30 s is less than four evaluations take: then fewer sizes are visited, but each for a few. */
static void short_times_leave_sizes_out(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, 0);
    world.task.seconds = 30;
    world.task.seconds_spent = a_second_each;
    run(&world);
    assert_in_range(world.evaluations, 25, 33); /* the last of what is missing may be several */
    assert_in_range(world.visits[SET_ANCHORS], 3, 5);
    assert_in_range(world.visits[SET_OTHERS], 1, SIZES - 5);
    for (size_t s = 0; s < SIZES; s++)
        assert_true(world.table.known[s] == 0 || world.table.known[s] >= SET_VISIT_LEAST - 1);
    close_world(&world);
}

/* A step of B costs 3.5 %: the second best is near the best. */
static void finals_come_last_until_interrupted(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, 120);
    world.task.finals = true;
    world.close = 0.05;
    run(&world);
    assert_int_equal(world.visits[SET_FINALS], 3);
    close_world(&world);
}

static void the_field_is_what_is_near_and_the_default(void **state)
{
    (void)state;
    struct world world;
    size_t field[FINALISTS_MOST], count, index, chosen[] = {3, 4};
    static const struct {
        const char *text;
        double cost;
        bool is_in;
    } known[] = {
        {"{\"A\":16,\"B\":0}", 100, true},      {"{\"A\":8,\"B\":0}", 104, true},
        {"{\"A\":32,\"B\":0}", 110, false},     {"{\"A\":4,\"B\":0}", 104.5, true},            /* chosen */
        {"{\"A\":64,\"B\":0}", 106, false},     /* chosen */ {"{\"A\":1,\"B\":3}", 120, true}, /* the default */
        {"{\"A\":2,\"B\":0}", HUGE_VAL, false},
    };
    enum { KNOWN = sizeof known / sizeof *known };
    open_world(&world, 90);
    for (size_t i = 0; i < KNOWN; i++)
        assert_true(cost_table_put(&world.table, known[i].text, 4, known[i].cost, NULL));
    assert_true(set_finals_field(&world.table, 4, world.problems[4], chosen, 2, field, &count, NULL));
    assert_int_equal(count, 4);
    for (size_t i = 0; i < KNOWN; i++) {
        size_t place = 0;
        assert_true(problem_configuration_find(world.problems[4], known[i].text, &index));
        while (place < count && field[place] != index)
            place++;
        assert_true((place < count) == known[i].is_in);
    }
    assert_true(cost_table_put(&world.table, known[0].text, 4, 60, NULL)); /* nothing comes near */
    assert_true(set_finals_field(&world.table, 4, world.problems[4], chosen, 2, field, &count, NULL));
    assert_int_equal(count, 0);
    close_world(&world);
}

static void an_opening_has_what_is_good_near_and_predicts_what_is_bad(void **state)
{
    (void)state;
    struct world world;
    struct set_opening opening;
    struct set_model *model;
    size_t good, bad;
    open_world(&world, 90);
    assert_success(set_model_create(world.problems, &world.table, 1, &model, &world.f.error), &world.f.error);
    assert_success(set_opening_make(&world.table, model, 4, world.problems[4], 10, &opening, &world.f.error),
                   &world.f.error);
    assert_int_equal(opening.first_count + opening.prediction_count, 0);
    for (size_t s = 3; s < 6; s++) { /* of this size nothing is known */
        static const double costs[] = {1, 3, 2};
        static const char *const texts[] = {"{\"A\":16,\"B\":0}", "{\"A\":8,\"B\":2}", "{\"A\":4,\"B\":2}"};
        for (size_t i = 0; i < 3 && s != 4; i++)
            assert_true(cost_table_put(&world.table, texts[i], s, i == 2 && s == 3 ? 1.2 : costs[i], NULL));
    }
    assert_success(set_opening_make(&world.table, model, 4, world.problems[4], 10, &opening, &world.f.error),
                   &world.f.error);
    assert_true(problem_configuration_find(world.problems[4], "{\"A\":16,\"B\":0}", &good));
    assert_true(problem_configuration_find(world.problems[4], "{\"A\":8,\"B\":2}", &bad));
    assert_int_equal(opening.first_count, 2); /* behind the default */
    assert_int_equal(opening.first[1], good);
    assert_int_equal(opening.prediction_count, 3);
    assert_int_equal(opening.predictions[1].index, good);
    assert_int_equal(opening.predictions[2].index, bad); /* not what was bad at one of two */
    assert_true(opening.predictions[2].ratio > 1.5);
    set_model_free(model);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_is_shared_and_kept),
        cmocka_unit_test(visits_may_be_under_way_side_by_side),
        cmocka_unit_test(what_was_known_counts_as_spent),
        cmocka_unit_test(it_stops_when_it_must),
        cmocka_unit_test(short_times_leave_sizes_out),
        cmocka_unit_test(finals_come_last_until_interrupted),
        cmocka_unit_test(the_field_is_what_is_near_and_the_default),
        cmocka_unit_test(an_opening_has_what_is_good_near_and_predicts_what_is_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
