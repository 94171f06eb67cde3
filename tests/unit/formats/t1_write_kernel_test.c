/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_export_fixture.h"

#define TEMPLATE(head, launch)                                                                                       \
    "template t\nsize n = 100\nsize m = 3\nparameter A\n" head                                                       \
    "buffer x : float[n] in constant(0.5)\nlaunch { " launch " }\n"

static void test_kernel(void **state)
{
    (void)state;
    json_t *document =
        exported(TEMPLATE("source \"one.cu\" if A == 1\nsource \"two.cu\"\noption \"-a\" if A == 1\noption \"-b\"\n",
                          "let b = 4 * A\n if A == 1 { j<<<1, 1>>>(x) } else { k<<<(n, b), b, 8 * A>>>(x) }"),
                 "space s of t\nparam A = [2, 1]\n",
                 "the template has 2 sources: exported with that of the default configuration\n"
                 "the dynamic shared memory depends on parameters: SharedMemory is exported as an expression\n");
    static const struct {
        const char *member, *wanted;
    } members[] = {
        {"KernelName", "'k'"},
        {"KernelFile", "'two.cu'"},
        {"CompilerOptions", "['-b']"},
        {"GlobalSizeType", "'CUDA'"},
        {"GlobalSize", "{'X': '100', 'Y': '(4 * A)', 'Z': '1'}"},
        {"LocalSize", "{'X': '(4 * A)', 'Y': '1', 'Z': '1'}"},
        {"SharedMemory", "'8 * A'"},
        {"ProblemSize", "[100, 3]"},
        {"BenchmarkName", "'t'"},
        {"Language", "'CUDA'"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        expect_member(document, "KernelSpecification", members[i].member, members[i].wanted);
    json_decref(document);
}

static void test_several_launches(void **state)
{
    (void)state;
    static const char one[] =
        "T1 describes one launch of one kernel: only the first launch of the template is exported\n";
    static const char *const bodies[] = {"k<<<1, 1>>>(x)\n l<<<2, 2>>>(x)", "for i in range(3) { k<<<1, 1>>>(x) }"};
    for (size_t i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, TEMPLATE("source \"t.cu\"\n", "%s"), bodies[i]);
        json_t *document = exported(text, "space s of t\nset A = 1\n", one);
        expect_member(document, "KernelSpecification", "KernelName", "'k'");
        expect_member(document, "KernelSpecification", "SharedMemory", "0");
        json_decref(document);
    }
}

/* What T1 cannot express is kept as written. */
static void test_as_written(void **state)
{
    (void)state;
    json_t *document =
        exported(TEMPLATE("source \"t.cu\"\n", "k<<<ceil(1 / gamma(A)), 1>>>(x)"), "space s of t\nset A = 1\n",
                 "ceil(1 / gamma(A)) is exported as written: T1 cannot express gamma() of a parameter\n");
    expect_member(document, "KernelSpecification", "GlobalSize", "{'X': 'ceil(1 / gamma(A))', 'Y': '1', 'Z': '1'}");
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_several_launches),
        cmocka_unit_test(test_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
