/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_read.h"

#define SPACE  "'ConfigurationSpace': {'TuningParameters': [{'Name': 'tile', 'Values': [1, 2]}]}"
#define KERNEL "'KernelName': 'k', 'KernelFile': 'k.cu'"

static bool read_document(struct t1_fixture *f, const char *text)
{
    *f = (struct t1_fixture){.space = json_of(text)};
    return t1_read(f->space, "T1.json", NULL, &f->t1, &f->error);
}

static void test_kernel(void **state)
{
    (void)state;
    struct t1_fixture f;
    assert_success(read_document(&f, "{" SPACE ", 'General': {'BenchmarkName': 'my bench'}, 'KernelSpecification': {"
                                     "'KernelName': 'ns::k<int>', 'KernelFile': 'sub/k.cu', 'BenchmarkName': 'other',"
                                     "'CompilerOptions': ['-O3', '', '-DX=1'], 'ProblemSize': [64, '2 * 8'],"
                                     "'SharedMemory': 'tile * 4', 'Arguments': [{'Name': 'y', 'Type': 'float',"
                                     "'MemoryType': 'Vector', 'Size': 'ProblemSize[1]'}]}}"),
                   &f.error);
    assert_string_equal(f.t1.name, "my_bench");
    assert_string_equal(f.t1.kernel, "ns::k<int>");
    assert_string_equal(f.t1.kernel_file, "sub/k.cu");
    assert_false(f.t1.foreign);
    assert_int_equal(f.t1.option_count, 1); /* the empty one is left out */
    assert_string_equal(f.t1.options[0], "-DX=1");
    assert_int_equal(f.t1.size_count, 2);
    assert_string_equal(f.t1.sizes[1], "problem_size_y");
    assert_string_equal(f.t1.size_values[1], "2 * 8");
    assert_string_equal(f.t1.shared, "tile * 4");
    assert_string_equal(f.t1.arguments[0].size, "problem_size_y");
    expect_notes(&f, "option -O3 is left to tune\n"
                     "no parameter gives the block size: assumed 256 x 1 x 1 threads, as in Kernel Tuner\n");
    t1_fixture_free(&f);
}

static void test_names_and_languages(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *name;
        bool foreign;
    } cases[] = {
        {KERNEL, "k", false},
        {KERNEL ", 'BenchmarkName': '1b'", "_1b", false},
        {KERNEL ", 'BenchmarkName': '', 'Language': 'cuda'", "k", false},
        {KERNEL ", 'Language': 'HIP'", "k", false},
        {KERNEL ", 'Language': 'CUDA Fortran'", "k", true},
        {KERNEL ", 'Language': 'OpenCL'", "k", true},
        /* An argument that cannot be read matters only to a kernel that is compiled. */
        {KERNEL ", 'Language': 'OpenCL', 'Arguments': [{'MemoryType': 'Image'}]", "k", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct t1_fixture f;
        snprintf(text, sizeof text, "{" SPACE ", 'KernelSpecification': {%s}}", cases[i].kernel);
        assert_success(read_document(&f, text), &f.error);
        assert_string_equal(f.t1.name, cases[i].name);
        assert_int_equal(f.t1.foreign, cases[i].foreign);
        assert_int_equal(f.t1.argument_count, 0);
        assert_string_equal(f.t1.shared, "0");
        t1_fixture_free(&f);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[]", "T1.json: \"ConfigurationSpace\" is missing or not an object"},
        {"{" SPACE "}", "T1.json: \"KernelSpecification\" is missing or not an object"},
        {"{" SPACE ", 'KernelSpecification': {}}",
         "T1.json: KernelSpecification: \"KernelName\" is missing, empty or not a string"},
        {"{" SPACE ", 'KernelSpecification': {'KernelName': 'k', 'KernelFile': ''}}",
         "T1.json: KernelSpecification: \"KernelFile\" is missing, empty or not a string"},
        {"{" SPACE ", 'KernelSpecification': {" KERNEL ", 'CompilerOptions': [1]}}",
         "T1.json: CompilerOptions[0] is not a string"},
        {"{" SPACE ", 'KernelSpecification': {" KERNEL ", 'ProblemSize': [1, 2, 3, 4]}}",
         "T1.json: ProblemSize has 4 extents; at most 3 are supported"},
        {"{" SPACE ", 'KernelSpecification': {" KERNEL ", 'ProblemSize': {}}}",
         "T1.json: ProblemSize must be a number or an expression"},
        {"{" SPACE ", 'KernelSpecification': {" KERNEL ", 'SharedMemory': [1]}}",
         "T1.json: SharedMemory must be a number or an expression"},
        {"{" SPACE ", 'KernelSpecification': {" KERNEL ", 'LocalSize': {'Y': []}}}",
         "T1.json: LocalSize.Y must be a number or an expression"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        assert_refused(&f, read_document(&f, cases[i].text), cases[i].message, "");
        t1_fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_names_and_languages),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
