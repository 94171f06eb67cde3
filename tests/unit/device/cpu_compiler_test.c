/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling with the host's compiler: messages, headers, options, kept files, failing compilers. */
#include "cpu_fixture.h"
#include "kernel_kinds.h"

#include <stdio.h>

/* The compiler's log for a request that must not compile. */
static char *log_of(struct cpu_fixture *fixture, const struct compile_request *request)
{
    struct compile_result result;
    assert_success(cpu->compile(&fixture->description, request, &result, &fixture->error), &fixture->error);
    assert_false(result.compiled);
    assert_null(result.image);
    return result.log;
}

static void assert_log(struct cpu_fixture *fixture, const char *text, const char *kernel, const char *expected)
{
    struct compile_request request = request_for(fixture, text, &kernel);
    request.defines = "#define UNUSED 1\n#define ALSO 2\n";
    char *log = log_of(fixture, &request);
    if (!strstr(log, expected))
        fail_msg("'%s' is not in:\n%s", expected, log);
    free(log);
}

static void messages_name_the_users_file_and_line(void **state)
{
    assert_log(*state,
               "extern __shared__ float a[]; extern __shared__\n"
               "    float b[];\n"
               "__global__ void k(float *x) {\n"
               "#pragma unroll\n"
               "    for (int i = 0; i < 4; i++) x[i] = missing;\n"
               "}\n",
               "k", "kernels/test.cu:5:40: error: ");
}

static void a_missing_kernel_is_reported(void **state)
{
    assert_log(*state, "__global__ void scale_row(float *x) {}\n", "scale_rows",
               "kernels/test.cu: error: there is no __global__ function 'scale_rows', or more than one\n"
               "kernels and symbols that the template asks for:2:27: error: ");
    assert_log(*state, "__global__ void scale_row(float *x) {}\n", "scale_rows", "did you mean 'scale_row'?");
}

/* As with NVRTC (cuda_compiler_test.c). */
static void kernels_of_every_kind(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const char *const names[] = KERNEL_NAMES_OF_EVERY_KIND;
    struct compile_request request = request_for(fixture, KERNELS_OF_EVERY_KIND, names);
    struct compile_result result;
    request.kernel_count = sizeof names / sizeof *names;
    assert_success(cpu->compile(&fixture->description, &request, &result, &fixture->error), &fixture->error);
    if (!result.compiled)
        fail_msg("%s", result.log);
    free(result.image);
    free(result.log);
    assert_log(fixture, KERNELS_OF_EVERY_KIND, "twice", "there is no __global__ function 'twice', or more than one");
    assert_log(fixture, KERNELS_OF_EVERY_KIND, "typed", "there is no __global__ function 'typed', or more than one");
}

/* From the second compilation on, the words of CUDA may come from the kept folder; nothing else may change. */
static void kept_files_change_nothing(void **state)
{
    struct cpu_fixture *fixture = *state;
    char keep[] = "/tmp/tune-keep-XXXXXX", command[64];
    assert_non_null(mkdtemp(keep));
    const char *kernel = "k";
    for (int turn = 0; turn < 4; turn++) {
        struct compile_request request = request_for(fixture,
                                                     "__global__ void k(float *x, int n) {\n"
                                                     "    x[threadIdx.x] = expf(x[threadIdx.x]) + (float)n; }\n",
                                                     &kernel);
        request.keep_folder = keep;
        load_request(fixture, &request);
        float x[2] = {0, 1};
        uint64_t at = device_copy(fixture, x, sizeof x);
        int n = turn;
        launch(fixture, D(1, 1, 1), D(2, 1, 1), 0, ARGUMENTS(&at, &n));
        fetch(fixture, x, at, sizeof x);
        assert_float_equal(x[0], 1 + (float)turn, 1e-6);
        assert_float_equal(x[1], 2.718281828f + (float)turn, 1e-5);
        cpu->release(fixture->device, at);
        cpu->unload(fixture->device, fixture->module);
        fixture->module = NULL;

        request =
            request_for(fixture, "#include <math.h>\n__global__ void k(float *x) { *x = sqrtf(*x); }\n", &kernel);
        request.keep_folder = keep;
        load_request(fixture, &request);
        cpu->unload(fixture->device, fixture->module);
        fixture->module = NULL;

        request = request_for(fixture, "__global__ void k(float *x) {\n    *x = missing; }\n", &kernel);
        request.keep_folder = keep;
        char *log = log_of(fixture, &request);
        assert_non_null(strstr(log, "kernels/test.cu:2:10: error: "));
        free(log);
    }
    assert_true(snprintf(command, sizeof command, "rm -rf %s", keep) > 0);
    assert_int_equal(system(command), 0);
}

