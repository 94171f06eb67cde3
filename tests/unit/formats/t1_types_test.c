/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_types.h"

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type; /* NULL: it is not known */
        enum element element;
        unsigned width, count;
    } cases[] = {
        {"bool", "uchar", ELEMENT_UCHAR, 1, 1},
        {"int8", "char", ELEMENT_CHAR, 1, 1},
        {"int", "int", ELEMENT_INT, 1, 1},
        {"uint64", "ulong", ELEMENT_ULONG, 1, 1},
        {"float4", "float4", ELEMENT_FLOAT, 4, 1},
        {"double3", "double3", ELEMENT_DOUBLE, 3, 1},
        {"half2", "half2", ELEMENT_HALF, 2, 1},
        {"int4", "int4", ELEMENT_INT, 4, 1},
        {"uchar4", "uchar4", ELEMENT_UCHAR, 4, 1},
        {"complex", "complex", ELEMENT_FLOAT, 2, 1},
        {"float8", "float", ELEMENT_FLOAT, 1, 8},
        {"half4", "half", ELEMENT_HALF, 1, 4},
        {"double16", "double", ELEMENT_DOUBLE, 1, 16},
        {"float17", NULL, 0, 0, 0},
        {"float1", NULL, 0, 0, 0},
        {"float4x", NULL, 0, 0, 0},
        {"int3264", NULL, 0, 0, 0},
        {"", NULL, 0, 0, 0},
    };
    struct t1 t1 = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_argument argument = {0};
        struct error error = {0};
        unsigned count;
        bool found;
        assert_true(t1_type_find(&t1, cases[i].name, &argument, &count, &found, &error));
        if (found != (cases[i].type != NULL))
            fail_msg("%s is %s", cases[i].name, found ? "known" : "not known");
        if (!found)
            continue;
        assert_string_equal(argument.type, cases[i].type);
        assert_int_equal(argument.element, cases[i].element);
        assert_int_equal(argument.width, cases[i].width);
        assert_int_equal(count, cases[i].count);
    }
    arena_free(&t1.arena);
}

/* A float4 of the file is four numbers, whatever the kernel calls them. */
static void test_types_of_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *type;
        unsigned width, count;
    } cases[] = {{"uint4", "uint4", 4, 1}, {"int", "int", 1, 4}, {"int2", "int", 1, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_argument argument = {.element = ELEMENT_FLOAT, .type = "float4", .width = 4, .low = 0, .high = 1};
        struct draft_type type;
        unsigned count = 1;
        assert_true(draft_type_find(cases[i].kernel, &type));
        t1_type_take(&argument, &type, &count);
        assert_string_equal(argument.type, cases[i].type);
        assert_int_equal(argument.width, cases[i].width);
        assert_int_equal(count, cases[i].count);
        assert_true(argument.high == 2); /* a range of whole numbers needs room */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types), cmocka_unit_test(test_types_of_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
