/* SPDX-License-Identifier: Apache-2.0 */
/* Where values stand in a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/json/json_find.h"

#include <string.h>

static const char text[] = " {\"a\" : [1, {\"b}\":\"\\\"]\", \"c\": [ ] , \"d\": -2.5e3 } , true],\n"
                           "  \"e\": {\"a\": null}, \"f\": []}\n";

static void expect(const struct json_step *steps, size_t count, bool found, const char *value)
{
    size_t offset, span;
    assert_int_equal(json_find(text, strlen(text), steps, count, &offset, &span), found);
    assert_int_equal(span, strlen(value));
    assert_memory_equal(text + offset, value, span);
}

#define STEPS(...)                                                                                                   \
    (const struct json_step[]){__VA_ARGS__},                                                                         \
        sizeof((const struct json_step[]){__VA_ARGS__}) / sizeof(struct json_step)

static void values_are_found(void **state)
{
    (void)state;
    expect(NULL, 0, true,
           "{\"a\" : [1, {\"b}\":\"\\\"]\", \"c\": [ ] , \"d\": -2.5e3 } , true],\n"
           "  \"e\": {\"a\": null}, \"f\": []}");
    expect(STEPS({"a", 0}, {NULL, 0}), true, "1");
    expect(STEPS({"a", 0}, {NULL, 1}, {"b}", 0}), true, "\"\\\"]\"");
    expect(STEPS({"a", 0}, {NULL, 1}, {"c", 0}), true, "[ ]");
    expect(STEPS({"a", 0}, {NULL, 1}, {"d", 0}), true, "-2.5e3");
    expect(STEPS({"a", 0}, {NULL, 2}), true, "true");
    expect(STEPS({"e", 0}, {"a", 0}), true, "null");
    expect(STEPS({"f", 0}), true, "[]");
}

static void of_others_the_last_on_the_way(void **state)
{
    (void)state;
    expect(STEPS({"f", 0}, {NULL, 0}), false, "[]");
    expect(STEPS({"e", 0}, {"b", 0}), false, "{\"a\": null}");
    expect(STEPS({"e", 0}, {NULL, 0}), false, "{\"a\": null}");
    expect(STEPS({"a", 0}, {NULL, 0}, {"x", 0}), false, "1");
    expect(STEPS({"a", 0}, {NULL, 3}), false, "[1, {\"b}\":\"\\\"]\", \"c\": [ ] , \"d\": -2.5e3 } , true]");
}

/* Every beginning of it, and what is none at all. */
static void any_text_is_survived(void **state)
{
    (void)state;
    static const char *const others[] = {"",        "\"",  "\"\\",     "[",   "{\"a\"",
                                         "{\"a\":", "]]]", "{\"a\":}", ",,,", "{\"a\" 1}"};
    const struct json_step steps[] = {{"a", 0}, {NULL, 1}, {"d", 0}};
    size_t offset, span;
    for (size_t length = 0; length <= strlen(text); length++) {
        json_find(text, length, steps, 3, &offset, &span);
        assert_in_range(offset + span, 0, length);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(json_find(others[i], strlen(others[i]), steps, 3, &offset, &span));
        assert_in_range(offset + span, 0, strlen(others[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found),
        cmocka_unit_test(of_others_the_last_on_the_way),
        cmocka_unit_test(any_text_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
