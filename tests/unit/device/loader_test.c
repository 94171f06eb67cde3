/* SPDX-License-Identifier: Apache-2.0 */
/* Modules in this process: their kernels and symbols, many at once, and invalid ones. */
#include "cpu_fixture.h"

#include "tuner/device/cpu/loader.h"

#include <dirent.h>
#include <stdio.h>

/* Modules loaded at the same time or one after another must not be mistaken for each other. */
static void many_modules(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *name = "k";
    struct compile_result results[3];
    for (int i = 0; i < 3; i++) {
        char defines[32];
        snprintf(defines, sizeof defines, "#define VALUE %d\n", i);
        struct compile_request request =
            request_for(fixture, "__shared__ int s;\n__global__ void k(int *x) { s = VALUE; *x = s; }\n", &name);
        request.defines = defines;
        assert_success(cpu->compile(&fixture->description, &request, &results[i], &fixture->error), &fixture->error);
        assert_true(results[i].compiled);
    }
    uint64_t address = device_room(fixture, sizeof(int));
    struct module *kept[3] = {NULL};
    for (int round = 0; round < 60; round++) {
        int which = round % 3, slot = round * 7 % 3, got = -1;
        if (kept[slot])
            cpu->unload(fixture->device, kept[slot]);
        assert_success(cpu->load(fixture->device, results[which].image, results[which].image_bytes, &kept[slot],
                                 &fixture->error),
                       &fixture->error);
        assert_success(cpu->kernel(kept[slot], "k", &fixture->kernel, &fixture->error), &fixture->error);
        launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
        fetch(fixture, &got, address, sizeof got);
        assert_int_equal(got, which);
    }
    for (int i = 0; i < 3; i++) {
        cpu->unload(fixture->device, kept[i]);
        free(results[i].image);
        free(results[i].log);
    }
}

/* A shared object that the host's compiler makes of `text`; the caller frees it. */
static void *shared_object(const char *text, size_t *bytes)
{
    char source[] = "/tmp/tune-loader-XXXXXX", command[128], path[64];
    int file = mkstemp(source);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
    snprintf(path, sizeof path, "%s.so", source);
    snprintf(command, sizeof command, "cc -x c -shared -fPIC -o %s %s", path, source);
    assert_int_equal(system(command), 0);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    char *content = malloc(1 << 20);
    assert_non_null(content);
    *bytes = fread(content, 1, 1 << 20, stream);
    fclose(stream);
    assert_int_equal(unlink(path) + unlink(source), 0);
    return content;
}

