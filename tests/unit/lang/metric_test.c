/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics and objectives: what they may read, which names come first, and what is refused. */
#include "tests/unit/lang/templates.h"

#define HEAD "template t\nsize n = 4\nparameter P\nsource \"a.cu\"\nbuffer x : float[n] temp\n"
#define TAIL "\nlaunch { k<<<1, 1>>>(x) }\n"

static void test_declarations(void **state)
{
    (void)state;
    struct template *t =
        parse_template_text(HEAD "metric \"GB/s\" = bytes / time * 1e-9\nobjective rate = maximize n * P / time\n"
                                 "objective 'least J' = minimize energy\ndefault objective rate\n"
                                 "work bytes = 4 * n" TAIL);
    assert_int_equal(t->metric_count, 3);
    assert_string_equal(t->metrics[0].name, "GB/s");
    assert_string_equal(t->metrics[1].name, "rate");
    assert_string_equal(t->metrics[2].name, "least J");
    assert_int_equal(t->metrics[0].sense, METRIC_SHOWN);
    assert_int_equal(t->metrics[1].sense, METRIC_MAXIMIZED);
    assert_int_equal(t->metrics[2].sense, METRIC_MINIMIZED);
    expect_expr(t->metrics[1].value, "n * P / time");
    expect_span(t->metrics[0].place, "\"GB/s\"");
    assert_string_equal(t->default_objective, "rate");
    template_free(t);
    t = parse_template_text(HEAD "default objective energy" TAIL);
    assert_string_equal(t->default_objective, "energy");
    template_free(t);
}

/* With the slot of each name set to a number of its own, the value tells which one was read. */
static double value_with(const char *declarations, const char *name, double own, double measured)
{
    char text[512], prefixed[64];
    double value;
    size_t slot;
    struct value slots[128] = {0};
    snprintf(text, sizeof text, HEAD "%s" TAIL, declarations);
    struct template *t = parse_template_text(text);
    assert_true(scope_count(t->scope) <= 128);
    snprintf(prefixed, sizeof prefixed, "measured.%s", name);
    assert_true(scope_find(t->scope, prefixed, &slot));
    slots[slot] = value_float(measured);
    if (scope_find(t->scope, name, &slot))
        slots[slot] = value_float(own);
    assert_true(expr_number(t->metrics[t->metric_count - 1].value, slots, &value, NULL));
    template_free(t);
    return value;
}

static void test_which_name(void **state)
{
    (void)state;
    assert_true(value_with("metric m = time", "time", 1, 2) == 2);
    assert_true(value_with("let time = 1\nmetric m = time", "time", 1, 2) == 1);
    assert_true(value_with("let time = 1\nmetric m = measured.time", "time", 1, 2) == 2);
    assert_true(value_with("metric m = time\nlet time = 1", "time", 1, 2) == 2);
    assert_true(value_with("parameter registers\nmetric m = registers + measured.registers", "registers", 1, 2) == 3);
    assert_true(value_with("buffer time : float[n] temp\nmetric m = time", "time", 1, 2) == 2);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"let a = time", "unknown name time"},
        {"let a = measured.time", "unknown name measured"},
        {"metric m = 1\nlet a = time", "unknown name time"},
        {"metric m = tim", "unknown name tim"},
        {"metric m = measured.tim", "unknown name measured.tim"},
        {"metric m = measured.", "expected a measured figure, found the end of the line"},
        {"metric m = flops / time", "the template does not count flops"},
        {"metric m = \"a\"", "this is a text, not a number"},
        {"metric time = 1", "time is an objective that every template has"},
        {"metric \"\" = 1", "a name has 1 to 64 bytes, without quotes, backslashes and control characters"},
        {"metric 'a\"b' = 1", "a name has 1 to 64 bytes, without quotes, backslashes and control characters"},
        {"metric a = 1\nobjective a = minimize time", "there is already a metric or an objective \"a\""},
        {"objective a = minimize 3", "this objective is the same for all configurations"},
        {"objective a = time", "expected 'maximize' or 'minimize', found 'time'"},
        {"objective a", "expected '=', found the end of the line"},
        {"default objective a", "there is no objective \"a\""},
        {"metric a = time\ndefault objective a", "a is a metric, not an objective"},
        {"default objective time\ndefault objective time", "the default objective is named twice"},
        {"default objectives", "expected 'space' or 'objective', found 'objectives'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "%s" TAIL, cases[i].text);
        expect_refused(text, cases[i].message);
    }
}

static void test_hints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hint;
    } cases[] = {
        {"metric m = tim", "did you mean time?"},
        {"metric m = measured.registrs", "did you mean measured.registers?"},
        {"metric m = special / time", "say what one launch does: work special = ..."},
        {"objective rate = maximize 1 / time\ndefault objective rat", "did you mean \"rate\"?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct template *t;
        struct error error = {0};
        snprintf(text, sizeof text, HEAD "%s" TAIL, cases[i].text);
        assert_false(template_parse("test.template", "folder", text, strlen(text), &t, &error));
        assert_string_equal(error.hint, cases[i].hint);
    }
}

static void test_how_many(void **state)
{
    (void)state;
    static char text[8192];
    size_t length = (size_t)sprintf(text, HEAD);
    for (int i = 0; i <= METRICS_MOST; i++)
        length += (size_t)sprintf(text + length, "metric m%d = time\n", i);
    strcpy(text + length, TAIL);
    expect_refused(text, "there are more than 64 metrics and objectives");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declarations), cmocka_unit_test(test_which_name), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hints),        cmocka_unit_test(test_how_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
