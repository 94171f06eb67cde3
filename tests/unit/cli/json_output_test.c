/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/json_output.h"

static void a_failure_on_the_way_fails_the_document(void **state)
{
    (void)state;
    struct error error = {0};
    json_t *array = json_array(), *object = json_object();
    json_append(&array, json_integer(1));
    json_put(&object, "a", json_true());
    assert_int_equal(json_array_size(array), 1);
    assert_int_equal(json_object_size(object), 1);
    json_append(&array, NULL); /* a value that could not be allocated */
    json_put(&object, "b", NULL);
    assert_null(array);
    assert_null(object);
    json_append(&array, json_integer(2)); /* stays so, and leaks nothing */
    json_put(&object, "c", json_integer(2));
    assert_null(array);
    assert_null(object);
    assert_false(json_output(json_pack("{s:o}", "list", array), 0, &error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
}

static void strings_of_objects(void **state)
{
    (void)state;
    json_t *object = json_pack("{s:s, s:i}", "name", "x", "number", 5);
    assert_string_equal(json_string_at(object, "name"), "x");
    assert_string_equal(json_string_at(object, "number"), "");
    assert_string_equal(json_string_at(object, "nothing"), "");
    assert_string_equal(json_string_at(NULL, "name"), "");
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_on_the_way_fails_the_document),
        cmocka_unit_test(strings_of_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
