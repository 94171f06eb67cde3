/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library in a program that uses CUDA itself: its context, its streams, its graphs. gpu_library_test [name...]
 *
 * Results are compared with what the host computes.
 */
#include "cuda_program.h"

#include <math.h>
#include <pthread.h>

/* The program of a test, which is a process: a database of its own, so that no sweep of the user's decides. */
static void begin(void)
{
    const struct tune_options options = {.bytes = sizeof options, .database = "/nonexistent/results.db"};
    find_driver();
    DONE(tune_open(&options, &library, &failure));
}

static const struct tune_load_options unvalidated = {.bytes = sizeof unvalidated, .flags = TUNE_LOAD_UNVALIDATED};

static struct tune_answer *ask(const char *kernel, const struct tune_size *sizes, size_t count)
{
    struct tune_answer *answer;
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = kernel, .device = "cuda:0", .sizes = sizes, .size_count = count};
    DONE(tune_best(library, &problem, &answer, &failure));
    return answer;
}

static struct tune_kernel *load(const char *kernel, const struct tune_size *sizes, size_t count)
{
    struct tune_answer *answer = ask(kernel, sizes, count);
    struct tune_kernel *loaded;
    DONE(tune_load(library, answer, &unvalidated, &loaded, &failure));
    tune_answer_free(answer);
    return loaded;
}

/* Memory for each buffer that the kernel takes, filled with zeros. */
static void make_buffers(const struct tune_kernel *kernel, struct tune_buffer *buffers, size_t *count)
{
    struct tune_kernel_info info = {.bytes = sizeof info};
    tune_kernel_describe(kernel, &info);
    *count = info.buffer_count;
    for (size_t i = 0; i < *count; i++) {
        struct tune_buffer_info buffer = {.bytes = sizeof buffer};
        uint64_t address;
        DONE(tune_kernel_buffer(kernel, i, &buffer, &failure));
        OK(cuda.allocate(&address, buffer.size));
        OK(cuda.fill(address, 0, buffer.size));
        buffers[i] = (struct tune_buffer){(void *)(uintptr_t)address, buffer.size};
    }
}

/* ---- gemm ---- */

enum { M = 130, N = 70, K = 90 };

static const struct tune_size product_sizes[] = {{"M", M}, {"N", N}, {"K", K}};

struct product {
    float a[M * K], b[K * N], c[M * N];
    struct tune_kernel *kernel;
    struct tune_buffer buffers[3];
};

static void open_product(struct product *p)
{
    size_t count;
    p->kernel = load("gemm", product_sizes, 3);
    make_buffers(p->kernel, p->buffers, &count);
    CHECK(count == 3, "%zu buffers", count);
}

static void set_inputs(struct product *p, int seed)
{
    for (int i = 0; i < M * K; i++)
        p->a[i] = (float)((i * 7 + seed) % 19 - 9);
    for (int i = 0; i < K * N; i++)
        p->b[i] = (float)((i * 5 + seed) % 17 - 8);
    OK(cuda.upload(at(&p->buffers[0]), p->a, sizeof p->a));
    OK(cuda.upload(at(&p->buffers[1]), p->b, sizeof p->b));
    OK(cuda.fill(at(&p->buffers[2]), 0xff, sizeof p->c));
    OK(cuda.context_wait()); /* the default stream is not that of the launches */
}

/* Small whole numbers: exact in any order. */
static void check_product(struct product *p)
{
    OK(cuda.download(p->c, at(&p->buffers[2]), sizeof p->c));
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += p->a[i * K + k] * p->b[k * N + j];
            CHECK(p->c[i * N + j] == sum, "C[%d, %d] is %g instead of %g", i, j, (double)p->c[i * N + j],
                  (double)sum);
        }
    }
}

static void launch_product(struct product *p, stream in)
{
    DONE(tune_launch(p->kernel, in, p->buffers, 3, &failure));
}

