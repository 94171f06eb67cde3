/* SPDX-License-Identifier: Apache-2.0 */
/* Handles and answers as programs see them. */
#include "house.h"

static struct tune *open_house(struct house *h)
{
    struct tune *tune;
    house_success(h, tune_open(NULL, &tune, &h->why));
    return tune;
}

static void expect(struct house *h, struct tune *tune, int64_t n, enum tune_rule rule, const char *configuration,
                   bool validated)
{
    struct tune_answer *answer = house_best(h, tune, n);
    struct tune_answer_info info = house_describe(answer);
    assert_int_equal(info.rule, rule);
    assert_string_equal(info.configuration, configuration);
    assert_int_equal(info.validated, validated);
    tune_answer_free(answer);
}

static void without_results_the_default_answers_and_nothing_is_created(void **state)
{
    struct house *h = *state;
    struct tune *tune = open_house(h);
    struct tune_answer *answer = house_best(h, tune, 100);
    struct tune_answer_info info = house_describe(answer);
    assert_int_equal(info.rule, TUNE_RULE_NONE);
    assert_string_equal(info.kernel, "t");
    assert_string_equal(info.size, "n=100");
    assert_string_equal(info.device, h100.name);
    assert_string_equal(info.configuration, HOUSE_CONFIGURATION(16));
    assert_string_equal(info.defines,
                        "#define n 100\n#define A 16\n#define B 0.5\n#define C fast\n#define C_fast 1\n");
    assert_mentions(info.origin, "default of space usual");
    assert_true(info.time_ns == 0 && info.octaves == 0 && !info.validated);
    tune_answer_free(answer);
    expect(h, tune, 15, TUNE_RULE_NONE, HOUSE_CONFIGURATION(4), false);        /* the first that is valid */
    expect(h, tune, 3, TUNE_RULE_NONE, "{\"A\":1,\"B\":2,\"C\":true}", false); /* of the other space */
    house_success(h, tune_trouble(tune, &h->why));
    tune_close(tune);
    assert_int_equal(access(h->database, F_OK), -1);
}

static void stored_results_answer_by_the_rules_of_selection(void **state)
{
    struct house *h = *state;
    house_store(h, "n=64", HOUSE_CONFIGURATION(8), 2e6);
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    house_store(h, "n=1024", HOUSE_CONFIGURATION(8), 7e6);
    struct tune *tune = open_house(h);
    expect(h, tune, 64, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(4), true);
    expect(h, tune, 1000, TUNE_RULE_SIZE, HOUSE_CONFIGURATION(8), true);
    expect(h, tune, 5, TUNE_RULE_SIZE, HOUSE_CONFIGURATION(4), true); /* the nearest that is valid */
    struct tune_answer *answer = house_best(h, tune, 128);
    struct tune_answer_info info = house_describe(answer);
    assert_true(info.time_ns == 1e6 && info.octaves == 1);
    assert_mentions(info.origin, "database at n=64, 1.0 octave from here, measured 20");
    tune_answer_free(answer);
    house_success(h, tune_trouble(tune, &h->why));
    tune_close(tune);
}

/* Beyond the reach the default answers, but only if it was ever valid, wherever that was. */
static void what_is_too_far_loses_to_a_valid_default(void **state)
{
    struct house *h = *state;
    const int64_t far = 64 << 13;
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    struct tune *tune = open_house(h);
    struct tune_answer *answer = house_best(h, tune, far);
    struct tune_answer_info info = house_describe(answer);
    assert_int_equal(info.rule, TUNE_RULE_SIZE);
    assert_string_equal(info.configuration, HOUSE_CONFIGURATION(4));
    assert_true(info.octaves == 13 && info.validated);
    assert_mentions(info.origin, "13.0 octaves from here");
    assert_mentions(info.origin, "the default was never valid");
    tune_answer_free(answer);
    struct device_description other = h100;
    strcpy(other.kind, "cpu");
    house_store_in(h, h->database, &other, "n=64", HOUSE_CONFIGURATION(16), 1e6);
    tune_refresh(tune);
    answer = house_best(h, tune, far);
    info = house_describe(answer);
    assert_int_equal(info.rule, TUNE_RULE_NONE);
    assert_string_equal(info.configuration, HOUSE_CONFIGURATION(16));
    assert_true(info.octaves == 0 && info.time_ns == 0 && info.validated);
    assert_mentions(info.origin, "the default of space usual; the nearest result is more than 12 octaves away: "
                                 "database at n=64, 13.0 octaves from here, measured 20");
    tune_answer_free(answer);
    expect(h, tune, far / 2, TUNE_RULE_SIZE, HOUSE_CONFIGURATION(4), true);
    tune_close(tune);
}