static void objects_without_the_tables_are_refused(void **state)
{
    (void)state;
    struct error error = {0};
    struct module *module = NULL;
    size_t bytes;
    assert_false(loader_open("", 0, &module, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "was not compiled for the CPU device"));

    void *image = shared_object("int something = 1;\n", &bytes);
    error = (struct error){0};
    assert_false(loader_open(image, bytes, &module, &error)); /* loads, but has no tables */
    assert_int_equal(error.code, ERROR_INPUT);
    free(image);

    image = shared_object("extern int missing(void); int call(void) { return missing(); }\n", &bytes);
    error = (struct error){0};
    assert_false(loader_open(image, bytes, &module, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_non_null(strstr(error.text, "missing"));
    free(image);

    image = shared_object("char vast[1ul << 46];\n", &bytes); /* half of the address space */
    error = (struct error){0};
    assert_false(loader_open(image, bytes, &module, &error));
    assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
    assert_non_null(strstr(error.text, "variables take 703687441")); /* 70,368,744,177,664 and some */
    free(image);
    loader_close(NULL);
}

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void names_are_found_or_suggested(void **state)
{
    struct cpu_fixture *fixture = *state;
    int files = open_files();
    const char *names[] = {"first", "second"}, *symbols[] = {"table"};
    struct compile_request request = request_for(fixture,
                                                 "__constant__ int table[6];\n"
                                                 "__global__ void first(int *x) { *x = table[0]; }\n"
                                                 "__global__ void second(int *x, int n) { *x = n; }\n",
                                                 names);
    request.kernel_count = 2;
    request.symbols = symbols;
    request.symbol_count = 1;
    struct compile_result result;
    struct module *module;
    struct device_kernel *kernel;
    uint64_t address;
    size_t bytes;
    assert_success(cpu->compile(&fixture->description, &request, &result, &fixture->error), &fixture->error);
    assert_success(loader_open(result.image, result.image_bytes, &module, &fixture->error), &fixture->error);
    memset(result.image, 0, result.image_bytes); /* no longer needed */
    free(result.image);
    free(result.log);
    assert_success(loader_kernel(module, "second", &kernel, &fixture->error), &fixture->error);
    assert_string_equal(kernel->name, "second");
    assert_int_equal(kernel->entry->parameter_count, 2);
    assert_success(loader_symbol(module, "table", &address, &bytes, &fixture->error), &fixture->error);
    assert_int_equal(bytes, 24);
    ((int *)(uintptr_t)address)[5] = 1; /* may be written */
    assert_false(loader_kernel(module, "secnd", &kernel, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_INPUT);
    assert_non_null(strstr(fixture->error.hint, "'second'"));
    fixture->error = (struct error){0};
    assert_false(loader_kernel(module, "something else", &kernel, &fixture->error));
    assert_string_equal(fixture->error.hint, "");
    assert_false(loader_symbol(module, "tables", &address, &bytes, &fixture->error));
    loader_close(module);
    assert_int_equal(open_files(), files);
}

/* kind, bytes, and of a pointer the target's kind and bytes */
struct expected_parameter {
    enum parameter_kind kind;
    size_t bytes;
    enum parameter_kind target;
    size_t target_bytes;
};

/* Types as declared: qualifiers and restrict do not count, typedefs and enumerations are what they stand for. */
static void parameters_have_their_types(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const char text[] =
        "typedef float real; enum mode : short { A, B }; enum class other : unsigned char { C };\n"
        "struct pair { int a; double b; }; struct unfinished; template <class T> struct wrapped { T x; };\n"
        "__global__ void k(const float *__restrict__ x, volatile unsigned int *const y, real r, const double d,\n"
        "                  long l, unsigned long long u, size_t s, bool b, char c, mode m, other o, pair p, float4 "
        "f,\n"
        "                  const float4 *v, void *anything, const unfinished *hidden, int **pp, const mode *pm,\n"
        "                  float table[], wrapped<int> w) {}\n";
    static const struct expected_parameter expected[] = {
        {PARAMETER_POINTER, 8, PARAMETER_REAL, 4},    {PARAMETER_POINTER, 8, PARAMETER_INTEGER, 4},
        {PARAMETER_REAL, 4, PARAMETER_OTHER, 0},      {PARAMETER_REAL, 8, PARAMETER_OTHER, 0},
        {PARAMETER_INTEGER, 8, PARAMETER_OTHER, 0},   {PARAMETER_INTEGER, 8, PARAMETER_OTHER, 0},
        {PARAMETER_INTEGER, 8, PARAMETER_OTHER, 0},   {PARAMETER_INTEGER, 1, PARAMETER_OTHER, 0},
        {PARAMETER_INTEGER, 1, PARAMETER_OTHER, 0},   {PARAMETER_INTEGER, 2, PARAMETER_OTHER, 0},
        {PARAMETER_INTEGER, 1, PARAMETER_OTHER, 0},   {PARAMETER_OTHER, 16, PARAMETER_OTHER, 0},
        {PARAMETER_OTHER, 16, PARAMETER_OTHER, 0},    {PARAMETER_POINTER, 8, PARAMETER_OTHER, 0},
        {PARAMETER_POINTER, 8, PARAMETER_OTHER, 0},   {PARAMETER_POINTER, 8, PARAMETER_OTHER, 0},
        {PARAMETER_POINTER, 8, PARAMETER_POINTER, 8}, {PARAMETER_POINTER, 8, PARAMETER_INTEGER, 2},
        {PARAMETER_POINTER, 8, PARAMETER_REAL, 4},    {PARAMETER_OTHER, 4, PARAMETER_OTHER, 0},
    };
    size_t count;
    load_kernel(fixture, text, "k");
    const struct kernel_parameter *parameters = cpu->parameters(fixture->kernel, &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        const struct kernel_parameter *p = &parameters[i];
        if (p->type.kind != expected[i].kind || p->type.bytes != expected[i].bytes ||
            p->target.kind != expected[i].target || p->target.bytes != expected[i].target_bytes)
            fail_msg("parameter %zu, %s: %d of %zu bytes, to %d of %zu bytes", i, p->text, (int)p->type.kind,
                     p->type.bytes, (int)p->target.kind, p->target.bytes);
    }
    assert_true(parameters[1].target.is_unsigned && !parameters[16].target.is_unsigned);
    assert_string_equal(parameters[2].text, "float");
    assert_non_null(strstr(parameters[0].text, "const float"));
    assert_string_equal(parameters[11].text, "pair");
}

static void a_kernel_without_parameters_has_none(void **state)
{
    struct cpu_fixture *fixture = *state;
    size_t count = 9;
    load_kernel(fixture, "__global__ void k() {}\n", "k");
    assert_non_null(cpu->parameters(fixture->kernel, &count));
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(parameters_have_their_types),
        cpu_test(a_kernel_without_parameters_has_none),
        cpu_test(many_modules),
        cpu_test(names_are_found_or_suggested),
        cmocka_unit_test(objects_without_the_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
