/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Templates: every statement in the structs, the files around a template, and its hash.
 */
#include "tests/unit/lang/templates.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char saxpy[] =
    "# The example of template.h\n"
    "template saxpy \"y = a*x + y\"\n"
    "size     n = 100000 if device.kind == \"cpu\" else 2 ** 26\n"
    "awkward  n = 1237\n"
    "parameter BLOCK \"threads of a block\"\n"
    "source   \"saxpy.cu\"\n"
    "buffer   x : float[n] in uniform(-1, 1)\n"
    "buffer   y : float[n] out\n"
    "launch { saxpy<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, 2.0, n) }\n"
    "reference \"reference.cu\" { saxpy_reference<<<ceil_div(n, 256), 256>>>(x, ref(y), mag(y), 2.0, n) }\n"
    "check    y within sum_error(2)\n"
    "work     flops = 2 * n, bytes = 8 * n\n";

static void test_example(void **state)
{
    (void)state;
    struct template *t = parse_template_text(saxpy);
    assert_string_equal(t->name, "saxpy");
    assert_string_equal(t->title, "y = a*x + y");
    assert_string_equal(t->path, "test.template");
    assert_string_equal(t->folder, "folder");
    assert_null(t->default_space);
    assert_int_equal(t->size_count, 1);
    assert_string_equal(t->sizes[0].name, "n");
    expect_expr(t->sizes[0].value, "100000 if device.kind == \"cpu\" else 2 ** 26");
    expect_expr(t->sizes[0].awkward, "1237");
    assert_int_equal(t->parameter_count, 1);
    assert_string_equal(t->parameters[0].meaning, "threads of a block");
    assert_int_equal(scope_kind(t->scope, t->parameters[0].slot), NAME_PARAMETER);
    assert_string_equal(scope_name(t->scope, t->parameters[0].slot), "BLOCK");
    assert_int_equal(t->source_count, 1);
    assert_string_equal(t->sources[0].file, "saxpy.cu");
    assert_null(t->sources[0].condition);
    expect_span(t->sources[0].place, "\"saxpy.cu\"");
    assert_int_equal(t->buffer_count, 2);
    assert_int_equal(t->buffers[0].role, BUFFER_IN);
    assert_int_equal(t->buffers[0].initial, INITIAL_UNIFORM);
    expect_expr(t->buffers[0].a, "-1");
    expect_expr(t->buffers[0].b, "1");
    assert_int_equal(t->buffers[1].role, BUFFER_OUT);
    assert_int_equal(t->buffers[1].initial, INITIAL_NONE);
    assert_int_equal(t->check_count, 1);
    assert_int_equal(t->checks[0].buffer, 1);
    expect_expr(t->checks[0].bound, "sum_error(2)");
    expect_expr(t->work[WORK_FLOPS], "2 * n");
    expect_expr(t->work[WORK_BYTES], "8 * n");
    assert_false(t->setup.present || t->prepare.present);
    assert_int_equal(strlen(t->hash), 16);
    template_free(t);
}

static void test_evaluated(void **state)
{
    (void)state;
    struct template *t = parse_template_text(saxpy);
    struct value *slots = calloc(scope_count(t->scope), sizeof *slots);
    struct error error;
    size_t kind;
    int64_t n;
    assert_non_null(slots);
    assert_true(scope_find(t->scope, "device.kind", &kind));
    slots[kind] = value_string("cuda");
    assert_true(expr_integer(t->sizes[0].value, slots, &n, NULL));
    assert_int_equal(n, 67108864);
    slots[t->sizes[0].slot] = value_integer(n);
    const struct statement *launch = &t->launch.body.statements[0];
    assert_false(expr_integer(launch->grid[0], slots, &n, &error)); /* the space says nothing about BLOCK */
    assert_string_equal(error.text, "parameter BLOCK has no value");
    assert_int_equal(error.line, 9);
    slots[t->parameters[0].slot] = value_integer(256);
    assert_true(expr_integer(launch->grid[0], slots, &n, NULL));
    assert_int_equal(n, 262144);
    free(slots);
    template_free(t);
}

