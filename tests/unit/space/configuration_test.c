/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/configuration.h"

#include <jansson.h>

static const char SPACE[] =
    "set C = \"a\\\"b\"\nparam D = [true, false]\nparam B = [0.1, 1e-7, 2.0]\nparam A = [-3, 5]\n";

/* The template's order, floats with the fewest digits, strings escaped; reading the text gives the point back. */
static void test_text(void **state)
{
    (void)state;
    static const struct {
        uint16_t point[3];
        const char *text;
    } cases[] = {
        {{0, 0, 0}, "{\"A\":-3,\"B\":0.1,\"C\":\"a\\\"b\",\"D\":true}"},
        {{1, 1, 1}, "{\"A\":5,\"B\":1e-07,\"C\":\"a\\\"b\",\"D\":false}"},
        {{1, 2, 0}, "{\"A\":-3,\"B\":2.0,\"C\":\"a\\\"b\",\"D\":false}"},
    };
    struct space_fixture fixture;
    space_fixture_create(&fixture, SPACE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t point[3];
        char *text = configuration_text(&fixture.domain, cases[i].point);
        assert_string_equal(text, cases[i].text);
        json_t *json = json_loads(text, 0, NULL);
        assert_true(configuration_point(&fixture.domain, json, point));
        assert_memory_equal(point, cases[i].point, sizeof point);
        assert_false(configuration_point_of_text(&fixture.domain, text, point)); /* floats, escapes */
        json_decref(json);
        free(text);
    }
    space_fixture_free(&fixture);
}

/* Members may come in any order and numbers in either kind, but none may be missing or superfluous. */
static void test_point(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool found;
    } cases[] = {
        {"{\"D\":true,\"C\":\"a\\\"b\",\"B\":2,\"A\":5.0}", true},
        {"{\"A\":5,\"B\":2,\"C\":\"a\\\"b\"}", false},
        {"{\"A\":5,\"B\":2,\"C\":\"a\\\"b\",\"D\":true,\"E\":1}", false},
        {"{\"A\":5,\"B\":2,\"C\":\"a\\\"b\",\"E\":true}", false},
        {"{\"A\":4,\"B\":2,\"C\":\"a\\\"b\",\"D\":true}", false},
        {"{\"A\":5,\"B\":2,\"C\":\"other\",\"D\":true}", false},
        {"{\"A\":5,\"B\":null,\"C\":\"a\\\"b\",\"D\":true}", false},
        {"{\"A\":5,\"B\":[2],\"C\":\"a\\\"b\",\"D\":true}", false},
        {"[5, 2, 3, 4]", false},
    };
    struct space_fixture fixture;
    space_fixture_create(&fixture, SPACE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t point[3];
        json_t *json = json_loads(cases[i].text, 0, NULL);
        assert_non_null(json);
        assert_int_equal(configuration_point(&fixture.domain, json, point), cases[i].found);
        json_decref(json);
    }
    space_fixture_free(&fixture);
}

static void test_space_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected, *message;
    } cases[] = {
        {"{\"B\":0.5,\"A\":\"x\\ny\",\"D\":true}",
         "space configuration of t\nset B = 0.5\nset A = \"x\\ny\"\nset D = true\n", NULL},
        {"{}", "space configuration of t\n", NULL},
        {"{\"A\":1,\"A\":1}", NULL, "not a configuration"},
        {"{\"A\":1", NULL, "not a configuration: {\"A\":1"},
        {"3", NULL, "not a configuration: 3"},
        {"{\"AA\":1}", NULL, "template t has no parameter AA"},
        {"{\"A\":{}}", NULL, "parameter A is not a number, a boolean or a string"},
    };
    struct space_fixture fixture;
    space_fixture_create(&fixture, SPACE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = (char *)1;
        struct error error;
        assert_int_equal(configuration_space_text(fixture.parsed.template, cases[i].text, &text, &error),
                         cases[i].expected != NULL);
        if (cases[i].expected)
            assert_string_equal(text, cases[i].expected);
        else
            assert_mentions(error.text, cases[i].message);
        assert_true(text || !cases[i].expected);
        free(text);
    }
    space_fixture_free(&fixture);
}

/* Whatever is read as text is read alike as JSON; only what is written like that is read as text. */
static void test_point_of_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool read;
    } cases[] = {
        {"{\"A\":-3,\"B\":12,\"C\":\"joint\",\"D\":true}", true},
        {"{\"A\":0,\"B\":12,\"C\":\"joint\",\"D\":false}", true},
        {"{\"A\":0,\"B\":12,\"C\":\"own\",\"D\":false}", true},
        {"{\"A\":0,\"B\":1,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":123,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":12.0,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":12e0,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":012,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":-0,\"B\":12,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":-,\"B\":12,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":99999999999999999999,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"ow\\u006e\",\"D\":false}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own,\"D\":false}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own\",\"D\":falsehood}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own\",\"D\":false", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own\",\"D\":false}}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own\",\"D\":false,\"E\":1}", false},
        {"{\"A\":0,\"B\":12,\"C\":\"own\"}", false},
        {"{\"B\":12,\"A\":0,\"C\":\"own\",\"D\":false}", false},
        {"{\"A\":0, \"B\":12,\"C\":\"own\",\"D\":false}", false},
        {"", false},
        {"{", false},
        {"{}", false},
    };
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param C = [\"joint\", \"own\"]\nparam D = [true, false]\nparam B = [12, 16]\n"
                                   "param A = [-3, 0]\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t point[4], other[4];
        assert_int_equal(configuration_point_of_text(&fixture.domain, cases[i].text, point), cases[i].read);
        if (!cases[i].read)
            continue;
        json_t *json = json_loads(cases[i].text, 0, NULL);
        assert_true(configuration_point(&fixture.domain, json, other));
        assert_memory_equal(point, other, sizeof point);
        json_decref(json);
    }
    space_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_point),
        cmocka_unit_test(test_point_of_text),
        cmocka_unit_test(test_space_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
