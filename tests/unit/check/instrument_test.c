/* SPDX-License-Identifier: Apache-2.0 */
/* Options, first errors and the trial of a tool, with a driver whose compiler is a function of the test. */
#include "tests/unit/fixture.h"

#include "tuner/check/instrument.h"

#include <stdlib.h>

static struct error error;

/* What the compiler was given, and what it does. */
static struct {
    char options[2048], defines[64], text[256];
    bool has_words;
    size_t calls;
    bool refuses, runs_out_of_memory;
    const char *log;
} compiler;

static bool compile(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *failure)
{
    (void)description;
    compiler.calls++;
    compiler.options[0] = '\0';
    for (size_t i = 0; i < request->option_count; i++) {
        size_t used = strlen(compiler.options);
        snprintf(compiler.options + used, sizeof compiler.options - used, "%s ", request->options[i]);
    }
    compiler.has_words = strstr(request->preamble, "TUNE_CHECK_ACCESSES") != NULL;
    snprintf(compiler.defines, sizeof compiler.defines, "%s", request->defines ? request->defines : "");
    snprintf(compiler.text, sizeof compiler.text, "%s", request->text);
    assert_int_equal(strlen(request->text), request->length);
    assert_string_equal(request->scratch_folder, "folder");
    if (compiler.runs_out_of_memory)
        return error_out_of_memory(failure);
    *result = (struct compile_result){.compiled = !compiler.refuses, .log = strdup(compiler.log ? compiler.log : "")};
    return true;
}

static bool load(struct device *device, const void *image, size_t bytes, struct module **module,
                 struct error *failure)
{
    (void)device, (void)image, (void)bytes, (void)failure;
    *module = NULL;
    return true;
}

static bool find_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *failure)
{
    (void)module, (void)failure;
    assert_string_equal(name, "trial");
    *kernel = NULL;
    return true;
}

static const struct device_driver driver = {.compile = compile, .load = load, .kernel = find_kernel};
static struct device_description description;

static struct instrument make(enum check_tool tool, const char *version)
{
    memset(&compiler, 0, sizeof compiler);
    snprintf(description.compiler, sizeof description.compiler, "%s", version);
    return (struct instrument){.tool = tool, .driver = &driver, .description = &description};
}

static void each_compiler_gets_its_options(void **state)
{
    (void)state;
    static const struct {
        enum check_tool tool;
        const char *version, *present, *absent;
    } table[] = {
        {CHECK_BOUNDS, "g++ 12.2.0", "-fsanitize=address,bounds", "thread"},
        {CHECK_BOUNDS, "clang++ 14.0.6", "-fsanitize=address,array-bounds", "--param"},
        {CHECK_RACES, "g++ 12.2.0", "-DTUNE_CHECK_ACCESSES", "address"},
        {CHECK_RACES, "clang++ 14.0.6", "-tsan-distinguish-volatile=1", "--param"},
    };
    char *own[] = {(char *)"-DMINE", (char *)"-funroll-loops"};
    const struct job_program program = {
        .path = (char *)"k.cu", .defines = (char *)"#define A 1", .options = own, .option_count = 2};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct instrument instrument = make(table[i].tool, table[i].version);
        struct compile_result result;
        assert_success(instrument_compile(&instrument, &program, "text", "folder", &result, &error), &error);
        assert_int_equal(strncmp(compiler.options, "-DMINE -funroll-loops ", 22), 0); /* the template's first */
        assert_mentions(compiler.options, " -g ");
        assert_mentions(compiler.options, table[i].present);
        assert_null(strstr(compiler.options, table[i].absent));
        assert_string_equal(compiler.defines, "#define A 1");
        assert_true(compiler.has_words); /* of the check */
        free(result.log);
    }
}

static void the_first_error_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *log, *message, *line;
    } table[] = {
        {"a.cu: In function\na.cu:6:3: error: no such name\nmore", "error: no such name\nmore",
         "a.cu:6:3: error: no such name\nmore"},
        {"ld: k.o: undefined reference to `f'\ncollect2: error: ld returned 1 exit status", NULL, NULL},
        {"collect2: error: ld returned 1 exit status\nld: cannot find -lasan", "cannot find -lasan",
         "ld: cannot find -lasan"},
        {"nothing of the kind", "nothing of the kind", "nothing of the kind"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *line, *message = instrument_first_error(table[i].log, &line);
        if (!table[i].message) { /* the rest of the log follows */
            assert_int_equal(strncmp(message, "undefined reference to `f'\n", 27), 0);
            assert_ptr_equal(line, table[i].log);
            continue;
        }
        assert_string_equal(message, table[i].message);
        assert_string_equal(line, table[i].line);
    }
}

static void a_tool_that_works_is_tried_once(void **state)
{
    (void)state;
    struct instrument instrument = make(CHECK_RACES, "g++ 12.2.0");
    assert_true(instrument_try(&instrument, "folder", &error));
    assert_true(instrument_try(&instrument, "folder", &error));
    assert_int_equal(compiler.calls, 1);
    assert_mentions(compiler.text, "__global__ void trial");
    assert_false(instrument.unusable);
}

static void a_tool_that_does_not_is_unusable(void **state)
{
    (void)state;
    struct instrument instrument = make(CHECK_BOUNDS, "g++ 12.2.0");
    compiler.refuses = true;
    compiler.log = "/usr/bin/ld: cannot find -lasan\ncollect2: error: ld returned 1 exit status";
    assert_false(instrument_try(&instrument, "folder", &error));
    assert_true(instrument.unusable);
    assert_int_equal(error.code, ERROR_WORK);
    assert_string_equal(error.text, "g++ 12.2.0 cannot build with -fsanitize=address: cannot find -lasan");
    assert_mentions(error.hint, "TUNE_CXX");
}

/* That says nothing about the tool: it may be tried again. */
static void out_of_memory_is_not_unusable(void **state)
{
    (void)state;
    struct instrument instrument = make(CHECK_BOUNDS, "g++ 12.2.0");
    compiler.runs_out_of_memory = true;
    assert_false(instrument_try(&instrument, "folder", &error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    assert_false(instrument.unusable);
    compiler.runs_out_of_memory = false;
    assert_true(instrument_try(&instrument, "folder", &error));
    assert_int_equal(compiler.calls, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_compiler_gets_its_options),  cmocka_unit_test(the_first_error_is_found),
        cmocka_unit_test(a_tool_that_works_is_tried_once), cmocka_unit_test(a_tool_that_does_not_is_unusable),
        cmocka_unit_test(out_of_memory_is_not_unusable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
