/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces with every option and without. */
#include "tests/unit/lang/templates.h"

#include "tuner/lang/texture.h"

#define HEAD "template t\nsize n = 16\nparameter B\nsource \"k.cu\"\nbuffer x : float[n] temp\n"

static void expect(const struct expr *expr, const char *text)
{
    if (text)
        expect_expr(expr, text);
    else
        assert_null(expr);
}

static void test_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum argument_kind kind;
        const char *extent[3], *filter, *address, *normalized;
    } cases[] = {
        {"texture(x)", ARGUMENT_TEXTURE, {0}, NULL, NULL, NULL},
        {"surface(x, n)", ARGUMENT_SURFACE, {"n"}, NULL, NULL, NULL},
        {"texture(x, 4, 4)", ARGUMENT_TEXTURE, {"4", "4"}, NULL, NULL, NULL},
        {"texture(x, 2, B, 2, normalized = B == 2, filter = \"linear\", address = \"wrap\")",
         ARGUMENT_TEXTURE,
         {"2", "B", "2"},
         "\"linear\"",
         "\"wrap\"",
         "B == 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char whole[1024];
        snprintf(whole, sizeof whole, HEAD "launch { k<<<1, 1>>>(%s, n) }\n", cases[i].text);
        struct template *t = parse_template_text(whole);
        const struct argument *argument = t->launch.body.statements->arguments;
        assert_int_equal(t->launch.body.statements->argument_count, 2);
        assert_int_equal(argument->kind, cases[i].kind);
        assert_int_equal(argument->buffer, 0);
        expect_span(argument->place, cases[i].text);
        for (unsigned j = 0; j < 3; j++) {
            expect(argument->texture->extent[j], cases[i].extent[j]);
            assert_int_equal(j < argument->texture->dimensions, cases[i].extent[j] != NULL);
        }
        expect(argument->texture->filter, cases[i].filter);
        expect(argument->texture->address, cases[i].address);
        expect(argument->texture->normalized, cases[i].normalized);
        template_free(t);
    }
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "launch { k<<<1, 1>>>(texture(n)) }\n", "n is a size, not a buffer");
    expect_refused(HEAD "launch { k<<<1, 1>>>(texture(x, 1, 2, 3, 4)) }\n",
                   "a texture or surface has three dimensions at most");
    expect_refused(HEAD "launch { k<<<1, 1>>>(texture(x, filtre = \"linear\")) }\n",
                   "a texture has no option filtre");
    expect_refused(HEAD "launch { k<<<1, 1>>>(texture(x, 4, filter = \"linear\", filter = \"point\")) }\n",
                   "filter is given twice");
    expect_refused(HEAD "launch { k<<<1, 1>>>(surface(x, 4, filter = \"linear\")) }\n", "a surface has no options");
    expect_refused(HEAD "launch { k<<<1, 1>>>(texture(x + 1)) }\n", "expected ')', found '+'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
