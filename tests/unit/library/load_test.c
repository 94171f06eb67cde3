/* SPDX-License-Identifier: Apache-2.0 */
/* From a question to a result, as programs do it, on the CPU device: what is refused, forks, a thread that compiles.
 */
#include "tests/unit/measure/must.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/library/answer.h"
#include "tuner/library/handle.h"
#include "tuner/library/load.h"
#include "tuner/library/question.h"

#include <pthread.h>

enum { N = 200 };

static struct error error;
static struct tune_error failure;

static void must_load(enum tune_code code)
{
    if (code != TUNE_OK)
        fail_msg("%s: %s %s", tune_code_name(code), failure.text, failure.hint);
}

/* A home with two templates: t, y = x + K, through memory of the kernel's own; and m, the sums of a matrix's rows. */
static int make_home(void **state)
{
    if (scratch_folder_create(state) != 0)
        return -1;
    scratch_write("templates/t/t.cu",
                  "extern \"C\" __global__ void add(const int *x, int *y, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + K; }\n"
                  "extern \"C\" __global__ void copy(const int *x, int *y, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }\n"
                  "extern \"C\" __global__ void r(double *y) { }\n");
    scratch_write("templates/t/t.template",
                  "template t\nsize n = 200\nparameter K \"k\"\nsource \"t.cu\"\n"
                  "buffer x : int[n] in index()\nbuffer own : int[n] temp\nbuffer y : int[n] out\n"
                  "launch {\n    add<<<ceil_div(n, 32), 32>>>(x, own, n)\n"
                  "    copy<<<ceil_div(n, 32), 32>>>(own, y, n)\n}\n"
                  "reference \"t.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    scratch_write("spaces/t/usual.space", "space usual of t\nparam K = [3, 5, 7]\nwhere n < 1000\n"
                                          "default K = 5\n");
    scratch_write("templates/m/m.cu", "extern \"C\" __global__ void sum(const int *starts, const int *columns, const "
                                      "float *values, float *y, int rows)\n"
                                      "{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "  if (i < rows) { y[i] = K * LONGEST;\n"
                                      "    for (int j = starts[i]; j < starts[i + 1]; j++) y[i] += values[j]; } }\n"
                                      "extern \"C\" __global__ void r(double *y) { }\n");
    scratch_write("templates/m/m.template",
                  "template m\nsize ROWS = 4\nsize MEAN = 2\nsize ENTRIES = ROWS * MEAN\nsize LONGEST = 2 * MEAN\n"
                  "define LONGEST\nparameter K \"k\"\nsource \"m.cu\"\n"
                  "buffer starts : int[ROWS + 1] in\nbuffer columns : int[ENTRIES] in\n"
                  "buffer values : float[ENTRIES] in\nbuffer y : float[ROWS] out\n"
                  "matrix A[ROWS, 100, ENTRIES, LONGEST] = csr(starts, columns, values)\n"
                  "setup \"m.cu\" { if not given(A) { r<<<1, 1>>>(starts) } }\n"
                  "launch { sum<<<ceil_div(ROWS, 32), 32>>>(starts, columns, values, y, ROWS) }\n"
                  "reference \"m.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    scratch_write("spaces/m/usual.space", "space usual of m\nparam K = [0, 100]\nwhere K == 0 or LONGEST < 4\n"
                                          "default K = 100\n");
    return 0;
}

static struct tune *open_home(void)
{
    struct tune *tune;
    const struct tune_options options = {.bytes = sizeof options,
                                         .home = scratch_folder,
                                         .database = scratch_path("none.db"),
                                         .cache = scratch_path("cache")};
    must_load(tune_open(&options, &tune, &failure));
    return tune;
}

static struct tune_answer *ask(struct tune *tune)
{
    struct tune_answer *answer;
    const struct tune_problem problem = {.bytes = sizeof problem, .kernel = "t", .device = "cpu:0"};
    must_load(tune_best(tune, &problem, &answer, &failure));
    return answer;
}

static const struct tune_load_options unvalidated = {.bytes = sizeof unvalidated, .flags = TUNE_LOAD_UNVALIDATED};

/* What the kernel adds to each number; 0: not the same to all. */
static int added(struct tune_kernel *kernel)
{
    int x[N], y[N];
    const struct tune_buffer buffers[] = {{x, sizeof x}, {y, sizeof y}};
    for (int i = 0; i < N; i++)
        x[i] = 31 * i;
    memset(y, 0, sizeof y);
    must_load(tune_launch(kernel, NULL, buffers, 2, &failure));
    for (int i = 0; i < N; i++) {
        if (y[i] - x[i] != y[0] - x[0])
            return 0;
    }
    return y[0] - x[0];
}

static void what_was_never_validated_is_refused(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    struct tune_answer *answer = ask(tune);
    struct tune_kernel *kernel = (void *)1;
    assert_int_equal(tune_load(tune, answer, NULL, &kernel, &failure), TUNE_ERROR_UNVALIDATED);
    assert_null(kernel);
    assert_non_null(strstr(failure.hint, "tune t --size n=200 --device cpu"));
    struct tune_load_options options = unvalidated;
    options.flags |= 64;
    assert_int_equal(tune_load(tune, answer, &options, &kernel, &failure), TUNE_ERROR_ARGUMENT);
    options = unvalidated;
    options.bytes = 1;
    assert_int_equal(tune_load(tune, answer, &options, &kernel, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_load(tune, NULL, NULL, &kernel, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_load(NULL, answer, NULL, &kernel, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_load(tune, answer, NULL, NULL, &failure), TUNE_ERROR_ARGUMENT);
    tune_kernel_free(NULL);
    tune_answer_free(answer);
    tune_close(tune);
}

static void kernels_keep_what_they_need(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    struct tune_answer *answer = ask(tune);
    struct tune_kernel *kernel, *fork, *none = (void *)1;
    struct tune_kernel_info info = {.bytes = sizeof info};
    must_load(tune_load(tune, answer, &unvalidated, &kernel, &failure));
    tune_answer_free(answer);
    tune_close(tune);
    tune_kernel_describe(kernel, &info);
    assert_false(info.from_cache);
    assert_int_equal(info.workspace, N * sizeof(int));
    struct tune_answer_info said = {.bytes = sizeof said};
    tune_answer_describe(info.answer, &said);
    assert_string_equal(said.configuration, "{\"K\":5}");
    assert_int_equal(added(kernel), 5);
    must_load(tune_kernel_fork(kernel, &fork, &failure));
    tune_kernel_free(kernel);
    assert_int_equal(added(fork), 5);
    tune_kernel_free(fork);
    assert_int_equal(tune_kernel_fork(NULL, &none, &failure), TUNE_ERROR_ARGUMENT);

    tune = open_home();
    answer = ask(tune);
    must_load(tune_load(tune, answer, &unvalidated, &kernel, &failure));
    tune_kernel_describe(kernel, &info);
    assert_true(info.from_cache);
    tune_close(tune);
    tune_answer_free(answer);
    tune_kernel_free(kernel);
}

static void launches_are_captured(void **state)
{
    (void)state;
    char path[256], text[1024] = "", expected[1024];
    snprintf(path, sizeof path, "%s", scratch_path("calls"));
    assert_int_equal(setenv("TUNE_CAPTURE", path, 1), 0);
    struct tune *tune = open_home();
    assert_int_equal(unsetenv("TUNE_CAPTURE"), 0);
    struct tune_answer *answer = ask(tune);
    struct tune_kernel *kernel, *fork, *unused;
    must_load(tune_load(tune, answer, &unvalidated, &kernel, &failure));
    must_load(tune_load(tune, answer, &unvalidated, &unused, &failure));
    must_load(tune_kernel_fork(kernel, &fork, &failure));
    for (int i = 0; i < 3; i++)
        assert_int_equal(added(kernel), 5);
    assert_int_equal(added(fork), 5);
    assert_int_equal(tune_launch(fork, NULL, NULL, 2, &failure), TUNE_ERROR_ARGUMENT); /* which does not count */
    tune_kernel_free(kernel);
    tune_kernel_free(unused);
    tune_kernel_free(fork);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    size_t length = 0;
    for (int count = 3; count >= 1; count -= 2)
        length +=
            (size_t)snprintf(expected + length, sizeof expected - length,
                             "{\"tune_capture\":1,\"template\":\"t\",\"template_hash\":\"%s\",\"device\":\"%s\","
                             "\"size\":{\"n\":200},\"count\":%d}\n",
                             answer->topic->own->template->hash, answer->topic->device.description.name, count);
    assert_string_equal(text, expected);
    tune_answer_free(answer);
    tune_close(tune);
}

/* Another configuration of the same problem. */
static struct tune_answer *other_answer(const struct tune_answer *answer, const char *configuration)
{
    struct tune_answer *other;
    const struct tune_answer_info info = {.origin = "the test"};
    must(answer_create_like(answer, configuration, &info, &other, &error));
    return other;
}

static void a_thread_compiles_meanwhile(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    struct tune_answer *answer = ask(tune), *best = other_answer(answer, "{\"K\":7}");
    struct tune_kernel *kernel;
    struct tune_kernel_info info = {.bytes = sizeof info};
    const struct load_request request = {tune->attachments, tune->cache, best, answer, NULL, NULL};
    must_load(load_kernel(&request, &kernel, &failure));
    int seen;
    while ((seen = added(kernel)) == 5)
        ;
    assert_int_equal(seen, 7);
    assert_int_equal(added(kernel), 7);
    tune_kernel_describe(kernel, &info);
    assert_ptr_equal(info.answer, best);
    tune_kernel_free(kernel);
    must_load(load_kernel(&request, &kernel, &failure)); /* now it is in the cache, and loaded at once */
    assert_int_equal(added(kernel), 7);
    tune_kernel_free(kernel);
    tune_answer_free(best);
    best = other_answer(answer, "{\"K\":\"nothing\"}"); /* does not compile: the first one stays */
    const struct load_request wrong = {tune->attachments, tune->cache, best, answer, NULL, NULL};
    must_load(load_kernel(&wrong, &kernel, &failure));
    assert_int_equal(added(kernel), 5);
    tune_kernel_free(kernel); /* waits for the thread */
    tune_answer_free(best);
    tune_answer_free(answer);
    tune_close(tune);
}

static void in_the_background_by_a_flag(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    struct tune_answer *answer = ask(tune), *best = other_answer(answer, "{\"K\":3}"), *other;
    const struct tune_load_options options = {.bytes = sizeof options,
                                              .flags = TUNE_LOAD_UNVALIDATED | TUNE_LOAD_IN_BACKGROUND};
    struct tune_kernel *kernel;
    must_load(tune_load(tune, best, &options, &kernel, &failure));
    int seen;
    while ((seen = added(kernel)) == 5)
        ;
    assert_int_equal(seen, 3);
    tune_kernel_free(kernel);
    must(question_default(tune, best, &other, &error));
    assert_string_equal(other->info.configuration, "{\"K\":5}");
    assert_false(other->info.validated);
    tune_answer_free(other);
    tune_answer_free(best);
    tune_answer_free(answer);
    tune_close(tune);
}

/* At a size for which no space has anything, nothing can be launched meanwhile. */
static void without_a_default_it_is_waited_for(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    struct tune_answer *answer = ask(tune), *best;
    struct size_setting *sizes = malloc(sizeof *sizes);
    const struct tune_answer_info info = {.origin = "the test"};
    const struct tune_load_options options = {.bytes = sizeof options,
                                              .flags = TUNE_LOAD_UNVALIDATED | TUNE_LOAD_IN_BACKGROUND};
    struct tune_kernel *kernel;
    assert_non_null(sizes);
    *sizes = (struct size_setting){answer->sizes[0].name, 1000};
    must(answer_create(answer->topic, sizes, false, "{\"K\":3}", &info, &best, &error));
    must_load(tune_load(tune, best, &options, &kernel, &failure));
    assert_null(kernel->making);
    tune_kernel_free(kernel);
    tune_answer_free(best);
    tune_answer_free(answer);
    tune_close(tune);
}

/* ---- matrices of the program's own ---- */

static enum tune_code ask_m(struct tune *tune, const struct tune_size *sizes, size_t count,
                            struct tune_answer **answer)
{
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "m", .device = "cpu:0", .sizes = sizes, .size_count = count};
    return tune_best(tune, &problem, answer, &failure);
}

/* Buffers, constraints and defines are those of this matrix. */
static void a_matrix_of_ones_own(void **state)
{
    (void)state;
    const struct tune_size sizes[] = {{"ROWS", 3}, {"ENTRIES", 5}, {"LONGEST", 3}};
    int starts[] = {0, 3, 3, 5}, columns[] = {0, 7, 99, 1, 2};
    float values[] = {1, 2, 4, 8, 16}, y[3];
    const struct tune_buffer buffers[] = {
        {starts, sizeof starts}, {columns, sizeof columns}, {values, sizeof values}, {y, sizeof y}};
    struct tune *tune = open_home();
    struct tune_answer *answer, *usual;
    struct tune_kernel *kernel;
    struct tune_answer_info info = {.bytes = sizeof info};
    must_load(ask_m(tune, sizes, 3, &answer));
    tune_answer_describe(answer, &info);
    assert_string_equal(info.size, "ROWS=3,MEAN=2,ENTRIES=5,LONGEST=3");
    assert_string_equal(info.configuration, "{\"K\":100}");
    must_load(tune_default(tune, answer, &usual, &failure));
    tune_answer_describe(usual, &info);
    assert_string_equal(info.size, "ROWS=3,MEAN=2,ENTRIES=5,LONGEST=3");
    assert_int_equal(tune_load(tune, answer, NULL, &kernel, &failure), TUNE_ERROR_UNVALIDATED);
    assert_non_null(strstr(failure.hint, "'tune m --size ROWS=3,MEAN=2 --device cpu', with --input")); /* a sweep's */
    must_load(tune_load(tune, answer, &unvalidated, &kernel, &failure));
    must_load(tune_launch(kernel, NULL, buffers, 4, &failure));
    assert_true(y[0] == 307 && y[1] == 300 && y[2] == 324);
    const struct tune_buffer shorter[] = {
        {starts, sizeof starts}, {columns, sizeof columns - 1}, {values, sizeof values}, {y, sizeof y}};
    assert_int_equal(tune_launch(kernel, NULL, shorter, 4, &failure), TUNE_ERROR_ARGUMENT);
    tune_kernel_free(kernel);
    tune_answer_free(usual);
    tune_answer_free(answer);
    must_load(ask_m(tune, sizes, 1, &answer)); /* as setup makes it: 6 and 4, which 100 is not for */
    tune_answer_describe(answer, &info);
    assert_string_equal(info.size, "ROWS=3,MEAN=2,ENTRIES=6,LONGEST=4");
    assert_string_equal(info.configuration, "{\"K\":0}");
    tune_answer_free(answer);
    tune_close(tune);
}

static void sizes_of_no_matrix_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct tune_size sizes[3];
        size_t count;
        const char *text;
    } wrong[] = {
        {{{"ENTRIES", 5}}, 1, "size LONGEST of matrix A is not given, but ENTRIES is"},
        {{{"LONGEST", 5}, {"ROWS", 1}}, 2, "size ENTRIES of matrix A is not given, but LONGEST is"},
        {{{"LONGEST", 3}, {"ROWS", 2}, {"ENTRIES", 7}},
         3,
         "size LONGEST is 3, but 2 rows of matrix A have 7 entries"},
        {{{"LONGEST", 3}, {"ROWS", 2}, {"ENTRIES", -1}}, 3, "size ENTRIES is -1"},
    };
    struct tune *tune = open_home();
    struct tune_answer *answer;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ask_m(tune, wrong[i].sizes, wrong[i].count, &answer), TUNE_ERROR_INPUT);
        assert_null(answer);
        assert_non_null(strstr(failure.text, wrong[i].text));
    }
    tune_close(tune);
}

