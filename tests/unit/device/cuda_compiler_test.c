/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA device's compiler, without a GPU. Skipped where there is no NVRTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/cubin.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/cuda/linker.h"
#include "tuner/device/device.h"

#include "kernel_kinds.h"

static const struct device_description sm90 = {.kind = "cuda", .name = "H100", .architecture = "sm_90"};

static const struct device_driver *cuda;

static int open_compiler(void **state)
{
    (void)state;
    cuda = device_driver_find("cuda");
    return cuda ? 0 : -1;
}

static void need_compiler(void)
{
    char name[128];
    cuda_compiler_name(name, sizeof name);
    if (!name[0]) {
        print_message("no NVRTC here\n");
        skip();
    }
    assert_int_equal(strncmp(name, "NVRTC 1", 7), 0);
    assert_non_null(strchr(name, '.'));
}

/* Compile `text` for sm_90, asking for one kernel. */
static struct compile_result compile_as(const char *text, const char *defines, const char *kernel, bool awaited)
{
    const char *kernels[] = {kernel};
    struct compile_request request = {
        .path = "/a/folder/kernel.cu",
        .text = text,
        .length = strlen(text),
        .folder = "/tmp",
        .defines = defines,
        .kernels = kernels,
        .kernel_count = 1,
        .awaited = awaited,
    };
    struct compile_result result;
    struct error error = {0};
    if (!cuda->compile(&sm90, &request, &result, &error))
        fail_msg("%s", error.text);
    assert_non_null(result.log);
    assert_true(result.seconds > 0);
    assert_int_equal(result.compiled, result.image != NULL);
    return result;
}

static struct compile_result compile_text(const char *text, const char *defines, const char *kernel)
{
    return compile_as(text, defines, kernel, false);
}

static void drop(struct compile_result *result)
{
    free(result->image);
    free(result->log);
}

static struct cubin_kernel facts_of(const struct compile_result *result, const char *kernel)
{
    struct image_view view;
    struct cubin_kernel facts;
    struct error error = {0};
    assert_true(result->compiled);
    assert_true(image_view(result->image, result->image_bytes, &view, &error));
    const char *lowered = image_lowered(&view, kernel);
    assert_non_null(lowered);
    if (!cubin_kernel(view.cubin, view.cubin_bytes, lowered, &facts, &error))
        fail_msg("%s", error.text);
    return facts;
}

static const char saxpy[] = "__global__ void saxpy(int n, float a, const float *x, float *y)\n"
                            "{\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n)\n"
                            "        y[i] = a * x[i] + y[i];\n"
                            "}\n";

static void test_saxpy(void **state)
{
    (void)state;
    need_compiler();
    struct compile_result result = compile_text(saxpy, "", "saxpy");
    assert_string_equal(result.log, "");
    assert_int_equal(result.spill_bytes, 0);
    struct cubin_kernel facts = facts_of(&result, "saxpy");
    assert_int_equal(facts.parameter_count, 4);
    assert_int_equal(facts.shared_bytes, 0);
    assert_int_equal(facts.stack_bytes, 0);
    assert_int_equal(facts.max_threads, 0);
    assert_in_range(facts.registers, 4, 32);
    drop(&result);
}

static const char matmul[] =
    "__global__ void __launch_bounds__(TILE * TILE) matmul(const float *a, const float *b, float *c, int n)\n"
    "{\n"
    "    __shared__ float as[TILE][TILE], bs[TILE][TILE];\n"
    "    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < n; k += TILE) {\n"
    "        as[y][x] = a[row * n + k + x];\n"
    "        bs[y][x] = b[(k + y) * n + column];\n"
    "        __syncthreads();\n"
    "        for (int i = 0; i < TILE; i++)\n"
    "            sum += as[y][i] * bs[i][x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[row * n + column] = sum;\n"
    "}\n";

