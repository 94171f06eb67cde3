/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD "template t \"title\"\n"
#define TAIL "\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"

#define BUFFER    "size n = 1\nbuffer x : int[n] temp\n"
#define BUFFERS   "size n = 1\nbuffer x : int[n] in index()\nbuffer y : int[n] out\nbuffer z : int[n] inout index()\n"
#define REFERENCE "reference \"r.cu\" { r<<<1, 1>>>(ref(y), ref(z)) }\n"

static void test_title(void **state)
{
    (void)state;
    struct template *t = parse_template_text("template t" TAIL);
    assert_string_equal(t->title, "");
    assert_null(t->default_space);
    assert_false(t->setup.present || t->prepare.present || t->reference.present);
    template_free(t);
    expect_refused("", "expected 'template', found the end of the text");
    expect_refused("template\n", "expected the template's name, found the end of the line");
    expect_refused("template \"t\"\n", "expected the template's name, found '\"t\"'");
    expect_refused(HEAD "template u" TAIL, "a file holds only one template");
    expect_refused(HEAD "flaot" TAIL, "unknown statement flaot");
}

static void test_sources_and_options(void **state)
{
    (void)state;
    struct template *t =
        parse_template_text(HEAD "parameter P \"meaning\"\nsource \"a.cu\" if P == 1\nsource 'b.cu'\n"
                                 "option '-lineinfo'\noption '-x' if P\n"
                                 "launch { k<<<1, 1>>>() }");
    assert_string_equal(t->parameters[0].meaning, "meaning");
    assert_int_equal(t->source_count, 2);
    expect_expr(t->sources[0].condition, "P == 1");
    assert_string_equal(t->sources[1].file, "b.cu");
    expect_span(t->sources[1].place, "'b.cu'");
    assert_null(t->sources[1].condition);
    assert_string_equal(t->options[1].text, "-x");
    expect_expr(t->options[1].condition, "P");
    template_free(t);
    static const char *const files[] = {"/a.cu", "x/a.cu", "../a.cu", ".cu", "a.cpp", "a.cu/", "acu", ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[128], message[128];
        snprintf(text, sizeof text, HEAD "source \"%s\"" TAIL, files[i]);
        snprintf(message, sizeof message, "%s is not the name of a .cu file in the template's folder", files[i]);
        expect_refused(text, message);
    }
    expect_refused(HEAD "source \"a.cu\"" TAIL, "this source is never used: the one before it has no condition");
    expect_refused(HEAD "option lineinfo" TAIL, "expected a compiler option in quotes, found 'lineinfo'");
}

static void test_sequences(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "setup \"s.cu\" { s<<<1, 1>>>() }\nprepare { p<<<1, 1>>>() }\n"
                                                  "reference \"r.cu\" { r<<<1, 1>>>() }" TAIL);
    assert_string_equal(t->setup.file, "s.cu");
    expect_span(t->setup.place, "\"s.cu\"");
    assert_true(t->prepare.present && t->launch.present && !t->prepare.file && !t->launch.file);
    expect_span(t->prepare.place, "prepare");
    assert_string_equal(t->reference.file, "r.cu");
    assert_string_equal(t->reference.body.statements[0].name, "r");
    template_free(t);
    expect_refused(HEAD "prepare { p<<<1, 1>>>() }\nprepare { p<<<1, 1>>>() }" TAIL, "duplicate prepare block");
    template_free(parse_template_text(HEAD BUFFER "prepare { copy constants <- x }" TAIL));
    template_free(parse_template_text(HEAD BUFFER "prepare { fill x = 0 }" TAIL));
    expect_refused(HEAD "prepare { let a = 1 }" TAIL, "this prepare block does nothing");
    expect_refused(HEAD "setup { s<<<1, 1>>>() }" TAIL, "expected a source file name in quotes, found '{'");
    expect_refused(HEAD "source \"k.cu\"\n", "template t has no launch block");
    expect_refused(HEAD "launch { k<<<1, 1>>>() }\n", "template t names no source");
}

static void test_work(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "size n = 1\nwork bytes = 4 * n\nwork flops = n" TAIL);
    expect_expr(t->work[WORK_BYTES], "4 * n");
    expect_expr(t->work[WORK_FLOPS], "n");
    template_free(t);
    expect_refused(HEAD "work flops = 1, flops = 2" TAIL, "flops is given twice");
    expect_refused(HEAD "work flops = 1\nwork flops = 2" TAIL, "flops is given twice");
    expect_refused(HEAD "work special = 1, special = 2" TAIL, "special is given twice");
    expect_refused(HEAD "work joules = 1" TAIL,
                   "expected 'flops', 'bytes', 'special', 'shared' or 'integer', found 'joules'");
    t = parse_template_text(HEAD "work integer = 5, special = 3, shared = 4 * 2" TAIL);
    assert_null(t->work[WORK_FLOPS]);
    expect_expr(t->work[WORK_SPECIAL], "3");
    expect_expr(t->work[WORK_SHARED], "4 * 2");
    expect_expr(t->work[WORK_INTEGER], "5");
    template_free(t);
}

