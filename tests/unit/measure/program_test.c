/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, compiling and loading of programs, with a compiler that is a function. */
#include "tests/unit/measure/fake_compiler.h"

#include "tuner/measure/program.h"

static struct error error;
static struct compile_cache *images;

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    error = (struct error){0};
    images = compile_cache_create(NULL, &fake_driver, &fake_description);
    return images ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    compile_cache_free(images);
    return 0;
}

static void sources_are_read_whole(void **state)
{
    (void)state;
    char *text;
    size_t length;
    fake_write("source.cu", "kernel\n");
    assert_true(program_read(fake_path("source.cu"), &text, &length, &error));
    assert_string_equal(text, "kernel\n");
    assert_int_equal(length, 7);
    free(text);
    fake_write("empty.cu", "");
    assert_true(program_read(fake_path("empty.cu"), &text, &length, &error));
    assert_string_equal(text, "");
    free(text);
    assert_int_equal(unlink(fake_path("source.cu")) + unlink(fake_path("empty.cu")), 0);

    assert_false(program_read(fake_path("absent.cu"), &text, &length, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "absent.cu"));
    assert_null(text);
    assert_false(program_read(fake_folder, &text, &length, &error)); /* a folder */
    assert_int_equal(error.code, ERROR_INPUT);
    assert_null(text);
}

static char *kernels[] = {(char *)"first", (char *)"second"};
static char *symbols[] = {(char *)"table"};

static void names_are_looked_up(void **state)
{
    (void)state;
    static const char image[] = "first second table";
    const struct job_program source = {.kernels = kernels, .kernel_count = 2, .symbols = symbols, .symbol_count = 1};
    struct program program;
    assert_true(program_load(&fake_driver, NULL, &source, image, sizeof image, &program, &error));
    assert_true(program.kernel_count == 2 && program.symbol_count == 1);
    assert_true(program.symbols[0].address == 0x100 && program.symbols[0].bytes == 16);
    program_unload(&fake_driver, NULL, &program);
    assert_int_equal(fake.unloaded, 1);
    assert_true(!program.module && !program.kernels && program.kernel_count == 0);
    program_unload(&fake_driver, NULL, &program); /* an empty one */
    assert_int_equal(fake.unloaded, 1);
}

static void a_missing_name_unloads_the_module(void **state)
{
    (void)state;
    static const char *const texts[] = {"first table", "first second"};
    static const char *const missing[] = {"second", "table"};
    const struct job_program source = {.kernels = kernels, .kernel_count = 2, .symbols = symbols, .symbol_count = 1};
    for (size_t i = 0; i < 2; i++) {
        struct program program;
        assert_false(program_load(&fake_driver, NULL, &source, texts[i], strlen(texts[i]), &program, &error));
        assert_non_null(strstr(error.text, missing[i]));
        assert_int_equal(fake.loaded, fake.unloaded);
        assert_null(program.module);
    }
}

static bool compile(const char *text, struct program *program)
{
    const struct job_program source = {
        .path = (char *)"k.cu", .folder = fake_folder, .defines = (char *)"", .kernels = kernels, .kernel_count = 1};
    return program_compile(&fake_driver, NULL, &fake_description, images, &source, text, strlen(text), program,
                           &error);
}

static void the_scratch_folder_is_removed(void **state)
{
    (void)state;
    struct program program;
    struct stat status;
    assert_true(compile("first", &program));
    assert_int_equal(strncmp(fake.scratch, fake_folder, strlen(fake_folder)), 0); /* below TMPDIR */
    assert_int_equal(stat(fake.scratch, &status), -1);
    program_unload(&fake_driver, NULL, &program);
    assert_false(compile("another", &program)); /* compiles, but has no kernel */
    assert_int_equal(stat(fake.scratch, &status), -1);
    assert_int_equal(fake.loaded, fake.unloaded);
}

static void a_refusal_quotes_the_first_errors(void **state)
{
    (void)state;
    struct program program;
    fake.log = "k.cu: In function\nk.cu:1:1: error: one\nk.cu:2:1: note: here\nk.cu:3:1: error: two\n"
               "k.cu:4:1: error: three\nk.cu:5:1: error: four\n";
    assert_false(compile("first", &program));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, "k.cu does not compile: k.cu:1:1: error: one\nk.cu:3:1: error: two\n"
                                    "k.cu:4:1: error: three");
    fake.log = "nothing that looks like one\n\nmore"; /* then whatever there is */
    assert_false(compile("first", &program));
    assert_string_equal(error.text, "k.cu does not compile: nothing that looks like one\nmore");
    assert_int_equal(fake.loaded, 0);
}

static void a_missing_tmpdir_is_an_error_of_the_machine(void **state)
{
    (void)state;
    struct program program;
    setenv("TMPDIR", fake_path("nowhere"), 1);
    bool compiled = compile("first", &program);
    setenv("TMPDIR", fake_folder, 1);
    assert_false(compiled);
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_int_equal(fake.compiled, 0);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(fake_folder); /* nothing must be left in it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sources_are_read_whole, begin, end),
        cmocka_unit_test_setup_teardown(names_are_looked_up, begin, end),
        cmocka_unit_test_setup_teardown(a_missing_name_unloads_the_module, begin, end),
        cmocka_unit_test_setup_teardown(the_scratch_folder_is_removed, begin, end),
        cmocka_unit_test_setup_teardown(a_refusal_quotes_the_first_errors, begin, end),
        cmocka_unit_test_setup_teardown(a_missing_tmpdir_is_an_error_of_the_machine, begin, end),
    };
    return cmocka_run_group_tests(tests, fake_folder_create, remove_folder);
}
