/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of objectives: what they name, in which order, and what is wrong with them; the costs by each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/space/aims.h"

#include <math.h>
#include <string.h>

static const char text[] = "template t\nsize n = 4\nparameter P\nsource \"a.cu\"\n"
                           "buffer x : float[n] temp\nlaunch { k<<<1, 1>>>(x) }\n"
                           "metric shown = P\n"
                           "objective rate = maximize P / time\n"
                           "objective \"odd, but a name\" = minimize P - 1\n"
                           "objective small = minimize shared_bytes\n"
                           "default objective rate\n";

static struct template *template_of_text(void)
{
    struct template *template;
    struct error error = {0};
    if (!template_parse("t.template", ".", text, strlen(text), &template, &error))
        fail_msg("%s", error.text);
    return template;
}

static void lists(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *first;
        size_t count;
    } cases[] = {
        {NULL, "rate", "rate", 1},
        {"energy", "energy", "energy", 1},
        {"odd, but a name", "odd, but a name", "odd, but a name", 1},
        {"time,energy", "time,energy", "time", 2},
        {"energy,time", "time,energy", "energy", 2},
        {" small , rate,  edp ", "edp,rate,small", "small", 3},
    };
    struct template *template = template_of_text();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct aims aims;
        struct error error = {0};
        assert_true(aims_choose(template, cases[i].text, &aims, &error));
        assert_int_equal(aims.count, cases[i].count);
        assert_string_equal(aims.name, cases[i].name);
        assert_string_equal(aims.of[0].name, cases[i].first);
        assert_true(aims_are_several(template, cases[i].text) == (cases[i].count > 1));
    }
    struct aims aims;
    struct error error = {0};
    assert_true(aims_choose(NULL, NULL, &aims, &error));
    assert_string_equal(aims.name, "time");
    template_free(template);
}

static void what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"time,time", "--objective: 'time' is there twice"},
        {"time,", "--objective 'time,': a name is missing"},
        {",time", "--objective ',time': a name is missing"},
        {"time, ,edp", "--objective 'time, ,edp': a name is missing"},
        {",", "--objective ',': a name is missing"},
        {"time,energy,edp,rate", "--objective: 3 objectives at most"},
        {"time,tim", "there is no objective 'tim'"},
        {"time,shown", "there is no objective 'shown'"},
    };
    struct template *template = template_of_text();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct aims aims;
        struct error error = {0};
        assert_false(aims_choose(template, cases[i].text, &aims, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.text, cases[i].message);
        assert_true(error.hint[0] != '\0');
    }
    struct objective one;
    struct error error = {0};
    assert_false(objective_choose(template, "time,rate", &one, &error)); /* where one is meant */
    assert_non_null(strstr(error.hint, "list of objectives"));
    template_free(template);
}

static void costs(void **state)
{
    (void)state;
    struct template *template = template_of_text();
    struct metrics *metrics;
    struct aims aims;
    struct error error = {0};
    struct evaluation evaluation = evaluation_unmeasured;
    double found[FRONT_OBJECTIVES];
    evaluation.outcome = OUTCOME_OK;
    evaluation.time_ns = evaluation.time_low_ns = evaluation.time_high_ns = 2e9;
    evaluation.resources.shared_bytes = 96;
    assert_true(metrics_create(template, &h100, "n=4", &metrics, &error));
    assert_true(aims_choose(template, "small,rate,time", &aims, &error));
    assert_true(aims_costs(&aims, metrics, "{\"P\":8}", &evaluation, found, NULL));
    assert_true(found[0] == 96 && found[1] == 0.25 && found[2] == 2e9); /* 4 a second is to be large */
    assert_true(aims_choose(template, "time,odd, but a name", &aims, &error) == false);
    assert_true(aims_choose(template, "time,energy", &aims, &error));
    assert_false(aims_costs(&aims, metrics, "{\"P\":8}", &evaluation, found, &error));
    metrics_free(metrics);
    template_free(template);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