static void test_own_context_and_stream(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static struct product p;
    context own = new_context(), seen = NULL;
    stream in = new_stream();
    open_product(&p);
    for (int seed = 1; seed <= 3; seed++) {
        set_inputs(&p, seed);
        launch_product(&p, seed == 2 ? NULL : in);
        OK(seed == 2 ? cuda.context_wait() : cuda.stream_wait(in));
        check_product(&p);
    }
    OK(cuda.context_get(&seen));
    CHECK(seen == own, "another context is current");
    struct tune_buffer wrong[3] = {p.buffers[0], p.buffers[1], {NULL, 0}};
    CHECK(tune_launch(p.kernel, in, wrong, 3, &failure) == TUNE_ERROR_ARGUMENT, "a null pointer");
    tune_kernel_free(p.kernel);
}

static void test_without_a_context(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static struct product p;
    context none = NULL;
    OK(cuda.context_set(NULL));
    p.kernel = load("gemm", product_sizes, 3);
    OK(cuda.context_get(&none));
    CHECK(!none, "a context stays current");
    tune_kernel_free(p.kernel);
}

static void test_another_context_is_refused(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static struct product p;
    context first = new_context();
    open_product(&p);
    (void)new_context();
    CHECK(tune_launch(p.kernel, NULL, p.buffers, 3, &failure) == TUNE_ERROR_ARGUMENT, "in another context");
    OK(cuda.context_set(first));
    set_inputs(&p, 4);
    launch_product(&p, NULL);
    OK(cuda.context_wait());
    check_product(&p);
    tune_kernel_free(p.kernel);
}

static void test_captured_graph(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static struct product p;
    graph captured;
    executable ready;
    (void)new_context();
    stream in = new_stream();
    open_product(&p);
    OK(cuda.capture_begin(in, 0)); /* CU_STREAM_CAPTURE_MODE_GLOBAL */
    launch_product(&p, in);
    OK(cuda.capture_end(in, &captured));
    OK(cuda.graph_make(&ready, captured, 0));
    for (int seed = 5; seed <= 6; seed++) {
        set_inputs(&p, seed);
        OK(cuda.graph_launch(ready, in));
        OK(cuda.stream_wait(in));
        check_product(&p);
    }
    tune_kernel_free(p.kernel);
}

/* ---- several threads ---- */

static void *multiply_in_thread(void *argument)
{
    struct product *p = argument;
    context own = new_context();
    stream in = new_stream();
    open_product(p);
    for (int seed = 0; seed < 5; seed++) {
        set_inputs(p, 10 + seed);
        launch_product(p, in);
        OK(cuda.stream_wait(in));
        check_product(p);
    }
    tune_kernel_free(p->kernel);
    OK(cuda.context_destroy(own));
    return NULL;
}

static void test_contexts_of_threads(struct gpu *gpu)
{
    (void)gpu;
    begin();
    enum { THREADS = 4 };
    static struct product products[THREADS];
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, multiply_in_thread, &products[i]) == 0, "no thread");
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- a GPU that is lost ---- */

/* Every call that needs it is refused from then on, in the driver's words. */
static void check_lost(const char *what, enum tune_code code)
{
    CHECK(code == TUNE_ERROR_DEVICE, "%s: %s, %s", what, tune_code_name(code), failure.text);
    CHECK(strstr(failure.text, "CUDA_ERROR_"), "%s: %s", what, failure.text);
}

/* The program passes memory that is not there, so that a kernel faults and ends its context. */
static void test_lost_gpu(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static struct product p;
    struct tune_kernel *fork, *again;
    (void)new_context();
    stream in = new_stream();
    open_product(&p);
    DONE(tune_kernel_fork(p.kernel, &fork, &failure));
    set_inputs(&p, 7);
    launch_product(&p, in);
    OK(cuda.stream_wait(in));
    check_product(&p);
    const struct tune_buffer nowhere[3] = {{(void *)(1 << 20), 0}, {(void *)(2 << 20), 0}, {(void *)(3 << 20), 0}};
    const enum tune_code faulty = tune_launch(p.kernel, in, nowhere, 3, &failure);
    CHECK(faulty == TUNE_OK || faulty == TUNE_ERROR_DEVICE, "%s", failure.text); /* it may be known at once */
    CHECK(cuda.stream_wait(in) != 0, "there is memory at 1 MiB");
    for (int round = 0; round < 3; round++) {
        check_lost("tune_launch", tune_launch(p.kernel, in, p.buffers, 3, &failure));
        check_lost("tune_launch in the default stream", tune_launch(p.kernel, NULL, p.buffers, 3, &failure));
        check_lost("tune_launch of a fork", tune_launch(fork, in, p.buffers, 3, &failure));
    }
    /* it was given before, so that no GPU is needed */
    struct tune_answer *answer = ask("gemm", product_sizes, 3);
    check_lost("tune_load", tune_load(library, answer, &unvalidated, &again, &failure));
    CHECK(!again, "a kernel in spite of the error");
    tune_answer_free(answer);
    tune_kernel_free(p.kernel);
    tune_kernel_free(fork);
    tune_close(library);
}

