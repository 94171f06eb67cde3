/* SPDX-License-Identifier: Apache-2.0 */
/* A template and a space as T1: everything in Python over the parameters alone, and what cannot be. */
#include "tests/unit/fixture.h"

#include "tuner/formats/t1_write.h"

#include <jansson.h>
#include <stdlib.h>

/* Lets, sizes, device fields and tune's own functions are replaced. */
static void test_export(void **state)
{
    (void)state;
    static const char template[] =
        "template t\nsize n = 100\nparameter A\nparameter B\nparameter MODE\nsource \"t.cu\"\n"
        "buffer x : float[n] in constant(0.5)\n"
        "let blocks = ceil_div(n, A)\n"
        "launch { k<<<blocks, (A, B), 4 * n>>>(x, n, float(1), A) }\n";
    static const char space[] = "space s of t\nset MODE = \"fast\"\nparam A = pow2(2, 8)\nparam B = [1, 2] + [n]\n"
                                "let area = A * B\n"
                                "where area <= device.max_threads_per_block // 2\n"
                                "where round_up(A, 4) in pow2(1, 4) or not true\n"
                                "where A < B or MODE == 'fast'\n"
                                "default B = 2, A = n // 25\n";
    static const char *const wanted[] = {"((A * B) <= 512)", "((((-(-A // 4)) * 4) in [1, 2, 4]) or False)",
                                         "A < B or MODE == 'fast'"};
    struct fixture f;
    json_t *document;
    char *notes;
    fixture_parse(&f, template, space);
    f.device.max_threads_per_block = 1024;
    assert_success(problem_create(f.template, f.space, &f.device, NULL, 0, &f.problem, &f.error), &f.error);
    assert_success(t1_export(f.problem, &document, &notes, &f.error), &f.error);
    assert_string_equal(notes, "");
    const json_t *conditions = json_object_get(json_object_get(document, "ConfigurationSpace"), "Conditions");
    assert_int_equal(json_array_size(conditions), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(conditions, i), "Expression")),
                            wanted[i]);
    const json_t *parameters = json_object_get(json_object_get(document, "ConfigurationSpace"), "TuningParameters");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 0), "Values")), "[2, 4, 8]");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(parameters, 0), "Default")), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 1), "Values")), "[1, 2, 100]");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 2), "Values")), "[\"fast\"]");
    const json_t *kernel = json_object_get(document, "KernelSpecification");
    const json_t *general = json_object_get(document, "General");
    assert_string_equal(json_string_value(json_object_get(general, "BenchmarkName")), "t");
    assert_string_equal(json_string_value(json_object_get(general, "OutputFormat")), "JSON");
    assert_string_equal(json_string_value(json_object_get(json_object_get(kernel, "GlobalSize"), "X")),
                        "(-(-100 // A))");
    assert_int_equal(json_integer_value(json_object_get(kernel, "SharedMemory")), 400);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(kernel, "Arguments"), 3), "DataSource")),
        "A");
    free(notes);
    json_decref(document);
    problem_free(f.problem);
    space_free(f.space);
    template_free(f.template);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char template[] = "template t\nsize n = 100\nparameter A\nsource \"t.cu\"\n"
                                   "buffer x : float[n] in constant(0.5)\n"
                                   "launch { if A > 9 { k<<<1, 1>>>(x) } }\n";
    static const struct {
        const char *space, *message;
    } cases[] = {
        {"space s of t\nset A = 9\n", "the default configuration of t launches no kernel"},
        {"space s of t\nparam A = [10, 11]\nwhere gamma(A) < 1\n", "T1 cannot express gamma() of a parameter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        json_t *document;
        char *notes;
        fixture_parse(&f, template, cases[i].space);
        assert_success(fixture_try(&f), &f.error);
        assert_false(t1_export(f.problem, &document, &notes, &f.error));
        assert_string_equal(f.error.text, cases[i].message);
        assert_null(document);
        assert_null(notes);
        fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_export),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
