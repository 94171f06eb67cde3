/* SPDX-License-Identifier: Apache-2.0 */
/* The memory between a strategy and its caller: repeats, results told unasked, the random fallback. */
#include "tests/unit/search/landscape.h"

enum { COUNT = 40 };

/* A strategy that asks for what its script says and records what it is told. */
struct script {
    const size_t *questions;
    size_t length;
    enum answer end; /* its answer after the last question */
    size_t next, told;
    size_t heard[500];
    double objectives[500];
};
static struct script *running; /* for the next strategy created */

static bool script_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    (void)setup, (void)error;
    *state = running;
    return true;
}

static enum answer script_ask(void *state, size_t *index)
{
    struct script *script = state;
    if (script->next == script->length)
        return script->end;
    *index = script->questions[script->next++];
    return ASK_READY;
}

static void script_tell(void *state, const struct observation *observation)
{
    struct script *script = state;
    assert_true(script->told < 500);
    script->heard[script->told] = observation->index;
    script->objectives[script->told++] = observation->objective;
}

static void script_destroy(void *state)
{
    (void)state;
}

static const struct strategy_driver scripted = {
    .name = "scripted",
    .meaning = "a script",
    .create = script_create,
    .ask = script_ask,
    .tell = script_tell,
    .destroy = script_destroy,
};

static struct search *begin(struct landscape *landscape, struct script *script)
{
    struct search *search;
    struct error error;
    landscape_create(landscape, 10, 2, 2, 1, COUNT);
    assert_true(landscape->count > 20);
    running = script;
    const struct strategy_setup setup = {.space = landscape->space, .seed = 1};
    assert_success(search_create(&scripted, &setup, &search, &error), &error);
    return search;
}

static void end(struct landscape *landscape, struct search *search)
{
    search_free(search);
    landscape_free(landscape);
}

static void tell(struct search *search, size_t index, bool valid, double objective)
{
    const struct observation observation = {.index = index, .valid = valid, .objective = objective, .seconds = 1};
    assert_true(search_tell(search, &observation));
}

/* What could not be evaluated is answered with the median of the valid results, and is never best. */
static void test_nothing_told(void **state)
{
    (void)state;
    static const size_t questions[] = {3, 5, 7, 9, 11};
    struct script script = {.questions = questions, .length = 5, .end = ASK_END};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    size_t index;
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_true(search_tell_nothing(search, 3)); /* no valid result yet: told as a failure */
    assert_true(script.objectives[0] == 0);
    tell(search, 5, true, 30);
    tell(search, 7, true, 10);
    tell(search, 9, true, 20);
    assert_true(search_tell_nothing(search, 11));
    assert_int_equal(script.told, 5);
    assert_int_equal(script.heard[4], 11);
    assert_true(script.objectives[4] == 20);
    struct observation best;
    assert_true(search_best(search, &best));
    assert_int_equal(best.index, 7);
    assert_int_equal(search_told(search), 5);
    end(&landscape, search);
}

/* What is only remembered answers questions; the strategy is told nothing before it asks. */
static void test_remembered(void **state)
{
    (void)state;
    static const size_t questions[] = {3, 5, 7};
    struct script script = {.questions = questions, .length = 3, .end = ASK_END};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    const struct observation known = {.index = 3, .valid = true, .objective = 30, .seconds = 1};
    const struct observation asked = {.index = 5, .valid = true, .objective = 20, .seconds = 1};
    size_t index;
    assert_true(search_remember(search, &known));
    assert_int_equal(script.told, 0);
    assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_int_equal(index, 5);
    assert_int_equal(script.told, 1);
    assert_int_equal(script.heard[0], 3);
    assert_true(search_remember(search, &asked));
    assert_int_equal(script.told, 2);
    assert_int_equal(script.heard[1], 5);
    end(&landscape, search);
}

/* Even where it would be the best of all. */
static void test_nothing_is_never_best(void **state)
{
    (void)state;
    static const size_t questions[] = {3, 5};
    struct script script = {.questions = questions, .length = 2, .end = ASK_END};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    struct observation best;
    size_t index;
    assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_true(search_tell_nothing(search, 3));
    assert_false(search_best(search, &best));
    end(&landscape, search);
}

static void assert_asks(struct search *search, size_t expected)
{
    size_t index;
    assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_int_equal(index, expected);
}

/* A known result is told again at once, without an evaluation. */
static void test_repeats_from_memory(void **state)
{
    (void)state;
    static const size_t questions[] = {4, 4, 4, 7, 4, 9};
    struct script script = {.questions = questions, .length = 6, .end = ASK_WAIT};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    assert_asks(search, 4);
    tell(search, 4, true, 2.5);
    assert_int_equal(script.told, 1);
    assert_asks(search, 7);
    assert_int_equal(script.told, 3);
    tell(search, 7, false, 0);
    assert_asks(search, 9);
    static const size_t heard[] = {4, 4, 4, 7, 4};
    assert_int_equal(script.told, 5);
    assert_memory_equal(script.heard, heard, sizeof heard);
    assert_true(script.objectives[4] == 2.5);
    end(&landscape, search);
}