static void test_matmul_with_defines(void **state)
{
    (void)state;
    need_compiler();
    static const struct {
        const char *define;
        int tile;
    } cases[] = {{"#define TILE 8\n", 8}, {"#define TILE 16\n", 16}, {"#define TILE 32", 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compile_result result = compile_text(matmul, cases[i].define, "matmul");
        struct cubin_kernel facts = facts_of(&result, "matmul");
        assert_int_equal(facts.shared_bytes, 2 * 4 * cases[i].tile * cases[i].tile);
        assert_int_equal(facts.max_threads, cases[i].tile * cases[i].tile);
        assert_int_equal(facts.parameter_count, 4);
        assert_in_range(facts.registers, 16, 255);
        drop(&result);
    }
}

/* An array indexed by a variable is on the stack; 400 bytes are 100 floats. */
static void test_stack(void **state)
{
    (void)state;
    need_compiler();
    struct compile_result result = compile_text("__global__ void f(float *x, int k)\n"
                                                "{\n"
                                                "    float a[100];\n"
                                                "    for (int i = 0; i < 100; i++)\n"
                                                "        a[i] = x[i];\n"
                                                "    x[0] = a[k] + a[k + 1];\n"
                                                "}\n",
                                                "", "f");
    assert_int_equal(facts_of(&result, "f").stack_bytes, 400);
    assert_int_equal(result.spill_bytes, 0);
    drop(&result);
}

/* 100 values to be kept in the 32 registers that 1024 threads twice a multiprocessor leave each thread. */
static const char spilling[] = "__global__ void __launch_bounds__(1024, 2) spill(float *x)\n"
                               "{\n"
                               "    float a[100];\n"
                               "    #pragma unroll\n"
                               "    for (int i = 0; i < 100; i++)\n"
                               "        a[i] = x[i * 1024 + threadIdx.x];\n"
                               "    __syncthreads();\n"
                               "    #pragma unroll\n"
                               "    for (int i = 0; i < 100; i++)\n"
                               "        x[i * 1024 + threadIdx.x] = a[i * 37 % 100] * a[99 - i];\n"
                               "}\n"
                               "__global__ void calm(float *x)\n"
                               "{\n"
                               "    *x = 1;\n"
                               "}\n";

static void test_spills(void **state)
{
    (void)state;
    need_compiler();
    struct compile_result result = compile_text(spilling, "", "spill");
    assert_int_equal(facts_of(&result, "spill").registers, 32);
    /* At least the values beyond the registers are stored once and loaded once. */
    assert_in_range(result.spill_bytes, 2 * 4 * (100 - 32), 100000);
    drop(&result);

    result = compile_text(spilling, "", "calm");
    assert_int_equal(result.spill_bytes, 0);
    drop(&result);
}

/* With all cores, which write their messages at the same time. */
static void test_what_is_awaited_has_the_same_figures(void **state)
{
    (void)state;
    need_compiler();
    struct compile_result alone = compile_text(spilling, "", "spill");
    struct compile_result awaited = compile_as(spilling, "", "spill", true);
    assert_int_equal(facts_of(&awaited, "spill").registers, 32);
    assert_int_equal(awaited.spill_bytes, alone.spill_bytes);
    assert_string_equal(awaited.log, alone.log);
    drop(&alone);
    drop(&awaited);
}

static void expect_failure(const char *text, const char *defines, const char *kernel, const char *said)
{
    struct compile_result result = compile_text(text, defines, kernel);
    assert_false(result.compiled);
    assert_int_equal(result.image_bytes, 0);
    if (!strstr(result.log, said))
        fail_msg("'%s' is not in the log:\n%s", said, result.log);
    assert_int_equal(result.too_large, strstr(said, "too much") != NULL);
    assert_null(strstr(result.log, "ptxas info"));
    assert_null(strstr(result.log, "name_map"));
    drop(&result);
}

static void test_errors_name_the_users_line(void **state)
{
    (void)state;
    need_compiler();
    expect_failure("\n\n__global__ void f(int *x)\n{\n    *x = WRONG;\n}\n", "#define A 1\n#define WRONG missing\n",
                   "f", "/a/folder/kernel.cu(5): error: identifier \"missing\" is undefined");
    expect_failure("__global__ void f(int *x) {}\n", "", "g",
                   "/a/folder/kernel.cu: error: there is no __global__ function 'g'");
    expect_failure("__global__ void f(int *x) {}\n__global__ void f(float *x) {}\n", "", "f",
                   "there is no __global__ function 'f', or more than one");
    expect_failure("__global__ void f(int *x) {}\n", "#define BROKEN(\n", "f", "<parameters>(1)");
    expect_failure("#include \"absent.h\"\n", "", "f", "/a/folder/kernel.cu(1): catastrophic error");
    expect_failure("__global__ void f(int *x)\n{\n    __shared__ int s[20000];\n    s[threadIdx.x] = *x;\n"
                   "    __syncthreads();\n    *x = s[5];\n}\n",
                   "", "f", "too much shared data");
}

static void test_warnings_are_kept(void **state)
{
    (void)state;
    need_compiler();
    struct compile_result result =
        compile_text("__global__ void f(int *x)\n{\n    int unused;\n    *x = 1;\n}\n", "", "f");
    assert_true(result.compiled);
    assert_non_null(strstr(result.log, "/a/folder/kernel.cu(3): warning"));
    assert_null(strstr(result.log, "ptxas"));
    drop(&result);
}

/* Every way to write a kernel that a template may ask for; the same on the CPU device (cpu_compiler_test.c). */
static void test_kernels_of_every_kind(void **state)
{
    (void)state;
    need_compiler();
    static const char text[] = KERNELS_OF_EVERY_KIND;
    static const char *const names[] = KERNEL_NAMES_OF_EVERY_KIND;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct compile_result result = compile_text(text, "#define WIDTH 8\n", names[i]);
        if (!result.compiled)
            fail_msg("%s: %s", names[i], result.log);
        drop(&result);
    }
    expect_failure(text, "", "twice", "there is no __global__ function 'twice', or more than one");
    expect_failure(text, "", "typed", "there is no __global__ function 'typed', or more than one");
}

