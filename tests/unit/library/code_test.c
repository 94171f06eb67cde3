/* SPDX-License-Identifier: Apache-2.0 */
/* Where code comes from: the cache, or the compiler, once for all that ask. */
#include "launched.h"

#include <pthread.h>

static const char template[] = "template t \"t\"\nsize n = 8\nsource \"t.cu\"\nbuffer y : int[n] out\n"
                               "launch { zero<<<1, 1>>>(y, n) }\ncheck y exact\n";

/* A source of its own for each test, so that none finds another's image. */
#define SOURCE(number)                                                                                               \
    "extern \"C\" __global__ void zero(int *y, int n) { for (int i = 0; i < n; i++) y[i] = " #number "; }\n"

static atomic_size_t compiled;
static struct device_driver counting;

static bool compile(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *failure)
{
    compiled++;
    return device_driver_find("cpu")->compile(description, request, result, failure);
}

static void open_counting(struct launched *l, const char *source)
{
    launched_write(l, template, source);
    counting = *l->attached->driver;
    counting.compile = compile;
    l->attached->driver = &counting;
    compiled = 0;
}

static struct code *load(struct launched *l)
{
    struct code *code = NULL;
    const struct code_request request = {.attached = l->attached, .problem = l->problem};
    must_launch(code_load(&request, &code, &l->error), l);
    return code;
}

/* What its kernel writes. */
static int run(struct launched *l, struct code *code)
{
    int y[8] = {0};
    struct variant *variant;
    must_launch(variant_create(code_share(code), l->template, &variant, &l->error), l);
    must_launch(variant_run(variant, VARIANT_LAUNCH, NULL, (const struct tune_buffer[]){{y, 0}}, &l->error), l);
    variant_free(variant);
    return y[7];
}

static void the_second_comes_from_the_cache(void **state)
{
    (void)state;
    struct launched l;
    open_counting(&l, SOURCE(11));
    const struct code_request request = {.attached = l.attached, .problem = l.problem};
    assert_false(code_is_cached(&request));
    struct code *first = load(&l);
    assert_true(code_is_cached(&request));
    struct code *second = load(&l);
    assert_false(first->from_cache);
    assert_true(second->from_cache);
    assert_int_equal(compiled, 1);
    assert_int_equal(first->image_bytes, second->image_bytes);
    assert_memory_equal(first->image, second->image, first->image_bytes);
    assert_int_equal(run(&l, second), 11);
    code_release(first);
    assert_int_equal(run(&l, second), 11);
    code_release(second);
    launched_close(&l);
}

enum { THREADS = 16 };

static void *load_in_thread(void *argument)
{
    struct code *code = NULL;
    struct launched *l = argument;
    const struct code_request request = {.attached = l->attached, .problem = l->problem};
    struct tune_error failure;
    return code_load(&request, &code, &failure) == TUNE_OK ? code : NULL;
}

static void many_at_once_compile_once(void **state)
{
    (void)state;
    struct launched l;
    pthread_t threads[THREADS];
    open_counting(&l, SOURCE(12));
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_in_thread, &l), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *code;
        pthread_join(threads[i], &code);
        assert_non_null(code);
        assert_int_equal(run(&l, code), 12);
        code_release(code);
    }
    assert_int_equal(compiled, 1);
    launched_close(&l);
}

static void an_image_that_cannot_be_loaded_is_made_again(void **state)
{
    (void)state;
    struct launched l;
    char text[] = SOURCE(13), log[] = "";
    char junk[] = "\177ELF is how it begins";
    open_counting(&l, text);
    struct job *job;
    must(job_lower(l.problem, 0, 0, &job, &error));
    const struct job_program source = job_program_for(&job->program, JOB_TUNED);
    struct compile_request request = program_request(&source, text, strlen(text));
    struct compile_cache *images = compile_cache_create(cache_open(), l.attached->driver, &l.attached->description);
    struct compile_lookup lookup;
    struct compile_result result;
    const struct compile_result planted = {
        .compiled = true, .image = junk, .image_bytes = sizeof junk, .log = log, .spill_bytes = -1};
    assert_false(compile_lookup_begin(images, &request, &lookup, &result));
    compile_lookup_keep(&lookup, &request, &planted);
    compile_lookup_end(&lookup);
    compile_cache_free(images);
    job_free(job);

    struct code *code = load(&l);
    assert_int_equal(compiled, 1);
    assert_false(code->from_cache);
    assert_int_equal(run(&l, code), 13);
    code_release(code);
    launched_close(&l);
}

static void what_does_not_compile(void **state)
{
    (void)state;
    struct launched l;
    struct code *code = NULL;
    open_counting(&l, "extern \"C\" __global__ void zero(int *y, int n) { y[0] = missing; }\n");
    const struct code_request request = {.attached = l.attached, .problem = l.problem};
    assert_int_equal(code_load(&request, &code, &l.error), TUNE_ERROR_COMPILE);
    assert_null(code);
    assert_non_null(strstr(l.error.text, "missing"));
    launched_close(&l);
    open_counting(&l, "extern \"C\" __global__ void zero(long long n, int *y) { }\n"); /* other arguments */
    const struct code_request other = {.attached = l.attached, .problem = l.problem};
    assert_int_equal(code_load(&other, &code, &l.error), TUNE_ERROR_COMPILE);
    assert_true(l.error.line > 0);
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_comes_from_the_cache),
        cmocka_unit_test(many_at_once_compile_once),
        cmocka_unit_test(an_image_that_cannot_be_loaded_is_made_again),
        cmocka_unit_test(what_does_not_compile),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
