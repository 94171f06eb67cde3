/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"
#include "tuner/lang/entry.h"

static struct template *gemm(void)
{
    return parse_template_text("template gemm\nsize M = 64\nparameter A\nparameter B\nparameter C\n"
                               "let area = A * B\nsource \"gemm.cu\"\nlaunch { gemm<<<1, 1>>>() }\n");
}

struct parsed {
    struct arena arena;
    struct text text;
    struct space space;
    struct list members;
    struct error error;
};

static bool parse(struct parsed *p, const struct template *template, const char *entries)
{
    char text[1024];
    memset(p, 0, sizeof *p);
    snprintf(text, sizeof text, "space s of gemm 'title'\n%s", entries);
    assert_true(text_copy(&p->text, &p->arena, "folder/s.space", text, strlen(text), &p->error));
    return parse_space(&p->text, &p->arena, template, &p->space, &p->members, &p->error);
}

static void test_entries(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct parsed p;
    if (!parse(&p, t,
               "param A = [1, M]\nset B = 2 if device.kind == 'cpu' else 3\nwhere area <= M\nlet half = A // 2\n"
               "where half > 0 and half < B\ndefault A = M\n"))
        fail_msg("%s", p.error.text);
    assert_string_equal(p.space.name, "s");
    assert_string_equal(p.space.title, "title");
    assert_int_equal(p.space.parameter_count, 1);
    assert_int_equal(p.space.parameters[0].slot, t->parameters[0].slot);
    expect_expr(p.space.parameters[0].values, "[1, M]");
    assert_int_equal(p.space.setting_count, 1);
    expect_expr(p.space.settings[0].value, "2 if device.kind == 'cpu' else 3");
    assert_int_equal(p.space.let_count, 1);
    assert_string_equal(p.space.lets[0].name, "half");
    assert_int_equal(p.space.constraint_count, 2);
    expect_expr(p.space.constraints[1].condition, "half > 0 and half < B");
    assert_int_equal(p.space.default_count, 1);
    assert_int_equal(p.members.count, 0);
    arena_free(&p.arena);
    template_free(t);
}

/* Where the values of a parameter stand does not matter to constraints and defaults. */
static void test_order(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct parsed p;
    assert_true(parse(&p, t, "where A < B\ndefault A = 1\nset B = 3\nparam A = [1, 2]\n"));
    arena_free(&p.arena);
    template_free(t);
}

/* Members of a union are named with their places; no file is read. */
static void test_union(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct parsed p;
    assert_true(parse(&p, t, "union one, two\nunion three\n"));
    const struct union_member *members = p.members.items;
    assert_int_equal(p.members.count, 3);
    assert_string_equal(members[0].name, "one");
    expect_span(members[1].place, "two");
    assert_string_equal(members[2].name, "three");
    arena_free(&p.arena);
    template_free(t);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *entries, *message;
    } cases[] = {
        {"param A = 1\n", "expected a list, found a single value"},
        {"param A = [1]\nparam A = [2]\n", "A already has values"},
        {"set A = 1\nparam A = [2]\n", "A already has a fixed value"},
        {"set M = 1\n", "template gemm has no parameter M"},
        {"set AA = 1\n", "template gemm has no parameter AA"},
        {"set A = B\n", "a fixed value cannot depend on B"},
        {"param A = [area]\n", "the values of a parameter cannot depend on area"},
        {"let x = 3\nset A = x\n", "a fixed value cannot depend on x"},
        {"param A = [1]\ndefault A = A\n", "a default cannot depend on A"},
        {"param A = [1]\ndefault A = 1, A = 2\n", "A already has a default"},
        {"default A = 1\n", "A is not varied by this space, so it cannot have a default"},
        {"set A = 1\ndefault A = 1\n", "A is fixed by `set`, so it cannot have a default"},
        {"where A\n", "parameter A has no value in this space"},
        {"let area = 1\n", "area is already a let"},
        {"where [1]\n", "a list cannot be used as a value"},
        {"union x, y, x\n", "x is already in this union"},
        {"union x,\n", "expected the name of a space, found the end of the line"},
        {"union x\nset A = 1\n", "a space is a union or has parameters of its own, not both"},
        {"let x = 1\nunion y\n", "a space is a union or has parameters of its own, not both"},
        {"buffer x\n", "unknown statement buffer"},
    };
    struct template *t = gemm();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct parsed p;
        if (parse(&p, t, cases[i].entries))
            fail_msg("%s is accepted", cases[i].entries);
        assert_string_equal(p.error.text, cases[i].message);
        arena_free(&p.arena);
    }
    template_free(t);
}

/* A let that no constraint reads may read a parameter without a value: it is evaluated lazily. */
static void test_lazy_let(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct parsed p;
    assert_true(parse(&p, t, "let x = C\nparam A = [1]\n"));
    arena_free(&p.arena);
    template_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries), cmocka_unit_test(test_order),    cmocka_unit_test(test_union),
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_lazy_let),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
