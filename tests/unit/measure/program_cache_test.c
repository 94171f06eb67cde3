/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of programs: how often the compiler is called shows what was kept. */
#include "tests/unit/measure/fake_compiler.h"

#include "tuner/measure/program_cache.h"

static struct error error;
static struct program_cache *cache;
static struct compile_cache *images;

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    fake_write("a.cu", "k");
    fake_write("b.cu", "k");
    images = compile_cache_create(NULL, &fake_driver, &fake_description);
    return images && program_cache_create(&cache, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    program_cache_free(cache, &fake_driver, NULL);
    program_cache_free(NULL, &fake_driver, NULL);
    compile_cache_free(images);
    assert_int_equal(fake.loaded, fake.unloaded);
    return unlink(fake_path("a.cu")) + unlink(fake_path("b.cu"));
}

static char *k[] = {(char *)"k", (char *)"k"};

static struct job_program source_of(const char *name)
{
    return (struct job_program){.path = (char *)(uintptr_t)fake_path(name),
                                .folder = fake_folder,
                                .defines = (char *)"#define A 1",
                                .kernels = k,
                                .kernel_count = 1};
}

/* Get the program; was it compiled? */
static bool get(const struct job_program *source)
{
    const struct program *program = NULL;
    const size_t before = fake.compiled;
    error = (struct error){0};
    if (!program_cache_get(cache, &fake_driver, NULL, &fake_description, images, source, &program, &error))
        fail_msg("%s", error.text);
    assert_int_equal(program->kernel_count, source->kernel_count);
    return fake.compiled > before;
}

static void it_is_compiled_once(void **state)
{
    (void)state;
    const struct job_program a = source_of("a.cu"), b = source_of("b.cu");
    assert_true(get(&a));
    assert_false(get(&a));
    assert_true(get(&b)); /* the same text at another path */
    assert_false(get(&a));
}

/* Everything that the compiler is given makes a difference, and so do the borders between lists. */
static void whatever_differs_is_compiled(void **state)
{
    (void)state;
    char *one[] = {(char *)"-DA", (char *)"-DB"}, *joined[] = {(char *)"-DA-DB"};
    struct job_program source = source_of("a.cu");
    assert_true(get(&source));
    source.defines = (char *)"#define A 2";
    assert_true(get(&source));
    source.defines = NULL;
    assert_true(get(&source));
    source.options = one;
    source.option_count = 2;
    assert_true(get(&source));
    source.options = joined;
    source.option_count = 1;
    assert_true(get(&source));
    source.symbols = k; /* a symbol is no kernel */
    source.symbol_count = 1;
    assert_true(get(&source));
    source.symbol_count = 0;
    source.kernel_count = 2;
    assert_true(get(&source));
    fake_write("a.cu", "k changed");
    assert_true(get(&source));
    assert_false(get(&source));
}

static void the_least_recently_used_goes(void **state)
{
    (void)state;
    enum { ENTRIES = 8 };
    char defines[ENTRIES + 1][16];
    struct job_program source = source_of("a.cu");
    for (int i = 0; i <= ENTRIES; i++) {
        snprintf(defines[i], sizeof defines[i], "#define A %d", i);
        source.defines = defines[i];
        assert_true(get(&source));
        if (i == ENTRIES - 1) {
            source.defines = defines[0];
            assert_false(get(&source)); /* used again before the ninth comes */
        }
    }
    source.defines = defines[0];
    assert_false(get(&source));
    source.defines = defines[1];
    assert_true(get(&source));
}

static void no_source_is_an_empty_program(void **state)
{
    (void)state;
    const struct job_program none = {0};
    assert_false(get(&none));
}

static void a_failure_is_not_kept(void **state)
{
    (void)state;
    const struct job_program source = source_of("a.cu");
    const struct program *program;
    fake.log = "error: no";
    for (size_t i = 1; i <= 2; i++) {
        assert_false(
            program_cache_get(cache, &fake_driver, NULL, &fake_description, images, &source, &program, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_int_equal(fake.compiled, i);
    }
    fake.log = NULL;
    assert_true(get(&source));
    assert_false(get(&source));
}

static void begin_early(const struct job_program *source)
{
    static const struct compile_images none = {0};
    program_cache_begin(cache, &fake_driver, NULL, &fake_description, &none, source);
}

/* The early one counts at the latest when it is got. */
static void what_was_begun_is_not_compiled_again(void **state)
{
    (void)state;
    const struct job_program a = source_of("a.cu"), b = source_of("b.cu"), none = {0};
    begin_early(&none);
    begin_early(&a);
    assert_true(get(&b));
    begin_early(&b);
    begin_early(&a);
    get(&a);
    assert_false(get(&a));
    assert_int_equal(fake.compiled, 2);
    assert_int_equal(fake.loaded, 2);
}

static void what_was_begun_need_not_be_got(void **state)
{
    (void)state;
    struct job_program source = source_of("a.cu");
    begin_early(&source);
    fake_write("a.cu", "k changed");
    get(&source);
    assert_int_equal(fake.loaded, 1);
    source.defines = (char *)"#define A 2";
    begin_early(&source); /* until the end */
}

static void what_was_begun_in_vain_says_why_when_it_is_got(void **state)
{
    (void)state;
    const struct job_program source = source_of("a.cu"), missing = source_of("c.cu");
    const struct program *program;
    begin_early(&missing);
    fake.log = "error: no";
    begin_early(&source);
    assert_false(program_cache_get(cache, &fake_driver, NULL, &fake_description, images, &source, &program, &error));
    assert_non_null(strstr(error.text, "error: no"));
    fake.log = NULL;
    assert_true(get(&source));
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(fake_folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_compiled_once, begin, end),
        cmocka_unit_test_setup_teardown(whatever_differs_is_compiled, begin, end),
        cmocka_unit_test_setup_teardown(the_least_recently_used_goes, begin, end),
        cmocka_unit_test_setup_teardown(no_source_is_an_empty_program, begin, end),
        cmocka_unit_test_setup_teardown(a_failure_is_not_kept, begin, end),
        cmocka_unit_test_setup_teardown(what_was_begun_is_not_compiled_again, begin, end),
        cmocka_unit_test_setup_teardown(what_was_begun_need_not_be_got, begin, end),
        cmocka_unit_test_setup_teardown(what_was_begun_in_vain_says_why_when_it_is_got, begin, end),
    };
    return cmocka_run_group_tests(tests, fake_folder_create, remove_folder);
}