static void test_names_plain_and_extern_c(void **state)
{
    (void)state;
    need_compiler();
    static const char text[] = "__constant__ float table[64];\n"
                               "namespace deep { __device__ int counter; }\n"
                               "extern \"C\" __global__ void plain(float *x) { *x = table[threadIdx.x]; }\n"
                               "template <int N> __global__ void many(float *x) { *x = N; }\n";
    const char *kernels[] = {"plain", "many<3>"};
    const char *symbols[] = {"table", "deep::counter"};
    struct compile_request request = {
        .path = "k.cu",
        .text = text,
        .length = sizeof text - 1,
        .kernels = kernels,
        .kernel_count = 2,
        .symbols = symbols,
        .symbol_count = 2,
    };
    struct compile_result result;
    struct error error = {0};
    struct image_view view;
    assert_true(cuda->compile(&sm90, &request, &result, &error));
    assert_true(result.compiled);
    assert_true(image_view(result.image, result.image_bytes, &view, &error));
    assert_string_equal(image_lowered(&view, "plain"), "plain");
    assert_string_equal(image_lowered(&view, "many<3>"), "_Z4manyILi3EEvPf"); /* Itanium C++ ABI */
    assert_string_equal(image_lowered(&view, "&table"), "table");
    assert_string_equal(image_lowered(&view, "&deep::counter"), "_ZN4deep7counterE");
    assert_null(image_lowered(&view, "table"));
    assert_null(image_lowered(&view, "other"));
    assert_int_equal((uintptr_t)view.cubin % 16, 0);
    drop(&result);

    symbols[1] = "absent";
    assert_true(cuda->compile(&sm90, &request, &result, &error));
    assert_false(result.compiled);
    assert_non_null(strstr(result.log, "k.cu: error: there is no __constant__ or __device__ variable 'absent'"));
    assert_null(strstr(result.log, "'table'"));
    drop(&result);
}

