/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that do not compile, what becomes of the text before it is compiled, and what launches are refused. */
#include "cpu_fixture.h"

#include "tuner/device/cpu/rewrite.h"

#include <stdio.h>

/* The compiler's log of a request that must not compile. */
static char *log_of(struct bench *bench, const struct compile_request *request)
{
    struct compile_result result;
    ok(cpu->compile(&bench->description, request, &result, &bench->error));
    assert_false(result.compiled);
    assert_null(result.image);
    return result.log;
}

static void assert_log(struct bench *bench, const char *text, const char *kernel, const char *expected)
{
    struct compile_request request = request_for(bench, text, &kernel);
    request.defines = "#define UNUSED 1\n#define ALSO 2\n";
    char *log = log_of(bench, &request);
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

static void a_missing_kernel_is_said(void **state)
{
    assert_log(*state, "__global__ void scale_row(float *x) {}\n", "scale_rows",
               "kernels and symbols that the template asks for:2:13: error: ");
    assert_log(*state, "__global__ void scale_row(float *x) {}\n", "scale_rows", "did you mean 'scale_row'?");
}

static void headers_of_the_toolkit_are_refused_or_known(void **state)
{
    struct bench *bench = *state;
    assert_log(bench, "\n#include <cuda_fp16.h>\n__global__ void k() {}\n", "k", "kernels/test.cu:2:2: error: ");
    assert_log(bench, "\n#include <cuda_fp16.h>\n__global__ void k() {}\n", "k",
               "the CPU device does not have the CUDA header cuda_fp16.h");
    load_kernel(bench,
                "#include <cuda_runtime.h>\n"
                "#include <math.h>\n"
                "#include <stdint.h>\n"
                "#ifndef TUNE_CPU\n#include <mma.h>\n#endif\n"
                "__global__ void k(float *x) { *x = sqrt(*x) + sqrtf(*x) + max(1, 2) + (float)fabs(-1.0); }\n",
                "k");
}

static void device_functions_that_are_nowhere_defined(void **state)
{
    assert_log(*state, "__device__ int elsewhere(int);\n__global__ void k(int *x) { *x = elsewhere(1); }\n", "k",
               "undefined reference to `elsewhere(int)'");
}

static void options_for_nvrtc_are_understood(void **state)
{
    struct bench *bench = *state;
    const char *name = "k", *options[] = {"--use_fast_math", "-DVALUE=7", "--fmad=false", "-maxrregcount=64"};
    struct compile_request request = request_for(bench, "__global__ void k(int *x) { *x = VALUE; }\n", &name);
    request.options = options;
    request.option_count = 4;
    load_request(bench, &request);
    int got = 0;
    uint64_t address = device_room(bench, sizeof got);
    launch(bench, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(bench, &got, address, sizeof got);
    assert_int_equal(got, 7);
}

static void includes_are_searched_in_the_folder(void **state)
{
    struct bench *bench = *state;
    char folder[] = "/tmp/tune-include-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/part.cuh", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("__device__ inline int part() { return FROM_DEFINES + 1; }\n", stream);
    assert_int_equal(fclose(stream), 0);
    const char *name = "k";
    struct compile_request request =
        request_for(bench, "#include \"part.cuh\"\n__global__ void k(int *x) { *x = part(); }\n", &name);
    request.folder = folder;
    request.defines = "#define FROM_DEFINES 41\n";
    load_request(bench, &request);
    unlink(path);
    rmdir(folder);
    int got = 0;
    uint64_t address = device_room(bench, sizeof got);
    launch(bench, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(bench, &got, address, sizeof got);
    assert_int_equal(got, 42);
}

static void a_compiler_that_is_not_there(void **state)
{
    struct bench *bench = *state;
    const char *name = "k";
    struct compile_request request = request_for(bench, "__global__ void k() {}\n", &name);
    struct compile_result result;
    assert_int_equal(setenv("TUNE_CXX", "/nowhere/g++", 1), 0);
    bool compiled = cpu->compile(&bench->description, &request, &result, &bench->error);
    unsetenv("TUNE_CXX");
    assert_false(compiled);
    assert_non_null(strstr(bench->error.text, "/nowhere/g++"));
}

static void names_that_are_no_names(void **state)
{
    struct bench *bench = *state;
    const char *name = "k) {} int x(";
    struct compile_request request = request_for(bench, "__global__ void k() {}\n", &name);
    struct compile_result result;
    assert_false(cpu->compile(&bench->description, &request, &result, &bench->error));
    assert_int_equal(bench->error.code, ERROR_INPUT);
}

static void assert_rewritten(const char *text, const char *expected, bool expected_host)
{
    char *got = NULL;
    size_t bytes = 0;
    bool host = !expected_host;
    FILE *stream = open_memstream(&got, &bytes);
    assert_non_null(stream);
    assert_true(rewrite_source(text, strlen(text), stream, &host));
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(got, expected);
    assert_int_equal(host, expected_host);
    free(got);
}

static void the_text_changes_only_where_it_must(void **state)
{
    (void)state;
    assert_rewritten("// extern __shared__ int a[];\nconst char *s = \"extern __shared__ int a[];\";\n",
                     "// extern __shared__ int a[];\nconst char *s = \"extern __shared__ int a[];\";\n", false);
    assert_rewritten("R\"x(extern __shared__ int a[];)\" )x\" int n = 1'000; char c = '\"';\n",
                     "R\"x(extern __shared__ int a[];)\" )x\" int n = 1'000; char c = '\"';\n", false);
    assert_rewritten("void f() { extern __shared__ float a[]; }",
                     "void f() {   float (*const a) = tune_dynamic_shared(); }", false);
    assert_rewritten("extern \"C\" {\nextern __shared__ int a[];\nvoid f() {}\n}\n",
                     "extern \"C\" {\nstatic thread_local   int (*a); TUNE_BIND(a)\nvoid f() {}\n}\n", false);
    assert_rewritten("extern int a[]; extern \"C\" void f(); extern __shared__ int b[4];",
                     "extern int a[]; extern \"C\" void f(); extern __shared__ int b[4];", false);
    assert_rewritten("#pragma unroll 4\n#pragma unroll (N) // all\n#  pragma unroll\n#pragma once\n",
                     "TUNE_UNROLL(4)\nTUNE_UNROLL((N))\nTUNE_UNROLL_ALL\n#pragma once\n", false);
    assert_rewritten(
        "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nextern __shared__ int a[];\n",
        "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nstatic thread_local   int (*a); TUNE_BIND(a)\n", false);
    assert_rewritten("#include <cuda_runtime.h>\n#include <math.h>\n", "\n#include <math.h>\n", true);
}

/* Whatever the text, rewriting ends and keeps the number of lines. */
static void unfinished_text_is_left_to_the_compiler(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\"",
        "'\\",
        "R\"(",
        "R\"abcdefghijklmnopqrstuvwxyz",
        "/*",
        "extern",
        "extern __shared__ int a[",
        "#",
        "#if",
        "#pragma unroll",
        "#include <",
        "extern __shared__ __align__(",
        "}}}}",
        "#else\n#endif\n{",
        "extern __shared__ a[]",
        "\\",
        "#define A \\",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *got = NULL;
        size_t bytes = 0;
        bool host;
        FILE *stream = open_memstream(&got, &bytes);
        assert_non_null(stream);
        assert_true(rewrite_source(texts[i], strlen(texts[i]), stream, &host));
        assert_int_equal(fclose(stream), 0);
        size_t before = 0, after = 0;
        for (const char *c = texts[i]; *c; c++)
            before += *c == '\n';
        for (const char *c = got; *c; c++)
            after += *c == '\n';
        assert_int_equal(before, after);
        free(got);
    }
}

static void assert_refused(struct bench *bench, struct dimensions grid, struct dimensions block, size_t shared,
                           size_t arguments, enum error_code code)
{
    int x = 0;
    void *values[2] = {&x, &x};
    assert_false(cpu->launch(bench->device, bench->kernel, grid, block, shared, values, arguments, &bench->error));
    assert_int_equal(bench->error.code, code);
    ok(cpu->synchronize(bench->device, &bench->error)); /* refusing does no harm */
}

static void launches_beyond_the_limits_are_refused(void **state)
{
    struct bench *bench = *state;
    load_kernel(bench, "__global__ void k(int x) {}\n", "k");
    assert_refused(bench, D(0, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 65536, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(1025, 1, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(64, 32, 1), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(1, 1, 65), 0, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), (227 << 10) + 1, 1, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), 0, 2, ERROR_INPUT);
}

static void shared_memory_is_counted_for_each_kernel(void **state)
{
    struct bench *bench = *state;
    const char *names[] = {"small", "large", "third"};
    struct compile_request request = request_for(
        bench,
        "__device__ int helper(int i) { __shared__ int common[10]; common[i] = i; __syncthreads(); return common[0]; "
        "}\n"
        "__global__ void small(int *x) { __shared__ float a[100]; a[threadIdx.x] = *x; __syncthreads();\n"
        "                                *x = helper(0) + (int)a[1]; }\n"
        "extern \"C\" __global__ void large(int *x) { __shared__ int b[12289]; b[*x] = 1; __syncthreads(); *x = "
        "b[1]; }\n"
        "__global__ void third(int *x) { extern __shared__ int s[]; s[0] = *x; __syncthreads(); *x = s[0]; }\n"
        "__global__ void not_asked_for(int *x) { __shared__ int c[9999]; c[*x] = 1; __syncthreads(); *x = c[1]; }\n",
        names);
    request.kernel_count = 3;
    load_request(bench, &request);
    struct kernel_resources resources;
    ok(cpu->resources(bench->device, bench->kernel, 256, 0, &resources, &bench->error));
    assert_int_equal(resources.shared_bytes, 440);
    assert_int_equal(resources.max_threads, 1024);
    assert_int_equal(resources.registers, -1);

    struct device_kernel *third, *missing;
    ok(cpu->kernel(bench->module, "third", &third, &bench->error));
    ok(cpu->resources(bench->device, third, 256, 1000, &resources, &bench->error));
    assert_int_equal(resources.shared_bytes, 1040);

    ok(cpu->kernel(bench->module, "large", &bench->kernel, &bench->error));
    assert_false(cpu->resources(bench->device, bench->kernel, 32, 0, &resources, &bench->error));
    assert_int_equal(bench->error.code, ERROR_RESOURCES);
    assert_refused(bench, D(1, 1, 1), D(32, 1, 1), 0, 1, ERROR_RESOURCES);

    assert_false(cpu->kernel(bench->module, "smal", &missing, &bench->error));
    assert_non_null(strstr(bench->error.hint, "small"));
}

/* Modules that are loaded at the same time and one after the other must not be taken for each other. */
static void many_modules(void **state)
{
    struct bench *bench = *state;
    const char *name = "k";
    struct compile_result results[3];
    for (int i = 0; i < 3; i++) {
        char defines[32];
        snprintf(defines, sizeof defines, "#define VALUE %d\n", i);
        struct compile_request request =
            request_for(bench, "__shared__ int s;\n__global__ void k(int *x) { s = VALUE; *x = s; }\n", &name);
        request.defines = defines;
        ok(cpu->compile(&bench->description, &request, &results[i], &bench->error));
        assert_true(results[i].compiled);
    }
    uint64_t address = device_room(bench, sizeof(int));
    struct module *kept[3] = {NULL};
    for (int round = 0; round < 60; round++) {
        int which = round % 3, slot = round * 7 % 3, got = -1;
        if (kept[slot])
            cpu->unload(bench->device, kept[slot]);
        ok(cpu->load(bench->device, results[which].image, results[which].image_bytes, &kept[slot], &bench->error));
        ok(cpu->kernel(kept[slot], "k", &bench->kernel, &bench->error));
        launch(bench, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
        fetch(bench, &got, address, sizeof got);
        assert_int_equal(got, which);
    }
    for (int i = 0; i < 3; i++) {
        cpu->unload(bench->device, kept[i]);
        free(results[i].image);
        free(results[i].log);
    }
    struct module *none;
    assert_false(cpu->load(bench->device, "not an image", 12, &none, &bench->error));
}

static void the_description_is_filled_in(void **state)
{
    struct bench *bench = *state;
    const struct device_description *d = &bench->description;
    assert_string_equal(d->kind, "cpu");
    assert_true(d->name[0] && d->architecture[0] && d->driver[0]);
    assert_int_equal(strlen(d->uuid), 20);
    assert_non_null(strpbrk(d->compiler, "0123456789"));
    assert_int_equal(d->sm_count, sysconf(_SC_NPROCESSORS_ONLN));
    /* The memory is part of a row's identity: it must not follow what other programs take. */
    FILE *meminfo = fopen("/proc/meminfo", "r");
    long long total_kib = 0;
    assert_true(meminfo && fscanf(meminfo, "MemTotal: %lld kB", &total_kib) == 1);
    fclose(meminfo);
    assert_int_equal(d->memory_bytes, total_kib * 1024 / 2);
    assert_true(d->peak_bandwidth > 1e8 && d->l2_bytes >= 0);
    struct device *second;
    assert_false(cpu->open(1, &second, &bench->error));
    uint64_t address;
    assert_false(cpu->allocate(bench->device, (size_t)1 << 60, &address, &bench->error));
    assert_int_equal(bench->error.code, ERROR_DOES_NOT_FIT);
}

/* From the second compilation on the words of CUDA may come from the kept folder; nothing else may change. */
static void what_is_kept_changes_nothing(void **state)
{
    struct bench *bench = *state;
    char keep[] = "/tmp/tune-keep-XXXXXX", command[64];
    assert_non_null(mkdtemp(keep));
    const char *kernel = "k";
    for (int turn = 0; turn < 4; turn++) {
        struct compile_request request = request_for(bench,
                                                     "__global__ void k(float *x, int n) {\n"
                                                     "    x[threadIdx.x] = expf(x[threadIdx.x]) + (float)n; }\n",
                                                     &kernel);
        request.keep_folder = keep;
        load_request(bench, &request);
        float x[2] = {0, 1};
        uint64_t at = device_copy(bench, x, sizeof x);
        int n = turn;
        launch(bench, D(1, 1, 1), D(2, 1, 1), 0, ARGUMENTS(&at, &n));
        fetch(bench, x, at, sizeof x);
        assert_float_equal(x[0], 1 + (float)turn, 1e-6);
        assert_float_equal(x[1], 2.718281828f + (float)turn, 1e-5);
        cpu->release(bench->device, at);
        cpu->unload(bench->device, bench->module);
        bench->module = NULL;

        request = request_for(bench, "#include <math.h>\n__global__ void k(float *x) { *x = sqrtf(*x); }\n", &kernel);
        request.keep_folder = keep;
        load_request(bench, &request);
        cpu->unload(bench->device, bench->module);
        bench->module = NULL;

        request = request_for(bench, "__global__ void k(float *x) {\n    *x = missing; }\n", &kernel);
        request.keep_folder = keep;
        char *log = log_of(bench, &request);
        assert_non_null(strstr(log, "kernels/test.cu:2:10: error: "));
        free(log);
    }
    assert_true(snprintf(command, sizeof command, "rm -rf %s", keep) > 0);
    assert_int_equal(system(command), 0);
}

static void time_passes(void **state)
{
    struct bench *bench = *state;
    double nanoseconds = 0;
    uint64_t address;
    ok(cpu->allocate(bench->device, (size_t)4 << 20, &address, &bench->error));
    ok(cpu->fill(bench->device, address, 1, (size_t)4 << 20, &bench->error));
    ok(cpu->start(bench->device, &bench->error));
    ok(cpu->flush_cache(bench->device, &bench->error));
    ok(cpu->stop(bench->device, &nanoseconds, &bench->error));
    assert_true(nanoseconds > 1e4 && nanoseconds < 1e10);
    cpu->release(bench->device, address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(messages_name_the_users_file_and_line),
        cpu_test(a_missing_kernel_is_said),
        cpu_test(what_is_kept_changes_nothing),
        cpu_test(headers_of_the_toolkit_are_refused_or_known),
        cpu_test(device_functions_that_are_nowhere_defined),
        cpu_test(options_for_nvrtc_are_understood),
        cpu_test(includes_are_searched_in_the_folder),
        cpu_test(a_compiler_that_is_not_there),
        cpu_test(names_that_are_no_names),
        cmocka_unit_test(the_text_changes_only_where_it_must),
        cmocka_unit_test(unfinished_text_is_left_to_the_compiler),
        cpu_test(launches_beyond_the_limits_are_refused),
        cpu_test(shared_memory_is_counted_for_each_kernel),
        cpu_test(many_modules),
        cpu_test(the_description_is_filled_in),
        cpu_test(time_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
