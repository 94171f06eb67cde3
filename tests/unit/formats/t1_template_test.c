/* SPDX-License-Identifier: Apache-2.0 */
/* The whole text of a template, written out by hand; it parses. */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_read.h"
#include "tuner/formats/t1_template.h"
#include "tuner/lang/template.h"

static void write(struct t1_fixture *f, const char *document, const char *notes, struct t1_import *import)
{
    const struct value fixed[] = {value_integer(64), value_integer(-2)};
    *f = (struct t1_fixture){.space = json_of(document)};
    *import = (struct t1_import){.notes = (char *)(uintptr_t)notes,
                                 .source_file = (char[]){"k.cu"},
                                 .reference_file = (char[]){"reference.cu"}};
    assert_success(t1_read(f->space, "dir\n/T1.json", NULL, &f->t1, &f->error), &f->error);
    assert_success(t1_write_template(&f->t1, f->space, fixed, import, &f->error), &f->error);
    struct template *template;
    assert_success(template_parse("it", ".", import->template, strlen(import->template), &template, &f->error),
                   &f->error);
    template_free(template);
}

#define PARAMETERS                                                                                                   \
    "'ConfigurationSpace': {'TuningParameters': [{'Name': 'block', 'Values': [32, 64]},"                             \
    "{'Name': 'shift', 'Values': [-2, 2]}]}"

static void test_outputs(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import;
    write(&f,
          "{" PARAMETERS ", 'KernelSpecification': {'KernelName': 'k', 'KernelFile': 's/k.cu', 'ProblemSize': 1000,"
          "'GridDivX': ['block'], 'LocalSize': {'X': 'block'}, 'SharedMemory': 'block',"
          "'CompilerOptions': ['-DX', '-lineinfo'], 'Arguments': ["
          "{'Name': 'y', 'Type': 'float', 'MemoryType': 'Vector', 'AccessType': 'WriteOnly', 'Size': 'ProblemSize'},"
          "{'Name': 'z', 'Type': 'int32', 'MemoryType': 'Vector', 'FillType': 'Random', 'FillValue': 9, 'Size': 4},"
          "{'Name': 'c', 'Type': 'double', 'MemoryType': 'Symbol', 'FillValue': 1.5, 'Size': 2},"
          "{'Name': 's', 'Type': 'int32', 'MemoryType': 'Scalar', 'FillValue': 'shift'},"
          "{'Type': 'float', 'MemoryType': 'Local', 'Size': 'block'}],"
          "'ReferenceArguments': [{'TargetName': 'y', 'ValidationMethod': 'AllClose',"
          "'ValidationThreshold': 0.5}, {'TargetName': 'z'}]}}",
          "one\ntwo\n", &import);
    static const char wanted[] =
        "# Imported from dir /T1.json; the kernel's source is s/k.cu\n"
        "# Note: one\n# Note: two\n"
        "\n"
        "template k \"k, imported\"\n"
        "default space k\n"
        "\n"
        "size problem_size_x = 1000\n"
        "\n"
        "parameter block\nparameter shift\n"
        "\n"
        "source \"k.cu\"\n"
        "option \"-DX\"\n"
        "option \"-lineinfo\" if device.kind == \"cuda\"\n"
        "\n"
        "buffer y : float[problem_size_x] out\n"
        "buffer z : int[4] inout uniform(0, 9)\n"
        "buffer c_values : double[2] in constant(1.5)\n"
        "\n"
        "launch {\n"
        "    copy c <- c_values\n"
        "    k<<<ceil_div(problem_size_x, block), block, (block) + (block) * 4>>>(y, z, int(shift))\n"
        "}\n"
        "\n"
        "# There is no reference. This is the kernel in its default configuration: it shows that all configurations\n"
        "# agree, not that they are right. Replace it by an independent one in double precision.\n"
        "reference \"reference.cu\" {\n"
        "    copy c <- c_values\n"
        "    k<<<ceil_div(problem_size_x, 64), 64, (64) + (64) * 4>>>(y, z, int((-2)))\n"
        "    tune_widen_float<<<ceil_div(problem_size_x, 256), 256>>>(y, ref(y), long(problem_size_x))\n"
        "    tune_widen_int<<<ceil_div(4, 256), 256>>>(z, ref(z), long(4))\n"
        "}\n"
        "\n"
        "check y within 1e-05 absolute 0.5\n"
        "check z exact\n";
    assert_string_equal(import.template, wanted);
    free(import.template);
    t1_fixture_free(&f);
}

static void test_other_buffers(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import;
    write(&f,
          "{" PARAMETERS ", 'KernelSpecification': {'KernelName': 'k', 'KernelFile': 'k.cu', 'GlobalSize': {'X': 1},"
          "'LocalSize': {'X': 8}, 'Arguments': ["
          "{'Name': 'y', 'Type': 'int32', 'MemoryType': 'Vector', 'AccessType': 'WriteOnly', 'Size': 8},"
          "{'Name': 't', 'Type': 'int32', 'MemoryType': 'Vector', 'AccessType': 'WriteOnly', 'Size': 8},"
          "{'Name': 's', 'Type': 'int32', 'MemoryType': 'Vector', 'FillValue': 3, 'Size': 8},"
          "{'Name': 'v', 'Type': 'float4', 'MemoryType': 'Vector', 'AccessType': 'WriteOnly', 'Size': 8},"
          "{'Type': 'float3', 'MemoryType': 'Scalar', 'FillValue': 0.5}],"
          "'ReferenceArguments': [{'TargetName': 'y'}, {'TargetName': 'v'}]}}",
          "", &import);
    assert_mentions(import.template,
                    "buffer y : int[8] out\nbuffer t : int[8] temp\nbuffer s : int[8] scratch constant(3)\n");
    assert_mentions(import.template, "buffer v : float4[8] out\n");
    assert_mentions(import.template, ">>>(y, t, s, v, float3(0.5, 0.5, 0.5))\n");
    assert_mentions(import.template,
                    "tune_around_float<<<ceil_div(4 * (8), 256), 256>>>(v, ref(v), mag(v), long(4 * (8)))\n");
    assert_mentions(import.template, "check y exact\ncheck v within 1e-4\n");
    assert_null(strstr(import.template, "check s"));
    free(import.template);
    t1_fixture_free(&f);
}

static void test_no_outputs(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import;
    write(&f,
          "{" PARAMETERS ", 'KernelSpecification': {'KernelName': 'k', 'KernelFile': 'k.cu', "
          "'GlobalSize': {'X': 1, 'Y': 2}, 'LocalSize': {'X': 8, 'Z': 2}}}",
          "", &import);
    assert_mentions(import.template, "launch {\n    k<<<(1, 2), (8, 1, 2)>>>()\n}\n");
    assert_null(strstr(import.template, "reference"));
    assert_null(strstr(import.template, "Note"));
    free(import.template);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_other_buffers),
        cmocka_unit_test(test_no_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
