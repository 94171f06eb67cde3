/* SPDX-License-Identifier: Apache-2.0 */
/* Online tuning in a program that uses CUDA itself: gpu_online_test [name...] */
#include "cuda_program.h"

#include "tests/unit/stored.h"

#include <sys/stat.h>

/*
 * A template of the test's: y = 3 x + 1 after a while, which is 100 times as long with V = 0, where the program
 * begins. V = 2 is right; V = 1 has a wrong number, V = 3 writes behind y, and V = 4 leaves the end of y as it was.
 */
enum { NUMBERS = 5000, WRONG_ONES = 3, VARIANTS = 5 };

static const char online_template[] = "template t\nsize n = 5000\nparameter V\nsource \"t.cu\"\n"
                                      "buffer x : int[n] in index()\nbuffer y : int[n] out\n"
                                      "launch { work<<<ceil_div(n, 128), 128>>>(x, y, n) }\n"
                                      "reference \"t.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n";
static const char online_source[] =
    "extern \"C\" __global__ void work(const int *x, int *y, int n)\n{\n"
    "    const long long begin = clock64(), spin = V == 0 ? 400000 : 4000;\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    while (clock64() - begin < spin) { }\n"
    "    if (i < n && !(V == 4 && i > n - 20)) y[i] = 3 * x[i] + 1 + (V == 1 && i == 777);\n"
    "    if (V == 3 && i == 0) y[n + 5] = 5;\n"
    "}\nextern \"C\" __global__ void r(double *y) { }\n";

static char online_home[64], online_database[96];

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", online_home, name);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

static void put_result(struct store *store, const struct store_problem *problem, int v)
{
    struct error error = {0};
    char text[32];
    snprintf(text, sizeof text, "{\"V\":%d}", v);
    MUST(stored_put(store, problem, text, v == 0 ? 200e3 : 2e3, &error));
}

/* As if a sweep at another size had found all of them valid, and one at ours V = 0 alone. */
static void make_online_home(struct gpu *gpu)
{
    static const char *const folders[] = {"templates", "templates/t", "spaces", "spaces/t"};
    struct error error = {0};
    struct store *store;
    struct template *template;
    char path[128];
    strcpy(online_home, "/tmp/tune-online-XXXXXX");
    CHECK(mkdtemp(online_home), "no folder");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", online_home, folders[i]);
        CHECK(mkdir(path, 0700) == 0, "%s", path);
    }
    write_file("templates/t/t.template", online_template);
    write_file("templates/t/t.cu", online_source);
    write_file("spaces/t/usual.space", "space usual of t\nparam V = range(0, 5)\ndefault V = 0\n");
    snprintf(path, sizeof path, "%s/templates/t", online_home);
    snprintf(online_database, sizeof online_database, "%s/tune.db", online_home);
    MUST(template_read(path, &template, &error));
    struct store_problem problem = stored_problem(template, "n=4000", &gpu->description);
    MUST(store_open(online_database, false, &store, &error));
    for (int v = 1; v < VARIANTS; v++)
        put_result(store, &problem, v);
    problem.size = "n=5000";
    put_result(store, &problem, 0);
    store_close(store);
    template_free(template);
}

struct online_program {
    struct tune_kernel *kernel;
    struct tune_buffer buffers[2];
    int x[NUMBERS], y[NUMBERS + 64];
    stream in;
    int turn;
};

static struct tune_answer *ask_online(void)
{
    const struct tune_options options = {
        .bytes = sizeof options, .home = online_home, .database = online_database, .cache = online_home};
    const struct tune_problem problem = {.bytes = sizeof problem, .kernel = "t", .device = "cuda:0"};
    struct tune_answer *answer;
    DONE(tune_open(&options, &library, &failure));
    DONE(tune_best(library, &problem, &answer, &failure));
    return answer;
}

static void open_online(struct gpu *gpu, struct online_program *p, double share)
{
    const struct tune_load_options options = {.bytes = sizeof options, .online = share};
    uint64_t address;
    find_driver();
    make_online_home(gpu);
    (void)new_context();
    p->in = new_stream();
    struct tune_answer *answer = ask_online();
    DONE(tune_load(library, answer, &options, &p->kernel, &failure));
    tune_answer_free(answer);
    OK(cuda.allocate(&address, sizeof p->x));
    p->buffers[0] = (struct tune_buffer){(void *)(uintptr_t)address, sizeof p->x};
    OK(cuda.allocate(&address, sizeof p->y));
    p->buffers[1] = (struct tune_buffer){(void *)(uintptr_t)address, NUMBERS * sizeof(int)};
}

static struct tune_online_info online_state(const struct online_program *p)
{
    struct tune_online_info info = {.bytes = sizeof info};
    DONE(tune_kernel_online(p->kernel, &info, &failure));
    return info;
}

/* Other inputs, and no result. */
static void begin_turn(struct online_program *p)
{
    p->turn++;
    for (int i = 0; i < NUMBERS; i++)
        p->x[i] = 17 * p->turn + i;
    OK(cuda.upload(at(&p->buffers[0]), p->x, sizeof p->x));
    OK(cuda.fill(at(&p->buffers[1]), 0x77, sizeof p->y));
    OK(cuda.context_wait());
}

