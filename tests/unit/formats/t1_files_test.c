/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_files.h"

#include <stdlib.h>
#include <unistd.h>

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *kernel_file, *source, *reference;
    } cases[] = {
        {"k.cu", "k.cu", "reference.cu"},
        {"../src/my kernel.cu", "my_kernel.cu", "reference.cu"},
        {"k.cu.hip", "k.cu", "reference.cu"},
        {"k.cl", "k.cu", "reference.cu"},
        {"reference.cu", "reference.cu", "by_default.cu"},
        {".cu", "kernel.cu", "reference.cu"},
        {"a/", "kernel.cu", "reference.cu"},
        {"\xc3\xa4.cu", "__.cu", "reference.cu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1 t1 = {.name = "t", .kernel_file = cases[i].kernel_file};
        struct t1_import import = {0};
        struct error error;
        assert_true(t1_name_files(&t1, &import, &error));
        assert_string_equal(import.source_file, cases[i].source);
        assert_string_equal(import.reference_file, cases[i].reference);
        assert_string_equal(import.kernel_file, cases[i].kernel_file);
        assert_string_equal(import.name, "t");
        t1_import_clear(&import);
    }
}

static void test_space(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {0};
    t1_fixture_create(&f);
    const char *conditions[] = {"block > tile", "tile < 4"};
    f.t1.name = "t";
    assert_true(t1_write_space(&f.t1, &import, &f.error));
    assert_string_equal(import.space, "space t of t \"as declared in T1\"\n\n"
                                      "param block = [32, 64]\nparam tile = [1, 2, 4]\n\n\n");
    f.t1.conditions = conditions;
    f.t1.condition_count = 2;
    f.t1.parameters[0].default_text = "64";
    f.t1.parameters[1].default_text = "1";
    assert_true(t1_write_space(&f.t1, &import, &f.error));
    assert_string_equal(import.space, "space t of t \"as declared in T1\"\n\n"
                                      "param block = [32, 64]\nparam tile = [1, 2, 4]\n\n"
                                      "where block > tile\nwhere tile < 4\n\ndefault block = 64, tile = 1\n");
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

/* Macros as program.c makes them for the kernel; one widening kernel for each type of output. */
static void test_reference(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {.source_file = strdup("k.cu")};
    const struct value fixed[] = {value_integer(-32), value_string("fast")};
    struct t1_argument arguments[] = {
        {.name = "x", .element = ELEMENT_FLOAT, .access = T1_READ},
        {.name = "y", .element = ELEMENT_UINT, .access = T1_WRITE},
        {.name = "z", .element = ELEMENT_UINT, .access = T1_READ_WRITE},
        {.memory = T1_SCALAR, .element = ELEMENT_DOUBLE, .access = T1_READ_WRITE},
    };
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 1;
    assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
    assert_null(import.reference);
    f.t1.argument_count = 4;
    assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
    assert_string_equal(import.reference,
                        "// The kernel in its default configuration, with which all others are compared.\n"
                        "#define block (-32)\n#define tile fast\n#define tile_fast 1\n#include \"k.cu\"\n"
                        "\n__global__ void tune_widen_uint(const unsigned int *values, double *expected, long long "
                        "count)\n{\n"
                        "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i < count)\n        expected[i] = (double)values[i];\n}\n");
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

static void test_placeholder(void **state)
{
    (void)state;
    struct t1 t1 = {.kernel = "k", .kernel_file = "a\"b\\c\n.cl", .foreign = true};
    struct t1_import import = {0};
    struct error error;
    assert_true(t1_write_placeholder(&t1, &import, &error));
    assert_string_equal(import.source, "#error \"put the kernel here, in CUDA: a_b_c_.cl has k\"\n");
    t1_import_clear(&import);
}

static char home[40];

static const char *in_home(const char *name)
{
    static char path[2][96];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", home, name);
    return path[turn];
}

static void put(const char *name)
{
    FILE *file = fopen(in_home(name), "w");
    assert_non_null(file);
    assert_true(fputs(name, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Files hold their names. `wanted`: the file that is read; "": none is there; else the error. */
static void expect_kernel(const char *kernel_file, const char *wanted, const char *message)
{
    struct input_file source;
    struct error error = {0};
    bool done = t1_read_kernel(in_home("t1/T1.json"), kernel_file, &source, &error);
    if (done != !message || (message && (!strstr(error.text, message) || error.code != ERROR_INPUT)))
        fail_msg("%s: '%s'", kernel_file, done ? "no error" : error.text);
    if (done && strcmp(source.bytes ? source.bytes : "", wanted) != 0)
        fail_msg("%s: %s is read", kernel_file, source.bytes ? source.bytes : "nothing");
    free(source.bytes);
}

static void test_kernels(void **state)
{
    (void)state;
    char command[200], secret[96];
    strcpy(home, "/tmp/tune-t1-XXXXXX");
    assert_non_null(mkdtemp(home));
    snprintf(command, sizeof command, "cd %s && mkdir t1 t1/sub t1/folder.cu && mkfifo t1/pipe.cu", home);
    assert_int_equal(system(command), 0);
    static const char *const files[] = {"secret", "secret.cu", "t1/k.cu", "t1/sub/k.cu.hip", "t1/id_rsa", "t1/b.cu"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(files[i]);
    assert_int_equal(symlink("../secret", in_home("t1/link.cu")), 0);
    assert_int_equal(symlink("id_rsa", in_home("t1/inner.cu")), 0);
    assert_int_equal(symlink("k.cu", in_home("t1/same.cu")), 0);
    assert_int_equal(symlink("..", in_home("t1/up")), 0);
    snprintf(secret, sizeof secret, "%s", in_home("secret.cu"));
    expect_kernel("k.cu", "t1/k.cu", NULL);
    expect_kernel("sub/k.cu.hip", "t1/sub/k.cu.hip", NULL);
    expect_kernel("./sub/k.cu.hip", "t1/sub/k.cu.hip", NULL);
    expect_kernel("elsewhere/k.cu", "t1/k.cu", NULL);
    expect_kernel("../other/b.cu", "t1/b.cu", NULL);
    expect_kernel("same.cu", "t1/k.cu", NULL);
    expect_kernel("absent.cu", "", NULL);
    expect_kernel("../secret.cu", "", NULL);
    expect_kernel("sub/../../secret.cu", "", NULL);
    expect_kernel(secret, "", NULL);
    expect_kernel("up/secret.cu", NULL, "secret.cu, which is no source beside the T1 file");
    expect_kernel("link.cu", NULL, "which is no source beside the T1 file");
    expect_kernel("inner.cu", NULL, "which is no source beside the T1 file");
    expect_kernel("id_rsa", NULL, "KernelFile: id_rsa has not the name of a source");
    expect_kernel("/etc/shadow", NULL, "KernelFile: /etc/shadow has not the name of a source");
    expect_kernel("../../../etc/passwd", NULL, "has not the name of a source");
    expect_kernel("sub/", NULL, "has not the name of a source");
    expect_kernel("pipe.cu", NULL, "it is not a regular file but a FIFO");
    expect_kernel("folder.cu", NULL, "it is a folder");
    snprintf(command, sizeof command, "rm -r %s", home);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_space),   cmocka_unit_test(test_reference),
        cmocka_unit_test(test_placeholder), cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
