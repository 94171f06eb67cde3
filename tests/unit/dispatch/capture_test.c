/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/dispatch/refused.h"
#include "tuner/dispatch/capture.h"

/* With the quotes of a C string's sake: 'x' is "x". */
#define CALL(MEMBERS) "{'tune_capture':1,'template':'t'," MEMBERS "}\n"

static bool parse(struct fixture *f, const char *text, struct size_set *set)
{
    char copy[2000];
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return size_set_parse("calls.jsonl", copy, strlen(copy), f->template, &f->device, set, &f->error);
}

static void counts_of_the_same_sizes_add_up(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(parse(&f,
                         "\n" CALL("'template_hash':'x','device':'G','size':{'N':16,'M':8},'scalars':{'a':2.5},"
                                   "'data':'','count':17,'later':[1]") "{'tune_capture':1,'template':'other','size':'"
                                                                       "any'}\n\r\n" CALL("'size':{'M':5}")
                                                                           CALL("'count':3,'size':{'M':8}")
                                                                               CALL("'count':4,'size':{}"),
                         &set),
                   &f.error);
    static const char *const texts[] = {"M=8,N=16", "M=5,N=10", "M=64,N=128"};
    static const double weights[] = {20, 1, 4};
    assert_int_equal(set.count, 3);
    assert_false(set.is_cut_short);
    for (size_t i = 0; i < set.count; i++) {
        assert_string_equal(set.texts[i], texts[i]);
        assert_true(set.weights[i] == weights[i]);
    }
    size_set_clear(&set);
    fixture_free(&f);
}

static void the_first_data_of_a_size_count(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(parse(&f,
                         CALL("'size':{'M':5},'inputs':{'x':'/a/x.raw','y':'/a/y.raw'}") CALL("'size':{'M':6}")
                             CALL("'size':{'M':5},'inputs':{'x':'/b/x.raw'}")
                                 CALL("'size':{'M':7},'inputs':{'x':'/c/x.raw'}") CALL("'size':{'M':7},'inputs':{}")
                                     CALL("'size':{'M':6},'inputs':{'y':'/d/y.raw'}"),
                         &set),
                   &f.error);
    static const struct {
        size_t size;
        const char *buffer, *file;
    } expected[] = {{0, "x", "/a/x.raw"}, {0, "y", "/a/y.raw"}, {2, "x", "/c/x.raw"}, {1, "y", "/d/y.raw"}};
    assert_int_equal(set.data_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(set.data[i].size, expected[i].size);
        assert_string_equal(set.data[i].buffer, expected[i].buffer);
        assert_string_equal(set.data[i].file, expected[i].file);
    }
    size_set_remove(&set, 0); /* with its data; the others' have new places */
    assert_int_equal(set.data_count, 2);
    assert_string_equal(set.data[0].file, "/c/x.raw");
    assert_int_equal(set.data[0].size, 1);
    assert_int_equal(set.data[1].size, 0);
    size_set_clear(&set);
    fixture_free(&f);
}

/* With a newline it would be damaged; a whole line counts, newline or not. */
static void a_last_line_cut_short_is_left_out(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    static const char whole[] = CALL("'size':{'M':5}") "{'tune_capture':1,'template':'t','size':{'M':6}}";
    char text[sizeof whole];
    for (size_t length = sizeof whole - 1, first = strlen(CALL("'size':{'M':5}")); length >= first; length--) {
        memcpy(text, whole, length);
        text[length] = '\0';
        assert_success(parse(&f, text, &set), &f.error);
        assert_int_equal(set.count, length == sizeof whole - 1 ? 2 : 1);
        assert_true(set.is_cut_short == (length < sizeof whole - 1 && length > first));
        size_set_clear(&set);
    }
    fixture_free(&f);
}

static void damaged_lines_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"{}\n", "this is no captured call", 1, 1},
        {"{'tune_capture':2,'template':'t','size':{}}\n", "another version than 1", 1, 17},
        {"{'tune_capture':'1','template':'t','size':{}}\n", "another version than 1", 1, 17},
        {"{'tune_capture':1,'size':{}}\n", "needs the name of a template", 1, 1},
        {CALL("'count':1"), "needs a size, an object", 1, 1},
        {CALL("'size':[1]"), "needs a size, an object", 1, 41},
        {"\n\n" CALL("'size':{'K':1}"), "the template has no such size", 3, 46},
        {CALL("'size':{'M':1.5}"), "not a whole number", 1, 46},
        {CALL("'size':{'M':true}"), "not a whole number", 1, 46},
        {CALL("'size':{'M':1,'N':1,'K':2}"), "more sizes than the template has", 1, 41},
        {CALL("'size':{'M':1},'count':0"), "the count is not a whole number from 1 to 1e15", 1, 57},
        {CALL("'size':{'M':1},'count':2.5"), "the count is not", 1, 57},
        {CALL("'size':{'M':0}"), "size M is 0", 1, 1},
        {CALL("'size':{'M':1},'inputs':[]"), "an object of paths by their names", 1, 58},
        {CALL("'size':{'M':1},'inputs':{'x':'a','y':1}"), "this is no path", 1, 71},
        {CALL("'size':{'M':1}") "{'tune_cap\n" CALL("'size':{'M':1}"), "the line is damaged", 2, 1},
        {CALL("'size':{'M':1,'M':2}"), "the line is damaged", 1, 1},
        {CALL("'size':{'M':1}") "M=8\n", "the line is damaged", 2, 1},
        {"{'tune_capture':1,'template':'u','size':{}}\n", "has no call of template t", 0, 0},
        {"{'tune_capture':1,'template':'t','size':{}", "has no call of template t", 0, 0},
    };
    assert_refused(cases, sizeof cases / sizeof *cases, parse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_the_same_sizes_add_up),
        cmocka_unit_test(the_first_data_of_a_size_count),
        cmocka_unit_test(a_last_line_cut_short_is_left_out),
        cmocka_unit_test(damaged_lines_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
