/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of data files with each allocation failing in turn: the right answer or lack of memory, and no leak.
 */
#include "tests/unit/data/opened.h"

#include "tests/unit/failing_allocator.h"

static const char right[] = Y "buffer x : float2[n] in file(\"x.npy\")\nbuffer z : float[n] in constant(1)\n"
                              "reference file(\"y.npy\")\n";

static bool add_up(const void *piece, size_t bytes, void *context, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < bytes; i++)
        *(size_t *)context += ((const unsigned char *)piece)[i];
    return true;
}

static bool read_elements(const struct data_file *file, struct error *error)
{
    const struct data_part part = {
        .path = file->path, .stamp = file->stamp, .offset = file->offset, .bytes = file->bytes, .item = 4};
    size_t sum = 0;
    bool done = data_read(&part, add_up, &sum, error);
    assert_true(!done || sum == file->bytes * (file->bytes - 1) / 2); /* 0, 1, 2 ... */
    return done;
}

/* All that a sweep asks. */
static bool use(const struct template *template, const char *other, struct error *error)
{
    struct inputs *inputs = NULL;
    const struct input_setting setting = {"z", other};
    const char *held, *named;
    int64_t size;
    bool done = inputs_open(template, &setting, 1, &inputs, error) && inputs_size(inputs, 0, &size, error) &&
                inputs_identify(inputs, &held, &named, error) && inputs_same(inputs, error) &&
                read_elements(inputs_of(inputs, 1, false)->file, error);
    if (done) {
        assert_int_equal(size, 16);
        assert_int_equal(strncmp(held, "ref(y)=", 7), 0);
        assert_non_null(strstr(named, "other.raw"));
    }
    inputs_free(inputs);
    return done;
}

static void test_use(void **state)
{
    (void)state;
    char other[512];
    struct error error = {0};
    struct template *template;
    opened_write("x.npy", "<f4", "False", "(16, 2)", 128);
    opened_write("y.npy", "<f8", "False", "(16,)", 128);
    opened_write("other.raw", "", "", "", 64);
    snprintf(other, sizeof other, "%s", opened_path("other.raw"));
    assert_true(template_parse("test.template", opened_folder, right, strlen(right), &template, &error));
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = use(template, other, &error);
        failed = failing_allocator_end();
        if (!done && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu: code %d: %s", n, (int)error.code, error.text);
    }
    assert_true(n > 10);
    template_free(template);
}

static const char sparse[] =
    "template t\nsize n = 16\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\nbuffer s : int[n + 1] in\n"
    "buffer c : int[n] in\nbuffer v : float[n] in\nmatrix A[n, n] = csr(s, c, v) file(\"a.mtx\")\n"
    "buffer b : float[n] in file(\"a.mtx\")\n";

static bool add_to(const void *piece, size_t bytes, void *context, struct error *error)
{
    (void)piece, (void)error;
    *(size_t *)context += bytes;
    return true;
}

static bool use_matrix(const struct template *template, struct error *error)
{
    struct inputs *inputs = NULL;
    struct sparse_matrix *matrix = NULL;
    size_t bytes = 0;
    bool done = inputs_open(template, NULL, 0, &inputs, error);
    if (done) {
        const struct data_file *file = inputs_of(inputs, 0, false)->file;
        const struct data_part part = {file->path, file->stamp, 0, file->bytes, 1, 0, 0};
        done = matrix_read(&part, "a.mtx", ELEMENT_FLOAT, 1, &matrix, error) &&
               matrix_take(matrix, MATRIX_DENSE, ELEMENT_FLOAT, 16, add_to, &bytes, error);
        assert_true(!done || bytes == 64);
    }
    matrix_free(matrix);
    inputs_free(inputs);
    return done;
}

static void test_matrix(void **state)
{
    (void)state;
    struct error error = {0};
    struct template *template;
    FILE *file = fopen(opened_path("a.mtx"), "wb");
    assert_non_null(file);
    fputs("%%MatrixMarket matrix coordinate real general\n4 4 2\n3 1 5\n1 2 7\n", file); /* to be put in order */
    assert_int_equal(fclose(file), 0);
    assert_true(template_parse("test.template", opened_folder, sparse, strlen(sparse), &template, &error));
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = use_matrix(template, &error);
        failed = failing_allocator_end();
        if (!done && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu: code %d: %s", n, (int)error.code, error.text);
    }
    assert_true(n > 20);
    template_free(template);
}

/* What is refused is refused for its own reason, or for lack of memory. */
static void test_refusals(void **state)
{
    (void)state;
    static const char *const reasons[] = {
        Y "buffer x : float[n] in file(\"none.npy\")\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n",
        Y "buffer x : double[n] in file(\"x.npy\")\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n",
        Y "buffer x : float[n] in file(\"torn.npy\")\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n",
        Y "buffer x : float[n] in uniform(0, 1)\nreference file(\"y.npy\")\n",
        Y "buffer x : float[n] in file(\"twice.mtx\")\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n",
    };
    FILE *twice = fopen(opened_path("twice.mtx"), "wb");
    assert_non_null(twice);
    fputs("%%MatrixMarket matrix coordinate pattern general\n4 4 3\n3 1\n1 2\n3 1\n", twice);
    assert_int_equal(fclose(twice), 0);
    opened_write("x.npy", "<f4", "False", "(16, 2)", 128);
    opened_write("y.npy", "<f8", "False", "(16,)", 128);
    opened_write("torn.npy", "<f4", "False", "(16, ", 128);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct template *template;
        struct inputs *inputs;
        struct error error = {0};
        assert_true(
            template_parse("test.template", opened_folder, reasons[i], strlen(reasons[i]), &template, &error));
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            failing_allocator_begin(n);
            assert_false(inputs_open(template, NULL, 0, &inputs, &error));
            failed = failing_allocator_end();
            if (error.code != ERROR_INPUT && (!failed || error.code != ERROR_OUT_OF_MEMORY))
                fail_msg("allocation %zu of case %zu: code %d: %s", n, i, (int)error.code, error.text);
        }
        template_free(template);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_use), cmocka_unit_test(test_matrix),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