static void the_default_is_answered_beside_the_best(void **state)
{
    struct house *h = *state;
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    struct tune *tune = open_house(h);
    struct tune_answer *best = house_best(h, tune, 64), *usual = best;
    house_success(h, tune_default(tune, best, &usual, &h->why));
    assert_string_equal(house_describe(best).configuration, HOUSE_CONFIGURATION(4));
    struct tune_answer_info info = house_describe(usual);
    assert_string_equal(info.configuration, HOUSE_CONFIGURATION(16));
    assert_string_equal(info.size, "n=64");
    assert_true(info.rule == TUNE_RULE_NONE && !info.validated);
    tune_answer_free(usual);
    assert_int_equal(tune_default(tune, NULL, &usual, &h->why), TUNE_ERROR_ARGUMENT);
    assert_null(usual);
    assert_int_equal(tune_default(NULL, best, &usual, NULL), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_default(tune, best, NULL, NULL), TUNE_ERROR_ARGUMENT);
    tune_answer_free(best);
    tune_close(tune);
}

/* On another kind of device, so that it does not answer. */
static void a_default_that_was_valid_somewhere_is_validated(void **state)
{
    struct house *h = *state;
    struct device_description other = h100;
    strcpy(other.kind, "cpu");
    house_store_in(h, h->database, &other, "n=64", HOUSE_CONFIGURATION(16), 1e6);
    struct tune *tune = open_house(h);
    expect(h, tune, 100, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), true);
    expect(h, tune, 101, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), true);
    expect(h, tune, 15, TUNE_RULE_NONE, HOUSE_CONFIGURATION(4), false);
    tune_close(tune);
}

static void an_answer_stays_until_the_handle_is_refreshed(void **state)
{
    struct house *h = *state;
    struct tune *tune = open_house(h);
    struct tune_answer *first = house_best(h, tune, 64), *second = house_best(h, tune, 64);
    assert_ptr_equal(first, second);
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    expect(h, tune, 64, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
    tune_refresh(tune);
    expect(h, tune, 64, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(4), true);
    tune_close(tune);
    assert_string_equal(house_describe(first).configuration, HOUSE_CONFIGURATION(16)); /* outlives the handle */
    tune_answer_free(first);
    tune_answer_free(second);
}

static void parameters_by_number_and_name(void **state)
{
    struct house *h = *state;
    static const struct tune_parameter expected[] = {
        {.name = "A", .kind = TUNE_INTEGER, .integer = 16, .real = 16, .text = "16"},
        {.name = "B", .kind = TUNE_REAL, .real = 0.5, .text = "0.5"},
        {.name = "C", .kind = TUNE_TEXT, .text = "fast"},
    };
    struct tune *tune = open_house(h);
    struct tune_answer *answer = house_best(h, tune, 64);
    struct tune_parameter found = {.bytes = sizeof found};
    assert_int_equal(tune_answer_parameter_count(answer), 3);
    for (size_t i = 0; i < 3; i++) {
        for (int by_name = 0; by_name <= 1; by_name++) {
            house_success(h, by_name ? tune_answer_find(answer, expected[i].name, &found, &h->why)
                                     : tune_answer_parameter(answer, i, &found, &h->why));
            assert_string_equal(found.name, expected[i].name);
            assert_string_equal(found.text, expected[i].text);
            assert_int_equal(found.kind, expected[i].kind);
            assert_int_equal(found.integer, expected[i].integer);
            assert_true(found.real == expected[i].real);
        }
    }
    assert_int_equal(tune_answer_parameter(answer, 3, &found, &h->why), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_answer_find(answer, "D", &found, &h->why), TUNE_ERROR_INPUT);
    assert_int_equal(tune_answer_find(answer, NULL, &found, NULL), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_answer_find(NULL, "A", &found, NULL), TUNE_ERROR_ARGUMENT);
    tune_answer_free(answer);
    answer = house_best(h, tune, 3);
    house_success(h, tune_answer_find(answer, "C", &found, &h->why));
    assert_true(found.kind == TUNE_BOOLEAN && found.integer == 1 && strcmp(found.text, "true") == 0);
    tune_answer_free(answer);
    tune_close(tune);
}

static void expect_refusal(struct tune *tune, struct tune_problem problem, enum tune_code code, const char *text)
{
    struct tune_error error = {0};
    struct tune_answer *answer = (struct tune_answer *)&error;
    assert_int_equal(tune_best(tune, &problem, &answer, &error), code);
    assert_int_equal(error.code, code);
    assert_mentions(error.text, text);
    assert_null(answer);
    assert_int_equal(tune_best(tune, &problem, &answer, NULL), code);
}

static void wrong_questions_are_refused(void **state)
{
    struct house *h = *state;
    struct tune *tune = open_house(h);
    const struct tune_size n = {"n", 64}, zero = {"n", 0}, m = {"m", 1}, nameless = {NULL, 1}, twice[] = {n, n};
    const struct tune_problem right = {
        .bytes = sizeof right, .kernel = "t", .device = h->device, .sizes = &n, .size_count = 1};
    struct tune_problem problem = right;
    struct tune_answer *answer;
    problem.bytes = 0;
    expect_refusal(tune, problem, TUNE_ERROR_ARGUMENT, "problem.bytes");
    problem = right, problem.kernel = NULL;
    expect_refusal(tune, problem, TUNE_ERROR_ARGUMENT, "problem.kernel is NULL");
    problem = right, problem.sizes = NULL;
    expect_refusal(tune, problem, TUNE_ERROR_ARGUMENT, "problem.sizes is NULL");
    problem = right, problem.sizes = &nameless;
    expect_refusal(tune, problem, TUNE_ERROR_ARGUMENT, "no name");
    problem = right, problem.size_count = SIZE_MAX;
    expect_refusal(tune, problem, TUNE_ERROR_ARGUMENT, "size_count");
    problem = right, problem.kernel = "u";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "there is no template 'u'");
    problem = right, problem.kernel = "";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "");
    problem = right, problem.sizes = &m;
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "template t has no size m");
    problem = right, problem.sizes = &zero;
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "size n is 0");
    problem = right, problem.sizes = twice, problem.size_count = 2;
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "given twice");
    problem = right, problem.device = "gpu";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "unknown device 'gpu'");
    problem = right, problem.device = "/nowhere.json";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "/nowhere.json");
    problem = right, problem.device = "cpu:1";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "cpu:1");
    problem = right, problem.objective = "beauty";
    expect_refusal(tune, problem, TUNE_ERROR_INPUT, "beauty");
    assert_int_equal(tune_best(NULL, &right, &answer, NULL), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_best(tune, NULL, &answer, NULL), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_best(tune, &right, NULL, NULL), TUNE_ERROR_ARGUMENT);
    tune_close(tune);
    tune_close(NULL);
    tune_refresh(NULL);
    tune_answer_free(NULL);
    assert_int_equal(tune_trouble(NULL, NULL), TUNE_ERROR_ARGUMENT);
}

