/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nsource \"k.cu\"\nbuffer x : float[n] temp\n"                                           \
    "struct link {\n target : float*\n weight : half\n}\n"                                                           \
    "struct node {\n at : float3\n flags : char[2]\n links : link[2]\n}\nlet complex = 2\n"

static struct template *parse_argument(const char *argument)
{
    char text[1024];
    snprintf(text, sizeof text, HEAD "launch { k<<<1, 1>>>(%s) }\n", argument);
    return parse_template_text(text);
}

static const struct argument *argument_of(const struct template *t)
{
    return &t->launch.body.statements[0].arguments[0];
}

static void vectors_have_a_number_for_each_component(void **state)
{
    (void)state;
    struct template *t = parse_argument("double3(1, n * 2, double(0.5))");
    const struct argument *argument = argument_of(t);
    static const char *const values[] = {"1", "n * 2", "0.5"};
    assert_int_equal(argument->kind, ARGUMENT_COMPOUND);
    assert_string_equal(argument->type->layout->name, "double3");
    assert_int_equal(argument->part_count, 3);
    expect_span(argument->place, "double3(1, n * 2, double(0.5))");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(argument->parts[i].kind, ARGUMENT_SCALAR);
        assert_true(argument->parts[i].typed && argument->parts[i].element == ELEMENT_DOUBLE);
        assert_int_equal(argument->parts[i].at, 8 * i);
        expect_expr(argument->parts[i].value, values[i]);
    }
    template_free(t);
}

static void structs_nest(void **state)
{
    (void)state;
    struct template *t = parse_argument("node(float3(1, 2, 3), [4, 5], [link(x + n // 2, 0.5), link(0, half(1))])");
    const struct argument *argument = argument_of(t);
    static const size_t places[] = {0, 4, 8, 12, 13, 16, 24, 32, 40}; /* with 8 bytes of padding behind each link */
    assert_int_equal(argument->part_count, 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(argument->parts[i].at, places[i]);
    assert_int_equal(argument->parts[5].kind, ARGUMENT_BUFFER);
    expect_expr(argument->parts[5].offset, "n // 2");
    expect_span(argument->parts[5].place, "x + n // 2");
    assert_int_equal(argument->parts[7].kind, ARGUMENT_SCALAR);
    assert_int_equal(argument->parts[8].element, ELEMENT_HALF);
    template_free(t);
}

static void later_types_may_be_names(void **state)
{
    (void)state;
    struct template *t = parse_argument("complex + 1"); /* a let of an older template */
    assert_int_equal(argument_of(t)->kind, ARGUMENT_SCALAR);
    template_free(t);
    t = parse_argument("half(complex)");
    assert_true(argument_of(t)->typed && argument_of(t)->element == ELEMENT_HALF);
    template_free(t);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *argument, *message;
    } wrong[] = {
        {"float4(1, 2, 3)", "float4 has 4 components"},
        {"float2(1, 2, 3)", "float2 has 2 components"},
        {"float2()", "float2 has 2 components"},
        {"float2(1; 2)", "unexpected character ;"},
        {"float2(1, x)", "x is a buffer, not a value"},
        {"link(x)", "link has 2 fields"},
        {"link(1, 2)", "expected a buffer or 0 for a pointer, found '1'"},
        {"link(n, 2)", "expected a buffer or 0 for a pointer, found 'n'"},
        {"node(float2(1, 2), [1, 2], [link(0, 0), link(0, 0)])", "expected float3(...), found 'float2'"},
        {"node(float3(1, 2, 3), 4, [link(0, 0), link(0, 0)])", "expected '[', found '4'"},
        {"node(float3(1, 2, 3), [4], [link(0, 0), link(0, 0)])", "flags has 2 elements"},
        {"node(float3(1, 2, 3), [4, 5, 6], [link(0, 0), link(0, 0)])", "flags has 2 elements"},
        {"link(ref(x), 1)", "ref() and mag() may only be used in the reference"},
        {"complex(1, 2)", "expected ')', found '('"},
        {"link", "link is a struct, not a value"},
        {"float4", "unknown name float4"},
        {"float2(1, 2) + 1", "expected ')', found '+'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "launch { k<<<1, 1>>>(%s) }\n", wrong[i].argument);
        expect_refused(text, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_have_a_number_for_each_component),
        cmocka_unit_test(structs_nest),
        cmocka_unit_test(later_types_may_be_names),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
