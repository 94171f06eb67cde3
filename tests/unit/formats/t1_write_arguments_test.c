/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_export_fixture.h"

static void test_arguments(void **state)
{
    (void)state;
    json_t *document = exported(
        "template t\nsize n = 100\nparameter A\nsource \"t.cu\"\n"
        "buffer a : float[n] in uniform(-1, 2)\nbuffer b : double[n * A] out\nbuffer c : uchar[4] inout constant(7)\n"
        "buffer d : ushort[8] in index()\nbuffer e : int[2] in\nbuffer f : long[A] temp\nbuffer g : int[3] in "
        "constant(A)\n"
        "setup \"s.cu\" { s<<<1, 1>>>(e) }\n"
        "launch {\n copy table <- d\n copy own <- g\n k<<<1, 1>>>(a, b + 5, c, e, f, g, 7, A * 2, double(n), "
        "0.5)\n}\n"
        "reference \"r.cu\" { r<<<1, 1>>>(ref(b), ref(c)) }\ncheck b exact\ncheck c exact\n",
        "space s of t\nset A = 3\n",
        "the kernel gets b at an offset: exported without the offset\n"
        "e is initialized by the template's setup: exported with random values\n"
        "the initial value of g depends on parameters: exported as 0\n");
#define VECTOR "'MemoryType': 'Vector', "
    expect_member(
        document, "KernelSpecification", "Arguments",
        "[{'Name': 'a', 'Type': 'float', " VECTOR "'AccessType': 'ReadOnly', 'Size': 100, 'FillType': 'Random',"
        " 'FillValue': 2},"
        "{'Name': 'b', 'Type': 'double', " VECTOR "'AccessType': 'WriteOnly', 'Size': '(100 * A)',"
        " 'FillType': 'Constant', 'FillValue': 0, 'Output': 1},"
        "{'Name': 'c', 'Type': 'uint8', " VECTOR "'AccessType': 'ReadWrite', 'Size': 4, 'FillType': 'Constant',"
        " 'FillValue': 7, 'Output': 1},"
        "{'Name': 'e', 'Type': 'int32', " VECTOR "'AccessType': 'ReadOnly', 'Size': 2, 'FillType': 'Random',"
        " 'FillValue': 1.0},"
        "{'Name': 'f', 'Type': 'int64', " VECTOR "'AccessType': 'ReadWrite', 'Size': 'A', 'FillType': 'Constant',"
        " 'FillValue': 0},"
        "{'Name': 'own', 'Type': 'int32', " VECTOR "'MemType': 'Constant', 'AccessType': 'ReadOnly', 'Size': 3,"
        " 'FillType': 'Constant', 'FillValue': 0},"
        "{'Type': 'int32', 'MemoryType': 'Scalar', 'AccessType': 'ReadOnly', 'FillType': 'Constant', 'FillValue': 7},"
        "{'Type': 'int32', 'MemoryType': 'Scalar', 'AccessType': 'ReadOnly', 'FillType': 'Script',"
        " 'DataSource': 'A * 2'},"
        "{'Type': 'double', 'MemoryType': 'Scalar', 'AccessType': 'ReadOnly', 'FillType': 'Constant',"
        " 'FillValue': 100},"
        "{'Type': 'float', 'MemoryType': 'Scalar', 'AccessType': 'ReadOnly', 'FillType': 'Constant',"
        " 'FillValue': 0.5},"
        "{'Name': 'table', 'Type': 'uint16', 'MemoryType': 'Symbol', 'AccessType': 'ReadOnly', 'Size': 8,"
        " 'FillType': 'Generator', 'DataSource': 'i'}]");
    json_decref(document);
}

static void test_what_t1_has_no_word_for(void **state)
{
    (void)state;
    json_t *document = exported(
        "template t\nsize n = 8\nparameter A\nsource \"t.cu\"\nbuffer a : float[n * n] in\n"
        "buffer b : float[n] temp\nsetup \"s.cu\" { s<<<1, 1>>>(a) }\n"
        "launch { k<<<1, 1, stream = 1>>>(texture(a, n, n), surface(b, n), float2(1, A)) }\n",
        "space s of t\nset A = 3\n",
        "T1 has no cooperative launches, launches on the host, clusters and streams: exported as a plain launch\n"
        "T1 has no textures and surfaces: a is exported as a buffer\n"
        "a is initialized by the template's setup: exported with random values\n"
        "T1 has no textures and surfaces: b is exported as a buffer\n"
        "an argument of type float2 is passed by value: exported without its values\n");
    expect_member(
        document, "KernelSpecification", "Arguments",
        "[{'Name': 'a', 'Type': 'float', " VECTOR "'AccessType': 'ReadOnly', 'Size': 64, 'FillType': 'Random',"
        " 'FillValue': 1.0},"
        "{'Name': 'b', 'Type': 'float', " VECTOR "'AccessType': 'ReadWrite', 'Size': 8, 'FillType': 'Constant',"
        " 'FillValue': 0},"
        "{'Type': 'float2', 'TypeSize': 8, 'MemoryType': 'Scalar', 'AccessType': 'ReadOnly', 'FillType': 'Constant',"
        " 'FillValue': 0}]");
    json_decref(document);
}

static void test_files(void **state)
{
    (void)state;
    json_t *document = exported("template t\nsize n = 8\nparameter A\nsource \"t.cu\"\nbuffer a : int[n] in\n"
                                "buffer b : int[n] in\nbuffer x : float[n] in file(\"x.mtx\")\n"
                                "buffer y : float[n] in file(\"y.raw\")\nmatrix M[n, n] = coo(a, b) file(\"m.mm\")\n"
                                "launch { k<<<1, 1>>>(a, x, y) }\n",
                                "space s of t\nset A = 3\n",
                                "a is read from m.mm, a Matrix Market file: exported with random values\n"
                                "x is read from x.mtx, a Matrix Market file: exported with random values\n"
                                "y is read from y.raw: exported as that file's name; if it is a .npy file, cut off "
                                "its header\n");
    expect_member(document, "KernelSpecification", "Arguments",
                  "[{'Name': 'a', 'Type': 'int32', " VECTOR "'AccessType': 'ReadOnly', 'Size': 8, 'FillType': "
                  "'Random', 'FillValue': 1.0},"
                  "{'Name': 'x', 'Type': 'float', " VECTOR "'AccessType': 'ReadOnly', 'Size': 8, 'FillType': "
                  "'Random', 'FillValue': 1.0},"
                  "{'Name': 'y', 'Type': 'float', " VECTOR "'AccessType': 'ReadOnly', 'Size': 8, 'FillType': "
                  "'BinaryRaw', 'DataSource': 'y.raw'}]");
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_what_t1_has_no_word_for), cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