/* One answer per question, also for evaluations under way. */
static void test_repeats_under_way(void **state)
{
    (void)state;
    static const size_t questions[] = {4, 4, 5, 4};
    struct script script = {.questions = questions, .length = 4, .end = ASK_WAIT};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    size_t index;
    assert_asks(search, 4);
    assert_asks(search, 5);
    assert_int_equal(search_ask(search, &index), ASK_WAIT);
    assert_int_equal(script.told, 0);
    tell(search, 4, true, 1);
    assert_int_equal(script.told, 3);
    end(&landscape, search);
}

/* The strategy learns of a result told unasked at once, and again when it asks for the configuration. */
static void test_told_unasked(void **state)
{
    (void)state;
    static const size_t questions[] = {3, 6};
    struct script script = {.questions = questions, .length = 2, .end = ASK_END};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    struct observation best;
    assert_false(search_best(search, &best));
    tell(search, 3, true, 8);
    assert_int_equal(script.told, 1);
    assert_true(search_best(search, &best));
    assert_int_equal(best.index, 3);
    assert_asks(search, 6);
    assert_int_equal(script.told, 2);
    assert_int_equal(script.heard[0], 3);
    tell(search, 6, false, 0);
    assert_int_equal(search_told(search), 2);
    assert_true(search_best(search, &best));
    assert_int_equal(best.index, 3);
    end(&landscape, search);
}

/* However many results are told unasked, the exhaustive order resumes where it stopped. */
static void test_order_goes_on(void **state)
{
    (void)state;
    enum { TOLD = 2500 };
    struct landscape landscape;
    landscape_create(&landscape, 24, 20, 12, 3, SIZE_MAX);
    struct error error;
    struct search *first, *second;
    size_t index;
    const struct strategy_setup setup = {.space = landscape.space, .seed = 1};
    assert_success(search_create(strategy_find("exhaustive"), &setup, &first, &error), &error);
    assert_success(search_create(strategy_find("exhaustive"), &setup, &second, &error), &error);
    for (int i = 0; i < TOLD; i++) {
        assert_int_equal(search_ask(first, &index), ASK_READY);
        tell(second, index, true, 1);
    }
    assert_int_equal(search_ask(first, &index), ASK_READY);
    assert_asks(second, index);
    search_free(second);
    end(&landscape, first);
}

/* Objectives that are not finite count as failures. */
static void test_objectives_that_are_no_numbers(void **state)
{
    (void)state;
    static const size_t questions[] = {1};
    struct script script = {.questions = questions, .length = 1, .end = ASK_END};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    struct observation best;
    tell(search, 1, true, NAN);
    tell(search, 2, true, -INFINITY);
    assert_false(search_best(search, &best));
    assert_int_equal(script.told, 2);
    assert_true(script.objectives[0] == 0 && script.objectives[1] == 0);
    tell(search, 3, true, 5);
    assert_true(search_best(search, &best));
    end(&landscape, search);
}

/* When the strategy ends, repeats itself endlessly or waits while nothing is under way, the remaining configurations
 * come in random order, each once, and their results are told to it. */
static void run_rest(size_t length, enum answer ending)
{
    size_t *questions = calloc(length + 1, sizeof *questions), index, asked = 1;
    bool seen[COUNT] = {false};
    assert_non_null(questions);
    struct script script = {.questions = questions, .length = length, .end = ending};
    struct landscape landscape;
    struct search *search = begin(&landscape, &script);
    assert_asks(search, 0);
    seen[0] = true;
    tell(search, 0, true, 1);
    size_t told = script.told;
    for (; search_ask(search, &index) == ASK_READY; asked++) {
        assert_false(seen[index]);
        seen[index] = true;
        script.told = 0;
        tell(search, index, true, 1);
        assert_true(script.told >= 1 && script.heard[script.told - 1] == index);
        script.told = 0;
        if (script.next > 100)
            script.next = 1; /* make the script endless */
    }
    assert_int_equal(told, 1);
    assert_int_equal(asked, landscape.count);
    end(&landscape, search);
    free(questions);
}

static void test_random_rest(void **state)
{
    (void)state;
    run_rest(1, ASK_END);
    run_rest(1, ASK_WAIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats_from_memory), cmocka_unit_test(test_repeats_under_way),
        cmocka_unit_test(test_told_unasked),        cmocka_unit_test(test_nothing_told),
        cmocka_unit_test(test_remembered),          cmocka_unit_test(test_nothing_is_never_best),
        cmocka_unit_test(test_order_goes_on),       cmocka_unit_test(test_objectives_that_are_no_numbers),
        cmocka_unit_test(test_random_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