static void test_launch(void **state)
{
    (void)state;
    struct template *t = parse_template_text(saxpy);
    assert_int_equal(t->launch.body.count, 1);
    const struct statement *s = &t->launch.body.statements[0];
    assert_int_equal(s->kind, STATEMENT_LAUNCH);
    assert_string_equal(s->name, "saxpy");
    expect_expr(s->grid[0], "ceil_div(n, BLOCK)");
    assert_null(s->grid[1]);
    expect_expr(s->block[0], "BLOCK");
    assert_null(s->shared);
    assert_int_equal(s->argument_count, 4);
    assert_int_equal(s->arguments[0].kind, ARGUMENT_BUFFER);
    assert_int_equal(s->arguments[2].kind, ARGUMENT_SCALAR);
    assert_false(s->arguments[2].typed);
    const struct statement *r = &t->reference.body.statements[0];
    assert_string_equal(t->reference.file, "reference.cu");
    assert_int_equal(r->arguments[1].kind, ARGUMENT_REFERENCE);
    assert_int_equal(r->arguments[1].buffer, 1);
    assert_int_equal(r->arguments[2].kind, ARGUMENT_MAGNITUDE);
    expect_span(r->arguments[2].place, "mag(y)");
    template_free(t);
}

static const char wide[] = "template wide\r\n"
                           "size n = 64\n"
                           "size m = 2 * n\n"
                           "awkward n = 7, m = n + 4\n"
                           "parameter CHUNK\n"
                           "parameter VARIANT\n"
                           "let chunks = ceil_div(n, CHUNK)\n"
                           "source \"a.cu\" if VARIANT == 'a'\n"
                           "source \"b.cu\"\n"
                           "option \"--use_fast_math\" if VARIANT != 'a'\n"
                           "option '-lineinfo'\n"
                           "buffer a : float[n] in\n"
                           "buffer b : float[n] inout constant(1)\n"
                           "buffer c : uint[m * 2] temp\n"
                           "buffer flag : int[1] temp\n"
                           "buffer d : float[n] temp\n"
                           "setup \"setup.cu\" { make<<<1, n>>>(a) }\n"
                           "prepare {\n"
                           "    layout<<<(n, 1), (8, 4, 2), 4 * CHUNK>>>(a, d)\n"
                           "}\n"
                           "launch {\n"
                           "    let half = n // 2\n"
                           "    for i in range(0, n, CHUNK) {\n"
                           "        copy samples <- a[i : min(i + CHUNK, n)]\n"
                           "        let j = i + half\n"
                           "        copy<<<1, n>>>(b + i * 2, uint(n), float(j), int(half), long(n * n),\n"
                           "                       (n if j < 3 else m), double(0.5))\n"
                           "    }\n"
                           "    if VARIANT == 'a' { fill c = 0 } elif n > 3 {\n"
                           "        copy b[4] <- d\n"
                           "    }\n"
                           "    else { swap b, d }\n"
                           "    repeat chunks while flag { step<<<1, 1>>>(flag) }\n"
                           "    for i in [1] { step<<<1, i>>>(flag) }\n"
                           "    copy b <- d[: 3]\n"
                           "}\n"
                           "reference \"reference.cu\" { for i in range(2) { ref<<<1, i>>>(ref(b)) } }\n"
                           "check b exact\n"
                           "work bytes = n\n"
                           "default space all\n";

static void test_statements(void **state)
{
    (void)state;
    struct template *t = parse_template_text(wide);
    assert_string_equal(t->default_space, "all");
    expect_expr(t->sizes[1].awkward, "n + 4");
    expect_expr(t->sources[0].condition, "VARIANT == 'a'");
    assert_int_equal(t->option_count, 2);
    expect_expr(t->options[0].condition, "VARIANT != 'a'");
    assert_string_equal(t->options[1].text, "-lineinfo");
    assert_null(t->options[1].condition);
    assert_int_equal(t->let_count, 1);
    assert_ptr_equal(t->buffers[2].type->layout, &scalar_layouts[ELEMENT_UINT]);
    assert_int_equal(t->buffers[1].initial, INITIAL_CONSTANT);
    assert_string_equal(t->setup.file, "setup.cu");
    assert_null(t->checks[0].bound);
    assert_null(t->work[WORK_FLOPS]);
    const struct statement *layout = t->prepare.body.statements;
    expect_expr(layout->grid[1], "1");
    expect_expr(layout->block[2], "2");
    assert_null(layout->grid[2]);
    expect_expr(layout->shared, "4 * CHUNK");
    template_free(t);
}