/* As by NVRTC; the messages name the header as it is included. */
static void headers_are_refused_or_known(void **state)
{
    struct cpu_fixture *fixture = *state;
    assert_log(fixture, "\n#include <mma.h>\n__global__ void k() {}\n", "k",
               "kernels/test.cu:2:\nmma.h:1:2: error: ");
    assert_log(fixture, "\n#include <mma.h>\n__global__ void k() {}\n", "k",
               "the CPU device does not have the CUDA header mma.h (guard it with #ifndef TUNE_CPU)");
    assert_log(fixture, "#include <vector>\n__global__ void k() {}\n", "k",
               "kernels cannot include the host's header vector: no device has it (put it inside");
    assert_log(fixture, "#include <absent.h>\n__global__ void k() {}\n", "k", "absent.h: No such file");
    assert_log(fixture, "__global__ void k(int *x) { *x = INT_MAX; }\n", "k", "'INT_MAX' was not declared");
    load_kernel(fixture,
                "#include <cuda_runtime.h>\n"
                "#include <math.h>\n"
                "#include <stdint.h>\n"
                "#ifndef TUNE_CPU\n#include <mma.h>\n#endif\n"
                "#ifndef __CUDACC_RTC__\n#include <vector>\n#endif\n"
                "__global__ void k(float *x) { *x = sqrt(*x) + sqrtf(*x) + max(1, 2) + (float)fabs(-1.0); }\n",
                "k");
}

static void put_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

/* Every header of C and C++ that a kernel may include, alone; printf and assert are still those of the device. */
static void headers_of_the_language_compile(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const char *const names[] = {"stdio.h", "cstdio", "stdlib.h", "cstdlib", "math.h",   "cmath",  "assert.h",
                                        "cassert", "stdint", "string.h", "cstring", "limits.h", "cfloat", "utility"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "#include <%s%s>\n"
            "__global__ void k(float *x) { if (*x > 1e30f) printf(\"%%f\", *x); assert(*x >= 0); *x = sqrtf(*x); "
            "}\n",
            names[i], strcmp(names[i], "stdint") == 0 ? ".h" : "");
        load_kernel(fixture, text, "k");
        cpu->unload(fixture->device, fixture->module);
        fixture->module = NULL;
    }
}

static void included_files_may_include_them(void **state)
{
    struct cpu_fixture *fixture = *state;
    char path[] = "/tmp/tune-header-XXXXXX", text[300];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    put_file(path, "#include <stdio.h>\n#include <assert.h>\n#include <math.h>\n#include <cstdio>\n");
    snprintf(text, sizeof text,
             "#include \"%s\"\n"
             "__global__ void k(float *x) {\n"
             "    if (*x > 2) std::printf(\"large\\n\");\n"
             "    assert(*x > 0);\n"
             "    *x = sqrtf(*x);\n"
             "}\n",
             path);
    load_kernel(fixture, text, "k");
    unlink(path);
    float x = -1;
    uint64_t at = device_copy(fixture, &x, sizeof x);
    launch_faulting(fixture, D(1, 1, 1), D(1, 1, 1), ARGUMENTS(&at));
    if (!strstr(fixture->error.text, "the assertion '*x > 0' failed at line 4, block (0, 0, 0), thread ("))
        fail_msg("%s", fixture->error.text);
}

static void undefined_device_functions(void **state)
{
    assert_log(*state, "__device__ int elsewhere(int);\n__global__ void k(int *x) { *x = elsewhere(1); }\n", "k",
               "undefined reference to `elsewhere(int)'");
}

static void options_for_nvrtc_are_understood(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *name = "k", *options[] = {"--use_fast_math", "-DVALUE=7", "--fmad=false", "-maxrregcount=64"};
    struct compile_request request = request_for(fixture, "__global__ void k(int *x) { *x = VALUE; }\n", &name);
    request.options = options;
    request.option_count = 4;
    load_request(fixture, &request);
    int got = 0;
    uint64_t address = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, &got, address, sizeof got);
    assert_int_equal(got, 7);
}

static void includes_are_searched_in_the_folder(void **state)
{
    struct cpu_fixture *fixture = *state;
    char folder[] = "/tmp/tune-include-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/part.cuh", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("__device__ inline int part() { return FROM_DEFINES + 1; }\n", stream);
    assert_int_equal(fclose(stream), 0);
    const char *name = "k";
    struct compile_request request =
        request_for(fixture, "#include \"part.cuh\"\n__global__ void k(int *x) { *x = part(); }\n", &name);
    request.folder = folder;
    request.defines = "#define FROM_DEFINES 41\n";
    load_request(fixture, &request);
    unlink(path);
    rmdir(folder);
    int got = 0;
    uint64_t address = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, &got, address, sizeof got);
    assert_int_equal(got, 42);
}

static void a_missing_compiler(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *name = "k";
    struct compile_request request = request_for(fixture, "__global__ void k() {}\n", &name);
    struct compile_result result;
    assert_int_equal(setenv("TUNE_CXX", "/nowhere/g++", 1), 0);
    bool compiled = cpu->compile(&fixture->description, &request, &result, &fixture->error);
    unsetenv("TUNE_CXX");
    assert_false(compiled);
    assert_non_null(strstr(fixture->error.text, "/nowhere/g++"));
}

static void invalid_names_are_refused(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *name = "k) {} int x(";
    struct compile_request request = request_for(fixture, "__global__ void k() {}\n", &name);
    struct compile_result result;
    assert_false(cpu->compile(&fixture->description, &request, &result, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(messages_name_the_users_file_and_line),
        cpu_test(a_missing_kernel_is_reported),
        cpu_test(kernels_of_every_kind),
        cpu_test(kept_files_change_nothing),
        cpu_test(headers_are_refused_or_known),
        cpu_test(headers_of_the_language_compile),
        cpu_test(included_files_may_include_them),
        cpu_test(undefined_device_functions),
        cpu_test(options_for_nvrtc_are_understood),
        cpu_test(includes_are_searched_in_the_folder),
        cpu_test(a_missing_compiler),
        cpu_test(invalid_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
