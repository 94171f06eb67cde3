/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GRAMMAR.md is complete, and its examples are read without an error.
 */
#include "tests/unit/lang/templates.h"
#include "tuner/description/description.h"
#include "tuner/evaluation/measured.h"
#include "tuner/lang/function.h"
#include "tuner/lang/space.h"

#include <ctype.h>
#include <stdlib.h>

static char page[65536];

static int read_page(void **state)
{
    (void)state;
    FILE *file = fopen(TUNE_SOURCE_FOLDER "/tuner/lang/GRAMMAR.md", "r");
    if (!file)
        return -1;
    size_t length = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    return length == 0 || length == sizeof page - 1 ? -1 : 0;
}

/* Is the word in the page, as a whole? */
static void expect_word(const char *word)
{
    size_t length = strlen(word);
    for (const char *at = page; (at = strstr(at, word)); at++) {
        char before = at == page ? ' ' : at[-1], behind = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)behind) && behind != '_')
            return;
    }
    fail_msg("GRAMMAR.md does not mention %s", word);
}

static void test_tables(void **state)
{
    (void)state;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        expect_word(functions[i].name);
    for (int i = 0; i < ELEMENT_COUNT; i++)
        expect_word(element_types[i].name);
    for (size_t i = 0; i < device_field_count; i++)
        expect_word(device_fields[i].name);
    for (size_t i = 0; i < measured_figure_count; i++)
        expect_word(measured_figures[i].name);
}

/* The code block behind a heading, NUL-terminated; the caller frees it. */
static char *example(const char *heading)
{
    const char *at = strstr(page, heading);
    assert_non_null(at);
    const char *start = strstr(at, "```\n");
    assert_non_null(start);
    start += 4;
    const char *end = strstr(start, "```");
    assert_non_null(end);
    char *text = strndup(start, (size_t)(end - start));
    assert_non_null(text);
    return text;
}

static void test_template(void **state)
{
    (void)state;
    char *text = example("\n## Templates\n");
    struct template *t = parse_template_text(text);
    assert_string_equal(t->name, "saxpy");
    template_free(t);
    free(text);
}

static void test_blocks(void **state)
{
    (void)state;
    static const char head[] =
        "template t\nsize n = 1\nsize k = 1\nparameter CHUNK\nparameter BLOCK\nparameter VARIANT\n"
        "let blocks = n\nsource \"k.cu\"\nbuffer x : float[n] temp\nbuffer y : float[n] temp\n"
        "buffer z : float[n] temp\nbuffer packed : float[n] temp\n"
        "buffer trajectory : float[n] temp\nbuffer flag : int[1] temp\n";
    char *blocks = example("\n### Blocks\n"), text[4096];
    assert_true(snprintf(text, sizeof text, "%s%s", head, blocks) < (int)sizeof text);
    struct template *t = parse_template_text(text);
    assert_int_equal(t->launch.body.count, 3);
    template_free(t);
    free(blocks);
}

static void test_space(void **state)
{
    (void)state;
    struct template *t = parse_template_text("template gemm\nparameter VARIANT\nparameter TILE_M\nparameter TILE_N\n"
                                             "parameter REG_N\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n");
    char *text = example("\n## Spaces\n");
    struct space *space = NULL;
    struct error error = {0};
    if (!space_parse("s.space", text, strlen(text), t, &space, &error))
        fail_msg("line %u: %s", error.line, error.text);
    assert_string_equal(space->name, "joint_reg_smem");
    space_free(space);
    template_free(t);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_template),
                                       cmocka_unit_test(test_blocks), cmocka_unit_test(test_space)};
    return cmocka_run_group_tests(tests, read_page, NULL);
}
