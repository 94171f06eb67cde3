/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes in any order and number, beside dynamic shared memory whose name looks like one. */
#include "tests/unit/lang/templates.h"

#include "tuner/lang/launch_attributes.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nparameter B\nsource \"k.cu\"\nbuffer x : float[n] temp\nbuffer y : float[n] temp\n"

static const struct statement *parse(const char *head, const char *text, struct template **t)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%slaunch { %s\n k<<<1, 1>>>() }\n", head, text);
    *t = parse_template_text(whole);
    assert_int_equal((*t)->launch.body.count, 2);
    expect_span((*t)->launch.body.statements[0].place, text);
    return (*t)->launch.body.statements;
}

static void expect(const struct expr *expr, const char *text)
{
    if (text)
        expect_expr(expr, text);
    else
        assert_null(expr);
}

static void test_attributes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shared, *condition, *cluster[3], *stream, *launches, *host_if;
        bool cooperative, host;
    } cases[] = {
        {.text = "k<<<1, 1, n>>>()", .shared = "n"},
        {.text = "k<<<1, 1, cooperative>>>()", .cooperative = true},
        {.text = "k<<<1, 1, 4, cooperative>>>()", .shared = "4", .cooperative = true},
        {.text = "k<<<1, 1, cooperative = B == 1>>>()", .condition = "B == 1", .cooperative = true},
        {.text = "k<<<1, 1, cluster = 2>>>()", .cluster = {"2"}},
        {.text = "k<<<1, 1, stream = B, cluster = (B, 2, 1), cooperative>>>()",
         .cluster = {"B", "2", "1"},
         .stream = "B",
         .cooperative = true},
        {.text = "k<<<1, 1, host>>>()", .host = true},
        {.text = "k<<<1, 1, 4, stream = 2, host = B == 3>>>()",
         .shared = "4",
         .stream = "2",
         .host_if = "B == 3",
         .host = true},
        {.text = "k<<<1, 1, launches = 2 * n>>>()", .launches = "2 * n"},
        {.text = "k<<<1, 1, 8 * B,\n cluster = (2, 1), stream = 1>>>()",
         .shared = "8 * B",
         .cluster = {"2", "1"},
         .stream = "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct template *t;
        const struct statement *s = parse(HEAD, cases[i].text, &t);
        expect(s->shared, cases[i].shared);
        assert_int_equal(s->attributes.cooperative, cases[i].cooperative);
        expect(s->attributes.cooperative_if, cases[i].condition);
        assert_int_equal(s->attributes.host, cases[i].host);
        expect(s->attributes.host_if, cases[i].host_if);
        for (size_t j = 0; j < 3; j++)
            expect(s->attributes.cluster[j], cases[i].cluster[j]);
        expect(s->attributes.stream, cases[i].stream);
        expect(s->attributes.launches, cases[i].launches);
        template_free(t);
    }
}

/* What the template declares is a value where one may stand. */
static void test_declared_names(void **state)
{
    (void)state;
    struct template *t;
    const struct statement *s = parse(HEAD "let cooperative = 64\n", "k<<<1, 1, cooperative, stream = 1>>>()", &t);
    expect_expr(s->shared, "cooperative");
    assert_false(s->attributes.cooperative);
    template_free(t);
    s = parse(HEAD "let cooperative = 64\n", "k<<<1, 1, 0, cooperative>>>()", &t);
    assert_true(s->attributes.cooperative);
    template_free(t);
    s = parse(HEAD "let host = 64\n", "k<<<1, 1, host>>>()", &t);
    expect_expr(s->shared, "host");
    assert_false(s->attributes.host);
    template_free(t);
    s = parse(HEAD "let stream = 64\n", "k<<<1, 1, stream, stream = stream>>>()", &t);
    expect_expr(s->shared, "stream");
    expect_expr(s->attributes.stream, "stream");
    template_free(t);
}

static void test_streams(void **state)
{
    (void)state;
    static const char *const texts[] = {"fill x = 0, stream = B", "copy x <- y, stream = B",
                                        "copy x[1] <- y[0 : 3], stream = B", "copy symbol <- y, stream = B"};
    struct template *t;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_expr(parse(HEAD, texts[i], &t)->attributes.stream, "B");
        template_free(t);
    }
    const struct statement *s = parse(HEAD, "wait B after 2 * B", &t);
    assert_int_equal(s->kind, STATEMENT_WAIT);
    expect_expr(s->value, "B");
    expect_expr(s->awaited, "2 * B");
    template_free(t);
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "launch { k<<<1, 1, 0, cooperativ>>>() }\n", "a launch has no attribute cooperativ");
    expect_refused(HEAD "launch { k<<<1, 1, priority = 1>>>() }\n", "a launch has no attribute priority");
    expect_refused(HEAD "launch { k<<<1, 1, stream = 1, stream = 2>>>() }\n", "stream is given twice");
    expect_refused(HEAD "launch { k<<<1, 1, stream = 1, 64>>>() }\n", "expected an attribute, found '64'");
    expect_refused(HEAD "launch { k<<<1, 1, 0, cluster>>>() }\n", "expected '=', found '>>>'");
    expect_refused(HEAD "launch { k<<<1, 1, cluster = (1, 1, 1, 2)>>>() }\n",
                   "a grid, block or cluster must be x, (x, y) or (x, y, z)");
    expect_refused(HEAD "launch { k<<<1, 1, cooperative = 1>>>() }\n",
                   "this condition is constant, so it never changes anything");
    expect_refused(HEAD "launch { fill x = 0, 1\n k<<<1, 1>>>() }\n", "expected 'stream', found '1'");
    expect_refused(HEAD "launch { wait 1\n k<<<1, 1>>>() }\n", "expected 'after', found the end of the line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attributes), cmocka_unit_test(test_declared_names),
                                       cmocka_unit_test(test_streams), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
