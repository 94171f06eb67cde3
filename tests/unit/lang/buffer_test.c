/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD "template t\nsize n = 16\nsource \"k.cu\"\n"
#define TAIL "\nlaunch { k<<<1, 1>>>() }\n"

/* Every type with every role and the initial values that the role may have. */
static void test_declarations(void **state)
{
    (void)state;
    static const char *const roles[] = {"in", "out", "inout", "temp", "scratch"};
    static const struct {
        const char *text;
        enum initial_kind kind;
        const char *a, *b;
    } initials[] = {{"uniform(-n, 2 * n)", INITIAL_UNIFORM, "-n", "2 * n"},
                    {"constant(1)", INITIAL_CONSTANT, "1", NULL},
                    {"index()", INITIAL_INDEX, NULL, NULL}};
    for (int type = 0; type < ELEMENT_COUNT; type++) {
        for (int role = BUFFER_IN; role <= BUFFER_SCRATCH; role++) {
            for (size_t i = 0; i < 3; i++) {
                char text[512];
                bool input = role == BUFFER_IN || role == BUFFER_INOUT || role == BUFFER_SCRATCH,
                     output = role == BUFFER_OUT || role == BUFFER_INOUT;
                snprintf(text, sizeof text, HEAD "buffer x : %s[n + 1] %s %s%s%s", element_types[type].name,
                         roles[role], input ? initials[i].text : "", TAIL,
                         output ? "reference \"r.cu\" { k<<<1, 1>>>(ref(x)) }\ncheck x exact\n" : "");
                struct template *t = parse_template_text(text);
                const struct buffer_declaration *x = t->buffers;
                assert_int_equal(t->buffer_count, 1);
                assert_string_equal(x->name, "x");
                assert_ptr_equal(x->type->layout, &scalar_layouts[type]);
                assert_int_equal(x->role, role);
                expect_expr(x->extent, "n + 1");
                expect_span(x->place, "x");
                assert_int_equal(x->initial, input ? initials[i].kind : INITIAL_NONE);
                if (input && initials[i].a)
                    expect_expr(x->a, initials[i].a);
                if (input && initials[i].b)
                    expect_expr(x->b, initials[i].b);
                template_free(t);
            }
        }
    }
}

static void test_syntax(void **state)
{
    (void)state;
    expect_refused(HEAD "buffer : float[n] temp" TAIL, "expected the name of a buffer, found ':'");
    expect_refused(HEAD "buffer x float[n] temp" TAIL, "expected ':', found 'float'");
    expect_refused(HEAD "buffer x : 3[n] temp" TAIL, "expected an element type, found '3'");
    expect_refused(HEAD "buffer x : float5[n] temp" TAIL, "unknown type float5");
    expect_refused(HEAD "buffer x : float[[n]] temp" TAIL, "a list cannot be used as a value");
    expect_refused(HEAD "buffer x : float[x] temp" TAIL, "unknown name x");
    expect_refused(HEAD "buffer x : float[n]" TAIL,
                   "expected in, out, inout, temp or scratch, found the end of the line");
    expect_refused(HEAD "buffer x : float[n] in zeros()" TAIL, "unknown initializer zeros");
    expect_refused(HEAD "buffer x : float[n] in uniform(1)" TAIL, "expected ',', found ')'");
    expect_refused(HEAD "buffer x : float[n] in index(1)" TAIL, "expected ')', found '1'");
    expect_refused(HEAD "buffer x : float[n] temp\nbuffer x : int[n] temp" TAIL, "x is already a buffer");
}

/* What each buffer must have shows at the end of the template: declarations come in any order. */
static void test_whole(void **state)
{
    (void)state;
    expect_refused(HEAD "buffer x : float[n] in" TAIL, "x has no initial values");
    expect_refused(HEAD "buffer x : float[n] inout constant(0)" TAIL, "output x is never checked");
    expect_refused(HEAD "buffer x : float[n] scratch" TAIL, "x has no initial values");
    expect_refused(HEAD "buffer x : float[n] temp constant(0)" TAIL,
                   "x is poisoned before every validated run and cannot have initial values");
    expect_refused(HEAD "buffer x : float[n] out" TAIL "reference \"r.cu\" { r<<<1, 1>>>(x) }\ncheck x exact\n",
                   "the reference never writes ref(x)");
    template_free(parse_template_text(HEAD "buffer x : float[n] in" TAIL "setup \"s.cu\" { s<<<1, 1>>>(x) }\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_declarations), cmocka_unit_test(test_syntax),
                                       cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