/* ---- what is prepared, and what depends on data ---- */

enum { ROWS = 500, EACH = 6 };

/* y = A x with a band of numbers: CSR, rows of one length. */
static void test_sparse_product(struct gpu *gpu)
{
    (void)gpu;
    begin();
    static int offsets[ROWS + 1], columns[ROWS * EACH], order[ROWS];
    static float values[ROWS * EACH], x[ROWS], y[ROWS];
    struct tune_buffer buffers[16];
    size_t count;
    (void)new_context();
    stream in = new_stream();
    struct tune_kernel *kernel =
        load("spmv", (const struct tune_size[]){{"ROWS", ROWS}, {"COLUMNS", ROWS}, {"MEAN", EACH}, {"SHAPE", 1}}, 4);
    struct tune_kernel_info info = {.bytes = sizeof info};
    tune_kernel_describe(kernel, &info);
    make_buffers(kernel, buffers, &count);
    for (int i = 0; i < ROWS; i++) {
        order[i] = i;
        x[i] = (float)(i % 11 - 5);
        offsets[i + 1] = EACH * (i + 1);
        for (int j = 0; j < EACH; j++) {
            columns[EACH * i + j] = (i * 3 + 80 * j) % ROWS;
            values[EACH * i + j] = (float)((i + j) % 7 - 3);
        }
    }
    const struct {
        const char *name;
        const void *from;
        size_t bytes;
    } inputs[] = {{"offsets", offsets, sizeof offsets},
                  {"columns", columns, sizeof columns},
                  {"values", values, sizeof values},
                  {"order", order, sizeof order},
                  {"x", x, sizeof x}};
    size_t result = count;
    for (size_t i = 0; i < count; i++) {
        struct tune_buffer_info buffer = {.bytes = sizeof buffer};
        DONE(tune_kernel_buffer(kernel, i, &buffer, &failure));
        if (buffer.role == TUNE_OUT)
            result = i;
        for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++) {
            if (strcmp(inputs[j].name, buffer.name) == 0)
                OK(cuda.upload(at(&buffers[i]), inputs[j].from, inputs[j].bytes));
        }
    }
    CHECK(result < count, "no output");
    OK(cuda.context_wait());
    if (info.must_prepare) {
        CHECK(tune_launch(kernel, in, buffers, count, &failure) == TUNE_ERROR_ARGUMENT, "not prepared");
        DONE(tune_prepare(kernel, in, buffers, count, &failure));
    }
    for (int round = 0; round < 2; round++) {
        OK(cuda.fill(at(&buffers[result]), 0xff, sizeof y));
        OK(cuda.context_wait());
        DONE(tune_launch(kernel, in, buffers, count, &failure));
        OK(cuda.stream_wait(in));
        OK(cuda.download(y, at(&buffers[result]), sizeof y));
        for (int i = 0; i < ROWS; i++) {
            float sum = 0;
            for (int j = 0; j < EACH; j++)
                sum += values[EACH * i + j] * x[columns[EACH * i + j]];
            CHECK(y[i] == sum, "y[%d] is %g instead of %g", i, (double)y[i], (double)sum);
        }
    }
    tune_kernel_free(kernel);
}

int main(int argument_count, char **arguments)
{
    static const struct gpu_test tests[] = {
        {"own_context_and_stream", test_own_context_and_stream},
        {"without_a_context", test_without_a_context},
        {"another_context_is_refused", test_another_context_is_refused},
        {"captured_graph", test_captured_graph},
        {"contexts_of_threads", test_contexts_of_threads},
        {"sparse_product", test_sparse_product},
        {"lost_gpu", test_lost_gpu},
    };
    return gpu_test_main(tests, sizeof tests / sizeof *tests, argument_count, arguments);
}