/* ---- threads ---- */

enum { THREADS = 64 };

static void *load_and_launch(void *argument)
{
    struct tune *tune = argument;
    const struct tune_problem problem = {.bytes = sizeof problem, .kernel = "t", .device = "cpu:0"};
    struct tune_answer *answer;
    struct tune_kernel *kernel;
    int x[N] = {0}, y[N] = {0};
    const struct tune_buffer buffers[] = {{x, sizeof x}, {y, sizeof y}};
    if (tune_best(tune, &problem, &answer, NULL) != TUNE_OK)
        return NULL;
    bool done = tune_load(tune, answer, &unvalidated, &kernel, NULL) == TUNE_OK;
    if (done) {
        for (int round = 0; round < 3; round++)
            done = done && tune_launch(kernel, NULL, buffers, 2, NULL) == TUNE_OK && y[N - 1] == 5;
        tune_kernel_free(kernel);
    }
    tune_answer_free(answer);
    return done ? tune : NULL;
}

static void many_threads_with_one_handle(void **state)
{
    (void)state;
    struct tune *tune = open_home();
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_and_launch, tune), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *done;
        pthread_join(threads[i], &done);
        assert_non_null(done);
    }
    tune_close(tune);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_never_validated_is_refused),
        cmocka_unit_test(kernels_keep_what_they_need),
        cmocka_unit_test(launches_are_captured),
        cmocka_unit_test(a_thread_compiles_meanwhile),
        cmocka_unit_test(in_the_background_by_a_flag),
        cmocka_unit_test(without_a_default_it_is_waited_for),
        cmocka_unit_test(a_matrix_of_ones_own),
        cmocka_unit_test(sizes_of_no_matrix_are_refused),
        cmocka_unit_test(many_threads_with_one_handle),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