static void test_blocks(void **state)
{
    (void)state;
    struct template *t = parse_template_text(wide);
    const struct statement *s = t->launch.body.statements;
    assert_int_equal(t->launch.body.count, 6);
    assert_int_equal(s[0].kind, STATEMENT_LET);
    assert_int_equal(scope_kind(t->scope, s[0].slot), NAME_LOOP);
    assert_int_equal(s[1].kind, STATEMENT_FOR);
    expect_expr(s[1].value, "range(0, n, CHUNK)");
    assert_int_equal(s[1].body.count, 3);
    const struct statement *upload = &s[1].body.statements[0], *call = &s[1].body.statements[2];
    assert_int_equal(upload->kind, STATEMENT_COPY_SYMBOL);
    assert_string_equal(upload->name, "samples");
    assert_int_equal(upload->buffer, 0);
    expect_expr(upload->first, "i");
    expect_expr(upload->last, "min(i + CHUNK, n)");
    assert_int_equal(call->kind, STATEMENT_LAUNCH); /* of a kernel called copy */
    assert_int_equal(call->argument_count, 7);
    expect_expr(call->arguments[0].offset, "i * 2");
    static const enum element typed[] = {ELEMENT_UINT, ELEMENT_FLOAT, ELEMENT_INT, ELEMENT_LONG};
    for (int i = 0; i < 4; i++)
        assert_true(call->arguments[i + 1].typed && call->arguments[i + 1].element == typed[i]);
    assert_false(call->arguments[5].typed);
    assert_int_equal(s[2].kind, STATEMENT_IF);
    assert_int_equal(s[2].body.statements[0].kind, STATEMENT_FILL);
    assert_int_equal(s[2].otherwise.count, 1);
    const struct statement *elif = s[2].otherwise.statements;
    assert_int_equal(elif->kind, STATEMENT_IF);
    assert_int_equal(elif->body.statements[0].kind, STATEMENT_COPY);
    assert_int_equal(elif->body.statements[0].buffer, 4);
    assert_int_equal(elif->body.statements[0].other, 1);
    expect_expr(elif->body.statements[0].at, "4");
    assert_int_equal(elif->otherwise.statements[0].kind, STATEMENT_SWAP);
    assert_int_equal(s[3].kind, STATEMENT_REPEAT);
    assert_int_equal(s[3].buffer, 3);
    expect_expr(s[3].value, "chunks");
    assert_int_equal(s[4].slot, s[1].slot); /* the same name in another block */
    assert_null(s[5].first);
    expect_expr(s[5].last, "3");
    size_t slot;
    assert_false(scope_find(t->scope, "i", &slot)); /* it ended with its block */
    template_free(t);
}

/* Files */

struct folder {
    char path[64];
};

static void make_folder(struct folder *folder)
{
    strcpy(folder->path, "/tmp/tune-template-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
}

static void write_file(const struct folder *folder, const char *name, const char *text, size_t length)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const struct folder *folder, const char *name, const char *text)
{
    write_file(folder, name, text, strlen(text));
}

static void remove_folder(const struct folder *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder->path);
    assert_int_equal(system(command), 0);
}

static void write_saxpy(const struct folder *folder)
{
    write_text(folder, "saxpy.template", saxpy);
    write_text(folder, "saxpy.cu", "__global__ void saxpy(int a) { a = 'x' + \"//\"[0]; }\n");
    write_text(folder, "reference.cu", "#define A B\n__global__ void saxpy_reference() {}\n");
}

static void hash_of(const struct folder *folder, char hash[17])
{
    struct template *t;
    struct error error = {0};
    if (!template_read(folder->path, &t, &error))
        fail_msg("%s", error.text);
    strcpy(hash, t->hash);
    template_free(t);
}

static void expect_hash(const struct folder *folder, const char *name, const char *text, const char *wanted,
                        bool same)
{
    char hash[17];
    write_text(folder, name, text);
    hash_of(folder, hash);
    if ((strcmp(hash, wanted) == 0) != same)
        fail_msg("%s with \"%s\" has %s hash", name, text, same ? "another" : "the same");
}

static void test_hash_of_sources(void **state)
{
    (void)state;
    struct folder folder;
    char first[17];
    make_folder(&folder);
    write_saxpy(&folder);
    hash_of(&folder, first);
    expect_hash(&folder, "saxpy.cu",
                "// a comment\n__global__\n  void saxpy( int a ) {\r\n a = /* // */ 'x' + \"//\" [ 0 ] ; }", first,
                true);
    expect_hash(&folder, "saxpy.cu", "__global__ void saxpy(int a) { a = 'x' + \"/ /\"[0]; }\n", first, false);
    expect_hash(&folder, "saxpy.cu", "__global__ void saxpy(int a) { a = 'y' + \"//\"[0]; }\n", first, false);
    expect_hash(&folder, "saxpy.cu", "__global__ void saxpy(inta) { a = 'x' + \"//\"[0]; }\n", first, false);
    expect_hash(&folder, "saxpy.cu", "__global__ void saxpy(int a) { a = 'x' + \"//\"[0]; }\n", first, true);
    expect_hash(&folder, "reference.cu", "#define A\nB __global__ void saxpy_reference() {}\n", first, false);
    expect_hash(&folder, "reference.cu", "  #define A \\\n  B  // comment\n\n__global__ void saxpy_reference()\n{}\n",
                first, true);
    expect_hash(&folder, "notes.txt", "not a source", first, true);
    expect_hash(&folder, "part.cuh", "int x;", first, true); /* what it includes: sources_test.c */
    remove_folder(&folder);
}

