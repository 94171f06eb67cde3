/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/job/value_json.h"

#include <jansson.h>
#include <stdlib.h>

static struct error error;

static json_t *json_of(const char *text)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    return json;
}

/* Each reader takes what it should and refuses the rest by name. */
#define ACCEPTS(literal, call)                                                                                       \
    do {                                                                                                             \
        json_t *json = json_of(literal);                                                                             \
        assert_success(call, &error);                                                                                \
        json_decref(json);                                                                                           \
    } while (0)
#define REFUSES(literal, call)                                                                                       \
    do {                                                                                                             \
        json_t *json = json_of(literal);                                                                             \
        error = (struct error){0};                                                                                   \
        assert_false(call);                                                                                          \
        assert_int_equal(error.code, ERROR_SYSTEM);                                                                  \
        assert_string_equal(error.text, "damaged job: it is missing or of the wrong type");                          \
        json_decref(json);                                                                                           \
    } while (0)

static void test_numbers(void **state)
{
    (void)state;
    uint64_t number;
    double real;
    unsigned line;
    bool flag;
    ACCEPTS("\"00000000000000ff\"", read_key(json, "it", &number, &error));
    assert_int_equal(number, 255);
    REFUSES("\"00000000000000FF\"", read_key(json, "it", &number, &error));
    REFUSES("\"ff\"", read_key(json, "it", &number, &error));
    REFUSES("255", read_key(json, "it", &number, &error));
    ACCEPTS("9223372036854775807", read_whole(json, "it", &number, &error));
    assert_true(number == INT64_MAX);
    ACCEPTS("\"8000000000000000\"", read_whole(json, "it", &number, &error));
    assert_true(number == (uint64_t)INT64_MAX + 1);
    REFUSES("-1", read_whole(json, "it", &number, &error));
    REFUSES("1.0", read_whole(json, "it", &number, &error));
    ACCEPTS("3", read_real(json, "it", &real, &error));
    assert_true(real == 3);
    REFUSES("\"3\"", read_real(json, "it", &real, &error));
    ACCEPTS("2147483647", read_line(json, "it", &line, &error));
    assert_true(line == INT32_MAX);
    REFUSES("2147483648", read_line(json, "it", &line, &error));
    ACCEPTS("true", read_flag(json, "it", &flag, &error));
    assert_true(flag);
    REFUSES("1", read_flag(json, "it", &flag, &error));
    assert_false(read_whole(NULL, "it", &number, &error));
}

/* The bytes of a scalar stand in their order in memory. */
static void test_bytes(void **state)
{
    (void)state;
    static const unsigned char wanted[8] = {1, 0x23, 0, 0, 0, 0, 0, 0xff};
    unsigned char bytes[8];
    ACCEPTS("\"01230000000000ff\"", read_bytes(json, bytes, &error));
    assert_memory_equal(bytes, wanted, sizeof wanted);
}

static void test_words(void **state)
{
    (void)state;
    static const char *const words[] = {"in", "out"};
    size_t index;
    char *text;
    enum element element;
    ACCEPTS("\"out\"", read_word(json, "it", words, 2, &index, &error));
    assert_int_equal(index, 1);
    REFUSES("\"inout\"", read_word(json, "it", words, 2, &index, &error));
    REFUSES("1", read_word(json, "it", words, 2, &index, &error));
    ACCEPTS("\"x\"", read_text(json, "it", &text, &error));
    assert_string_equal(text, "x");
    free(text);
    REFUSES("null", read_text(json, "it", &text, &error));
    ACCEPTS("\"bfloat16\"", read_element(json, &element, &error));
    assert_int_equal(element, ELEMENT_BFLOAT16);
}

/* Those before a wrong one are the caller's to free. */
static void test_names(void **state)
{
    (void)state;
    char **names;
    size_t count = 0;
    REFUSES("[\"a\", \"b\", 3, \"d\"]", read_names(json, "it", &names, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(names[1], "b");
    while (count > 0)
        free(names[--count]);
    free(names);
    REFUSES("{}", read_names(json, "it", &names, &count, &error));
    assert_null(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_bytes),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