static void test_includes_options_and_awkward_paths(void **state)
{
    (void)state;
    need_compiler();
    char folder[] = "/tmp/tune nvrtc \"quoted\" XXXXXX", header[128];
    assert_non_null(mkdtemp(folder));
    snprintf(header, sizeof header, "%s/part.h", folder);
    FILE *file = fopen(header, "w");
    assert_non_null(file);
    assert_true(fputs("#define VALUE 7\n", file) >= 0);
    assert_int_equal(fclose(file), 0);

    static const char text[] = "#include \"part.h\"\n"
                               "#if VALUE != 7 || OPTION != 3\n#error no option\n#endif\n"
                               "__global__ void f(int *x) { *x = VALUE; broken }\n";
    char path[128];
    snprintf(path, sizeof path, "%s/back\\slash.cu", folder);
    const char *kernels[] = {"f"}, *options[] = {"-DOPTION=3", "-arch=sm_90a", "-std=c++14"};
    struct compile_request request = {
        .path = path,
        .text = text,
        .length = sizeof text - 1,
        .folder = folder,
        .kernels = kernels,
        .kernel_count = 1,
        .options = options,
        .option_count = 3,
    };
    struct compile_result result;
    struct error error = {0};
    assert_true(cuda->compile(&sm90, &request, &result, &error));
    assert_false(result.compiled);
    assert_non_null(strstr(result.log, "back\\slash.cu(5): error: identifier \"broken\" is undefined"));
    assert_null(strstr(result.log, "no option"));
    drop(&result);

    options[0] = "--no-such-option";
    assert_true(cuda->compile(&sm90, &request, &result, &error));
    assert_false(result.compiled);
    assert_non_null(strstr(result.log, "no-such-option"));
    drop(&result);
    assert_int_equal(unlink(header), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_unknown_architecture_is_an_error(void **state)
{
    (void)state;
    need_compiler();
    struct device_description future = sm90;
    strcpy(future.architecture, "sm_990");
    const char *kernels[] = {"saxpy"};
    struct compile_request request = {
        .path = "k.cu", .text = saxpy, .length = sizeof saxpy - 1, .kernels = kernels, .kernel_count = 1};
    struct compile_result result;
    struct error error = {0};
    assert_false(cuda->compile(&future, &request, &result, &error));
    assert_null(result.image);
    assert_null(result.log);
    assert_non_null(strstr(error.text, "cannot compile for sm_990"));
    assert_non_null(strstr(error.hint, "newer CUDA Toolkit"));
}

/* The cubins of all architectures yield the same facts. */
static void test_every_architecture(void **state)
{
    (void)state;
    need_compiler();
    struct nvrtc_library nvrtc;
    struct error error = {0};
    int count = 0, all[64];
    assert_true(nvrtc_library_open(&nvrtc, &error));
    assert_int_equal(nvrtc.architecture_count(&count), NVRTC_SUCCESS);
    assert_in_range(count, 1, 64);
    assert_int_equal(nvrtc.architectures(all), NVRTC_SUCCESS);
    nvrtc_library_close(&nvrtc);

    const char *kernels[] = {"matmul"};
    struct compile_request request = {
        .path = "k.cu",
        .text = matmul,
        .length = sizeof matmul - 1,
        .defines = "#define TILE 16",
        .kernels = kernels,
        .kernel_count = 1,
    };
    for (int i = 0; i < count; i++) {
        struct device_description description = sm90;
        struct compile_result result;
        snprintf(description.architecture, sizeof description.architecture, "sm_%d", all[i]);
        if (!cuda->compile(&description, &request, &result, &error))
            fail_msg("%s", error.text);
        struct cubin_kernel facts = facts_of(&result, "matmul");
        assert_int_equal(facts.shared_bytes, 2 * 4 * 16 * 16);
        assert_int_equal(facts.max_threads, 256);
        assert_int_equal(facts.parameter_count, 4);
        assert_int_equal(facts.stack_bytes, 0);
        assert_int_equal(result.spill_bytes, 0);
        assert_in_range(facts.registers, 16, 255);
        drop(&result);
    }
}

static void test_cuda_headers_are_found(void **state)
{
    (void)state;
    need_compiler();
    if (access("/usr/local/cuda/include/cuda_fp16.h", R_OK) != 0)
        skip();
    struct compile_result result = compile_text("#include <cuda_fp16.h>\n"
                                                "__global__ void f(__half *x) { *x = __float2half(1.0f); }\n",
                                                "", "f");
    if (!result.compiled)
        fail_msg("%s", result.log);
    drop(&result);
}

static bool holds(const struct compile_result *result, const char *name)
{
    return memmem(result->image, result->image_bytes, name, strlen(name)) != NULL;
}

static void need_linker(void)
{
    struct nvrtc_library nvrtc;
    struct linker linker;
    need_compiler();
    bool found = nvrtc_library_open(&nvrtc, NULL) && linker_open(&linker, &nvrtc, NULL);
    nvrtc_library_close(&nvrtc);
    if (!found) {
        print_message("no linker here\n");
        skip();
    }
    linker_close(&linker);
}

/* The linked image holds the kernels with their figures, and the run-time library. */
static void test_launches_are_linked(void **state)
{
    (void)state;
    need_linker();
    struct compile_result result = compile_text(
        "template <int N> __global__ void child(float *x) { __shared__ float s[N]; s[threadIdx.x] = *x;\n"
        "    __syncthreads(); x[threadIdx.x] = s[N - 1 - threadIdx.x]; }\n"
        "__global__ void parent(float *x, int n)\n"
        "{\n"
        "    cudaStream_t own;\n"
        "    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);\n"
        "    child<64><<<n, 64, 0, own>>>(x);\n"
        "    cudaStreamDestroy(own);\n"
        "    child<32><<<dim3(n, 2), 32, 0, cudaStreamTailLaunch>>>(x);\n"
        "    child<32><<<1, 32, 0, cudaStreamFireAndForget>>>(x);\n"
        "    if (cudaGetLastError() != cudaSuccess)\n"
        "        __trap();\n"
        "}\n",
        "", "parent");
    if (!result.compiled)
        fail_msg("%s", result.log);
    assert_string_equal(result.log, "");
    assert_int_equal(result.spill_bytes, 0);
    struct cubin_kernel facts = facts_of(&result, "parent");
    assert_int_equal(facts.parameter_count, 2);
    assert_in_range(facts.registers, 8, 64);
    assert_true(holds(&result, "__cudaCDP2LaunchDeviceV2") && holds(&result, "_Z5childILi64EEvPf"));
    drop(&result);

    result = compile_text(saxpy, "", "saxpy");
    assert_true(result.compiled && !holds(&result, "__cudaCDP2"));
    drop(&result);
}

static void test_launches_that_are_wrong(void **state)
{
    (void)state;
    need_linker();
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"__global__ void k(int *x) {}\n__global__ void parent(int *x) {\n    k<<<1, 1>>>(x, 2);\n}\n",
         "kernel.cu(3): error: too many arguments in function call"},
        {"__global__ void k(int *x) {}\n__global__ void parent(int *x) { k<<<1, 1>>>(x);\ncudaDeviceSynchronize(); "
         "}\n",
         "launch what comes after them into cudaStreamTailLaunch"},
#ifndef TUNE_SANITIZED /* nvJitLink loses memory when it fails */
        {"extern __device__ int elsewhere(int *);\n__global__ void k(int *x) {}\n"
         "__global__ void parent(int *x) { k<<<1, 1>>>(x); *x = elsewhere(x); }\n",
         "kernel.cu: error: the linker fails: "},
#endif
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compile_result result = compile_text(cases[i].text, "", "parent");
        assert_false(result.compiled);
        if (!strstr(result.log, cases[i].message))
            fail_msg("%s", result.log);
        drop(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saxpy),
        cmocka_unit_test(test_matmul_with_defines),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_spills),
        cmocka_unit_test(test_what_is_awaited_has_the_same_figures),
        cmocka_unit_test(test_errors_name_the_users_line),
        cmocka_unit_test(test_warnings_are_kept),
        cmocka_unit_test(test_kernels_of_every_kind),
        cmocka_unit_test(test_names_plain_and_extern_c),
        cmocka_unit_test(test_includes_options_and_awkward_paths),
        cmocka_unit_test(test_unknown_architecture_is_an_error),
        cmocka_unit_test(test_every_architecture),
        cmocka_unit_test(test_cuda_headers_are_found),
        cmocka_unit_test(test_launches_are_linked),
        cmocka_unit_test(test_launches_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