static void test_hash_of_text(void **state)
{
    (void)state;
    struct template *a = parse_template_text("template t\nsource \"a.cu\"\nlaunch { k<<<1, 2>>>() }\n");
    struct template *b = parse_template_text("\n# new\ntemplate   t\n\n\nsource 'a.cu' # x\nlaunch { k<<<1,2>>>()}");
    struct template *c =
        parse_template_text("\xef\xbb\xbftemplate t\r\n source \"a.cu\" # x\r\nlaunch{k<<<1,2>>>()}");
    struct template *d = parse_template_text("template t\nsource \"a.cu\"\nlaunch { k<<<1, 12>>>() }\n");
    assert_string_not_equal(a->hash, b->hash); /* the quotes are another token */
    assert_string_equal(a->hash, c->hash);
    assert_string_not_equal(a->hash, d->hash);
    template_free(a);
    template_free(b);
    template_free(c);
    template_free(d);
}

static void expect_failure(const char *path, const char *wanted)
{
    struct template *t;
    struct error error = {0};
    assert_false(template_read(path, &t, &error));
    if (!strstr(error.text, wanted))
        fail_msg("\"%s\" does not say \"%s\"", error.text, wanted);
    assert_int_equal(error.code, ERROR_INPUT);
}

static void test_files(void **state)
{
    (void)state;
    struct folder folder;
    char path[256];
    make_folder(&folder);
    expect_failure(folder.path, "no *.template file in ");
    write_saxpy(&folder);
    write_text(&folder, "other.template", saxpy);
    expect_failure(folder.path, ": other.template, saxpy.template");
    snprintf(path, sizeof path, "%s/saxpy.cu", folder.path);
    expect_failure(path, "saxpy.cu is not a template");
    snprintf(path, sizeof path, "%s/nothing.template", folder.path);
    expect_failure(path, "No such file");
    snprintf(path, sizeof path, "%s/reference.cu", folder.path);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/saxpy.template", folder.path);
    expect_failure(path, "no such file: ");
    snprintf(path, sizeof path, "%s/reference.cu", folder.path);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/saxpy.template", folder.path);
    expect_failure(path, "reference.cu is not a regular file but a FIFO");
    snprintf(path, sizeof path, "%s/saxpy.cu", folder.path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/saxpy.template", folder.path);
    expect_failure(path, "saxpy.cu is not a regular file but a folder");
    snprintf(path, sizeof path, "%s/pipe.template", folder.path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_failure(path, "it is not a regular file");
    if (geteuid() != 0) {
        snprintf(path, sizeof path, "%s/saxpy.template", folder.path);
        assert_int_equal(chmod(path, 0), 0);
        expect_failure(path, "Permission denied");
    }
    remove_folder(&folder);
}

/* Ten megabytes of comments and lets; and more than the limits. */
static void test_large(void **state)
{
    (void)state;
    static const char head[] = "template t\nsource \"a.cu\"\nlaunch { k<<<1, 1>>>() }\n";
    enum { LETS = 10000, COMMENT = 1100 };
    char *text = malloc(20000000);
    struct template *t;
    struct error error = {0};
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < LETS; i++)
        length += (size_t)sprintf(text + length, "let name%d = %d + 1 # %*s\n", i, i, COMMENT, "long");
    assert_true(length > 10000000);
    if (!template_parse("large", ".", text, length, &t, &error))
        fail_msg("%s", error.text);
    assert_int_equal(t->let_count, LETS);
    template_free(t);
    size_t more = (size_t)sprintf(text + length, "let one_more = 1\n");
    assert_false(template_parse("more", ".", text, length + more, &t, &error));
    assert_string_equal(error.text, "there are more than 10000 lets");
    memset(text + length, '\n', 20000000 - length);
    assert_false(template_parse("larger", ".", text, 20000000, &t, &error));
    assert_non_null(strstr(error.text, "larger than 16 MiB"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),      cmocka_unit_test(test_evaluated), cmocka_unit_test(test_launch),
        cmocka_unit_test(test_statements),   cmocka_unit_test(test_blocks),    cmocka_unit_test(test_hash_of_sources),
        cmocka_unit_test(test_hash_of_text), cmocka_unit_test(test_files),     cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