static void wrong_options_are_refused(void **state)
{
    struct house *h = *state;
    struct tune *tune;
    struct tune_options options = {.bytes = sizeof options, .home = "/nowhere"};
    assert_int_equal(tune_open(NULL, NULL, &h->why), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_open(&options, &tune, &h->why), TUNE_ERROR_INPUT);
    assert_mentions(h->why.text, "/nowhere holds no folder 'templates'");
    assert_null(tune);
    options = (struct tune_options){.bytes = sizeof options - 1};
    assert_int_equal(tune_open(&options, &tune, &h->why), TUNE_ERROR_ARGUMENT);
    options = (struct tune_options){.bytes = sizeof options, .known = "/nowhere.json"};
    assert_int_equal(tune_open(&options, &tune, &h->why), TUNE_ERROR_INPUT);
    assert_mentions(h->why.text, "/nowhere.json");
}

/* The CPU device, or a GPU where there is one. */
static void a_device_is_found_where_none_is_named(void **state)
{
    struct house *h = *state;
    struct tune *tune = open_house(h);
    const struct tune_problem problem = {.bytes = sizeof problem, .kernel = "t"};
    struct tune_answer *answer;
    house_success(h, tune_best(tune, &problem, &answer, &h->why));
    assert_true(house_describe(answer).device[0]);
    assert_string_equal(house_describe(answer).size, "n=64");
    tune_answer_free(answer);
    tune_close(tune);
}

