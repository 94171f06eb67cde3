/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct template *gemm(void)
{
    static const char text[] = "template gemm\n"
                               "size M = 64\n"
                               "parameter VARIANT\nparameter TILE_M\nparameter TILE_N\nparameter REG_N\n"
                               "let area = TILE_M * TILE_N\n"
                               "source \"gemm.cu\"\n"
                               "launch { for i in [1] { gemm<<<i, 1>>>() } }\n";
    struct template *template = NULL;
    struct error error = {0};
    if (!template_parse("gemm.template", ".", text, strlen(text), &template, &error))
        fail_msg("line %u: %s", error.line, error.text);
    return template;
}

static const char joint[] = "space joint_reg_smem of gemm \"one operand in registers, the other in shared memory\"\n"
                            "set     VARIANT = \"joint\"\n"
                            "param   TILE_M = pow2(32, 256)\n"
                            "param   TILE_N = [16, 32]\n"
                            "set     REG_N = min(4, M)\n"
                            "let     threads = area // REG_N\n"
                            "let     i = 3   # free again: a loop variable of the template had it\n"
                            "where   32 <= threads <= device.max_threads_per_block\n"
                            "default TILE_M = 64, TILE_N = 16\n";

static struct space *parse(const struct template *template, const char *text)
{
    struct space *space = NULL;
    struct error error = {0};
    if (!space_parse("test.space", text, strlen(text), template, &space, &error))
        fail_msg("line %u: %s", error.line, error.text);
    return space;
}

static void test_example(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct space *s = parse(t, joint);
    assert_string_equal(s->name, "joint_reg_smem");
    assert_string_equal(s->title, "one operand in registers, the other in shared memory");
    assert_string_equal(s->path, "test.space");
    assert_int_equal(s->setting_count, 2);
    assert_int_equal(s->settings[0].slot, t->parameters[0].slot);
    assert_int_equal(s->parameter_count, 2);
    assert_int_equal(s->let_count, 2);
    assert_int_equal(s->constraint_count, 1);
    assert_int_equal(s->default_count, 2);
    assert_int_equal(s->member_count, 0);
    assert_int_equal(strlen(s->hash), 16);
    space_free(s);
    template_free(t);
}

static void test_scope(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct space *s = parse(t, joint);
    for (size_t slot = 0; slot < scope_count(t->scope); slot++) {
        assert_string_equal(scope_name(s->scope, slot), scope_name(t->scope, slot));
        assert_int_equal(scope_kind(s->scope, slot), scope_kind(t->scope, slot));
    }
    assert_int_equal(scope_count(s->scope), scope_count(t->scope) + 2);
    assert_int_equal(s->lets[0].slot, scope_count(t->scope));
    assert_int_equal(scope_kind(s->scope, s->lets[1].slot), NAME_LET);
    size_t slot;
    assert_false(scope_find(t->scope, "threads", &slot));
    assert_true(scope_find(s->scope, "i", &slot) && slot == s->lets[1].slot);
    space_free(s);
    template_free(t);
}

static void set(struct value *slots, const struct space *space, const char *name, struct value value)
{
    size_t slot;
    assert_true(scope_find(space->scope, name, &slot));
    slots[slot] = value;
}

static void test_evaluated(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct space *s = parse(t, joint);
    struct value *slots = calloc(scope_count(s->scope), sizeof *slots), *values;
    struct error error;
    size_t count;
    bool holds;
    assert_non_null(slots);
    assert_true(expr_list(s->parameters[0].values, slots, &values, &count, NULL));
    assert_int_equal(count, 4);
    assert_int_equal(values[3].integer, 256);
    free(values);
    assert_false(expr_truth(s->constraints[0].condition, slots, &holds, &error));
    assert_string_equal(error.text, "threads has no value here");
    set(slots, s, "threads", value_integer(2048));
    set(slots, s, "device.max_threads_per_block", value_integer(1024));
    assert_true(expr_truth(s->constraints[0].condition, slots, &holds, &error));
    assert_false(holds);
    set(slots, s, "threads", value_integer(32));
    assert_true(expr_truth(s->constraints[0].condition, slots, &holds, &error) && holds);
    free(slots);
    space_free(s);
    template_free(t);
}