static void check_turn(struct online_program *p)
{
    OK(cuda.stream_wait(p->in));
    OK(cuda.download(p->y, at(&p->buffers[1]), sizeof p->y));
    for (int i = 0; i < NUMBERS + 64; i++) {
        const int right = i < NUMBERS ? 3 * p->x[i] + 1 : 0x77777777;
        CHECK(p->y[i] == right, "call %d: y[%d] is %d instead of %d", p->turn, i, p->y[i], right);
    }
    OK(cuda.download(p->y, at(&p->buffers[0]), sizeof p->x));
    CHECK(memcmp(p->y, p->x, sizeof p->x) == 0, "call %d: x was written", p->turn);
}

static void launch_online(struct online_program *p)
{
    DONE(tune_launch(p->kernel, p->in, p->buffers, 2, &failure));
}

/* Whether the program waits for each call or not, it gets right results, and goes on with the fast one. */
static void find_the_fast_one(struct gpu *gpu, int calls_at_once)
{
    static struct online_program p;
    const double share = 0.5;
    open_online(gpu, &p, share);
    CHECK(online_state(&p).candidates == VARIANTS - 1, "%zu candidates: %s", online_state(&p).candidates,
          online_state(&p).why);
    for (int round = 0; round < 100000 && online_state(&p).state == TUNE_ONLINE_TRYING; round++) {
        begin_turn(&p);
        for (int i = 0; i < calls_at_once; i++)
            launch_online(&p);
        check_turn(&p);
    }
    const struct tune_online_info info = online_state(&p);
    printf("  %llu calls, %llu tries, %.3f of %.3f ms, ratio %.4f: %s\n", (unsigned long long)info.calls,
           (unsigned long long)info.tries, 1e-6 * info.excess_ns, 1e-6 * info.time_ns, info.ratio, info.why);
    CHECK(info.state == TUNE_ONLINE_DONE, "after %d calls it is still trying", p.turn * calls_at_once);
    CHECK(strcmp(info.configuration, "{\"V\":2}") == 0, "%s", info.configuration);
    CHECK(info.wrong == WRONG_ONES && info.tried == VARIANTS - 1, "%zu wrong, %zu tried", info.wrong, info.tried);
    CHECK(info.ratio < 0.9, "%g", info.ratio);
    CHECK(info.excess_ns < 2 * share * info.time_ns, "%g of %g ns", info.excess_ns, info.time_ns);
    begin_turn(&p);
    launch_online(&p);
    check_turn(&p);
    tune_kernel_free(p.kernel);
    tune_close(library);
    struct tune_answer_info next = {.bytes = sizeof next};
    struct tune_answer *answer = ask_online();
    tune_answer_describe(answer, &next);
    CHECK(strcmp(next.configuration, "{\"V\":2}") == 0 && strstr(next.origin, "found online"), "%s: %s",
          next.configuration, next.origin);
    tune_answer_free(answer);
    tune_close(library);
}

static void test_online_call_by_call(struct gpu *gpu)
{
    find_the_fast_one(gpu, 1);
}

static void test_online_in_a_queue(struct gpu *gpu)
{
    find_the_fast_one(gpu, 25);
}

/* A graph has one launch, however much is tried before, behind and - by another stream - during its capture. */
static void test_online_and_graphs(struct gpu *gpu)
{
    static struct online_program p;
    graph captured;
    executable ready;
    open_online(gpu, &p, 0.5);
    for (int round = 0; round < 200; round++) {
        begin_turn(&p);
        if (round % 10 == 0) {
            OK(cuda.capture_begin(p.in, 0)); /* CU_STREAM_CAPTURE_MODE_GLOBAL */
            const uint64_t tries = online_state(&p).tries;
            launch_online(&p);
            CHECK(online_state(&p).tries == tries, "a try in a capture");
            OK(cuda.capture_end(p.in, &captured));
            OK(cuda.graph_make(&ready, captured, 0));
            OK(cuda.graph_launch(ready, p.in));
        } else {
            launch_online(&p);
        }
        check_turn(&p);
    }
    tune_kernel_free(p.kernel); /* perhaps in the midst of it */
    tune_close(library);
}

/* A fork is passed memory that is not there, so that the context ends in the midst of the search. */
static void test_online_on_a_lost_gpu(struct gpu *gpu)
{
    static struct online_program p;
    const struct tune_buffer nowhere[2] = {{(void *)(1 << 20), 0}, {(void *)(2 << 20), 0}};
    struct tune_kernel *fork;
    open_online(gpu, &p, 0.5);
    DONE(tune_kernel_fork(p.kernel, &fork, &failure));
    for (int round = 0; round < 20; round++) {
        begin_turn(&p);
        launch_online(&p);
        check_turn(&p);
    }
    DONE(tune_launch(fork, p.in, nowhere, 2, &failure));
    CHECK(cuda.stream_wait(p.in) != 0, "there is memory at 1 MiB");
    for (int round = 0; round < 20; round++) {
        const enum tune_code code = tune_launch(p.kernel, p.in, p.buffers, 2, &failure);
        CHECK(code == TUNE_ERROR_DEVICE && strstr(failure.text, "CUDA_ERROR_"), "%s: %s", tune_code_name(code),
              failure.text);
    }
    tune_kernel_free(p.kernel); /* its thread ends */
    tune_kernel_free(fork);
    tune_close(library);
}

int main(int argument_count, char **arguments)
{
    static const struct gpu_test tests[] = {
        {"call_by_call", test_online_call_by_call},
        {"in_a_queue", test_online_in_a_queue},
        {"graphs", test_online_and_graphs},
        {"on_a_lost_gpu", test_online_on_a_lost_gpu},
    };
    return gpu_test_main(tests, sizeof tests / sizeof *tests, argument_count, arguments);
}