/* In a block after the parameter, in order. */
static void test_described_values(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "parameter V \"how\" {\n  # the ladder\n  \"b\" \"begin\"\n\n"
                                                  "  'a' \"a # \\\"quoted\\\" one\"\n}\nparameter W { \"x\" \"y\" }\n"
                                                  "parameter E { }\nparameter P \"plain\"" TAIL);
    assert_int_equal(t->parameter_count, 4);
    assert_string_equal(t->parameters[0].meaning, "how");
    assert_int_equal(t->parameters[0].value_count, 2);
    assert_string_equal(t->parameters[0].values[0].value, "b");
    assert_string_equal(t->parameters[0].values[0].meaning, "begin");
    assert_string_equal(t->parameters[0].values[1].value, "a");
    assert_string_equal(t->parameters[0].values[1].meaning, "a # \"quoted\" one");
    assert_string_equal(t->parameters[1].meaning, "");
    assert_int_equal(t->parameters[1].value_count, 1);
    assert_int_equal(t->parameters[2].value_count, 0);
    assert_int_equal(t->parameters[3].value_count, 0);
    template_free(t);
    expect_refused(HEAD "parameter V { a \"b\" }" TAIL, "expected a value in quotes, found 'a'");
    expect_refused(HEAD "parameter V { \"a\" }" TAIL, "expected what the value means, in quotes, found '}'");
    expect_refused(HEAD "parameter V { \"a\" \"b\" \"c\" \"d\" }" TAIL,
                   "expected the end of the line, found '\"c\"'");
    expect_refused(HEAD "parameter V { \"a\" \"b\"\n \"a\" \"c\" }" TAIL, "a is described twice");
    expect_refused(HEAD "parameter V { \"a\" \"b\"\n", "this '{' is never closed");
}

/* At most 256. */
static void test_many_described_values(void **state)
{
    (void)state;
    for (int count = 256; count <= 257; count++) {
        static char text[257 * 32];
        size_t length = (size_t)sprintf(text, HEAD "parameter V {\n");
        for (int i = 0; i < count; i++)
            length += (size_t)sprintf(text + length, "\"v%d\" \"number %d\"\n", i, i);
        strcpy(text + length, "}" TAIL);
        if (count > 256) {
            expect_refused(text, "a parameter has at most 256 described values");
            continue;
        }
        struct template *t = parse_template_text(text);
        assert_string_equal(t->parameters[0].values[255].value, "v255");
        template_free(t);
    }
}

static void test_default_space(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "default space all" TAIL);
    assert_string_equal(t->default_space, "all");
    template_free(t);
    expect_refused(HEAD "default space a\ndefault space b" TAIL, "the default space is named twice");
    expect_refused(HEAD "default all" TAIL, "expected 'space' or 'objective', found 'all'");
}

static void test_blocks_after_the_launches(void **state)
{
    (void)state;
    struct template *t =
        parse_template_text(HEAD BUFFERS REFERENCE "check y exact\ncheck z exact\n"
                                                   "finish { copy y <- z }\nverify \"v.cu\" { v<<<1, 1>>>(y) }" TAIL);
    assert_true(t->finish.present && !t->finish.file);
    assert_int_equal(t->finish.body.count, 1);
    assert_string_equal(t->verify.file, "v.cu");
    assert_string_equal(t->verify.body.statements[0].name, "v");
    template_free(t);
    expect_refused(HEAD "verify { v<<<1, 1>>>() }" TAIL, "expected a source file name in quotes, found '{'");
    expect_refused(HEAD "finish { let a = 1 }" TAIL, "this finish block does nothing");
    expect_refused(HEAD "verify \"v.cu\" { let a = 1 }" TAIL, "this verify block launches no kernel");
    expect_refused(HEAD "finish { f<<<1, 1>>>() }\nfinish { f<<<1, 1>>>() }" TAIL, "duplicate finish block");
    expect_refused(HEAD BUFFERS "verify \"v.cu\" { v<<<1, 1>>>(ref(y)) }" TAIL,
                   "ref() and mag() may only be used in the reference");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title),
        cmocka_unit_test(test_sources_and_options),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_blocks_after_the_launches),
        cmocka_unit_test(test_described_values),
        cmocka_unit_test(test_many_described_values),
        cmocka_unit_test(test_default_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