/* `count` lets, each of which reads the one before. */
static char *chain_of_lets(size_t count, const char *link)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs("space chain of gemm\nlet l0 = TILE_M\n", out);
    for (size_t i = 1; i < count; i++)
        fprintf(out, "let l%zu = %sl%zu\n", i, link, i - 1);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* What walks an expression walks through its lets: the whole is limited as if it were written in one. */
static void test_chain_of_lets(void **state)
{
    (void)state;
    static const struct {
        const char *link;
        unsigned refused_in_line; /* of 1000 levels the first let has one; each link takes one for its name and one
                                     for each operation */
    } cases[] = {{"", 1002}, {"1 + ", 502}, {"1 + -", 336}};
    struct template *t = gemm();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space *s = NULL;
        struct error error = {0};
        char *few = chain_of_lets(300, cases[i].link), *many = chain_of_lets(100000, cases[i].link);
        space_free(parse(t, few));
        assert_false(space_parse("test.space", many, strlen(many), t, &s, &error));
        assert_non_null(strstr(error.text, "nests more than 1000 operations"));
        assert_int_equal(error.line, cases[i].refused_in_line);
        free(few);
        free(many);
    }
    template_free(t);
}

static void test_hash(void **state)
{
    (void)state;
    struct template *t = gemm();
    struct space *a = parse(t, "space s of gemm\nparam REG_N = [1, 2]\n");
    struct space *b = parse(t, "# other words\n\nspace s of gemm\n\nparam   REG_N=[1,\n  2] # values");
    struct space *c = parse(t, "space s of gemm\nparam REG_N = [1, 3]\n");
    struct space *d = parse(t, "space s of gemm\nparam REG_N = [12]\n");
    assert_string_equal(a->hash, b->hash);
    assert_string_not_equal(a->hash, c->hash);
    assert_string_not_equal(a->hash, d->hash);
    space_free(a);
    space_free(b);
    space_free(c);
    space_free(d);
    template_free(t);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.space", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void read_hash(const char *path, const struct template *template, char hash[17])
{
    struct space *space = NULL;
    struct error error = {0};
    if (!space_read(path, template, &space, &error))
        fail_msg("%s", error.text);
    strcpy(hash, space->hash);
    space_free(space);
}

static void test_union(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-space-XXXXXX", path[128], command[128], first[17], second[17];
    struct template *t = gemm();
    struct space *s = NULL;
    struct error error = {0};
    assert_non_null(mkdtemp(folder));
    write_file(folder, "full", "space full of gemm \"every variant\"\nunion joint_reg_smem, rest\n");
    write_file(folder, "joint_reg_smem", joint);
    write_file(folder, "rest", "space rest of gemm\nunion plain\n");
    write_file(folder, "plain", "space plain of gemm\nset VARIANT = 'plain'\n");
    snprintf(path, sizeof path, "%s/full.space", folder);
    if (!space_read(path, t, &s, &error))
        fail_msg("%s", error.text);
    assert_int_equal(s->member_count, 2);
    assert_string_equal(s->members[0]->name, "joint_reg_smem");
    assert_int_equal(s->members[0]->parameter_count, 2);
    assert_string_equal(s->members[1]->members[0]->name, "plain");
    assert_int_equal(s->parameter_count + s->setting_count + s->constraint_count, 0);
    space_free(s);
    read_hash(path, t, first);
    write_file(folder, "plain", "space plain of gemm\nset VARIANT = 'other'\n");
    read_hash(path, t, second);
    assert_string_not_equal(first, second); /* a member of a member has changed */
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    template_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),       cmocka_unit_test(test_scope), cmocka_unit_test(test_evaluated),
        cmocka_unit_test(test_chain_of_lets), cmocka_unit_test(test_hash),  cmocka_unit_test(test_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