static void a_file_of_known_results_alone_answers(void **state)
{
    struct house *h = *state;
    struct store *store;
    struct tune *tune;
    char known[128];
    snprintf(known, sizeof known, "%s/t.json", h->home);
    house_store(h, "n=64", HOUSE_CONFIGURATION(8), 2e6);
    const struct store_filter filter = {.template_name = "t"};
    assert_success(store_open(h->database, false, &store, &h->error), &h->error);
    assert_success(store_known_write(store, &filter, known, &h->error), &h->error);
    store_close(store);
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    const struct tune_options options = {.bytes = sizeof options, .known = known};
    house_success(h, tune_open(&options, &tune, &h->why));
    expect(h, tune, 64, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(8), true);
    tune_refresh(tune);
    expect(h, tune, 64, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(8), true);
    tune_close(tune);

    house_write(h, "t.json", "{\"format\": 1");
    house_success(h, tune_open(&options, &tune, &h->why));
    assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_INPUT);
    assert_mentions(h->why.text, "not a file of known results");
    expect(h, tune, 64, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
    tune_refresh(tune);
    assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_INPUT);
    tune_close(tune);
}

static void what_came_with_tune_and_the_site_are_asked_as_well(void **state)
{
    struct house *h = *state;
    struct store *store;
    char path[128];
    snprintf(path, sizeof path, "%s/other.db", h->home);
    house_store_in(h, path, &h100, "n=4096", HOUSE_CONFIGURATION(4), 3e6);
    const struct store_filter filter = {.template_name = "t"};
    assert_success(store_open(path, false, &store, &h->error), &h->error);
    snprintf(path, sizeof path, "%s/db/known/t.json", h->home);
    assert_success(store_known_write(store, &filter, path, &h->error), &h->error);
    store_close(store);
    snprintf(path, sizeof path, "%s/site.db", h->home);
    house_store_in(h, path, &h100, "n=256", HOUSE_CONFIGURATION(8), 3e6);
    setenv("TUNE_SITE", path, 1);
    struct tune *tune = open_house(h);
    unsetenv("TUNE_SITE");
    expect(h, tune, 4096, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(4), true);
    expect(h, tune, 256, TUNE_RULE_EXACT, HOUSE_CONFIGURATION(8), true);
    tune_close(tune);
    assert_int_equal(access(h->database, F_OK), -1);
}

static void what_is_damaged_is_left_out_and_told(void **state)
{
    struct house *h = *state;
    char folder[96];
    static const char *const odd[] = {"{\"A\":4,\"D\":1}", "{\"A\":[4]}"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) { /* measured here, says the database */
        char size[32];
        snprintf(size, sizeof size, "n=%zu", 100 + i);
        house_store(h, size, odd[i], 1e6);
        struct tune *tune = open_house(h);
        expect(h, tune, 100 + (int64_t)i, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
        assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_DATABASE);
        tune_close(tune);
    }
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    house_write(h, "own/tune.db",
                "This is no database, though it is long enough to have the header of one: 100 "
                "bytes, and more than that.");
    struct tune *tune = open_house(h);
    assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_DATABASE);
    assert_mentions(h->why.text, "is not a database");
    expect(h, tune, 64, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
    tune_close(tune);

    house_write(h, "own/tune.db", "");
    tune = open_house(h);
    house_success(h, tune_trouble(tune, &h->why)); /* nothing was stored yet */
    tune_close(tune);

    snprintf(folder, sizeof folder, "%s/h100.json/tune.db", h->home); /* in what is no folder */
    const struct tune_options options = {.bytes = sizeof options, .database = folder};
    house_success(h, tune_open(&options, &tune, &h->why));
    expect(h, tune, 64, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
    assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_DATABASE);
    tune_close(tune);

    snprintf(folder, sizeof folder, "%s/nowhere", h->home);
    setenv("TUNE_SITE", folder, 1);
    tune = open_house(h);
    unsetenv("TUNE_SITE");
    expect(h, tune, 64, TUNE_RULE_NONE, HOUSE_CONFIGURATION(16), false);
    assert_int_equal(tune_trouble(tune, &h->why), TUNE_ERROR_DATABASE);
    assert_mentions(h->why.text, "nowhere");
    tune_close(tune);
}

#define house_test(name) cmocka_unit_test_setup_teardown(name, house_begin, house_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        house_test(without_results_the_default_answers_and_nothing_is_created),
        house_test(stored_results_answer_by_the_rules_of_selection),
        house_test(a_default_that_was_valid_somewhere_is_validated),
        house_test(what_is_too_far_loses_to_a_valid_default),
        house_test(the_default_is_answered_beside_the_best),
        house_test(an_answer_stays_until_the_handle_is_refreshed),
        house_test(parameters_by_number_and_name),
        house_test(wrong_questions_are_refused),
        house_test(wrong_options_are_refused),
        house_test(a_device_is_found_where_none_is_named),
        house_test(a_file_of_known_results_alone_answers),
        house_test(what_came_with_tune_and_the_site_are_asked_as_well),
        house_test(what_is_damaged_is_left_out_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
