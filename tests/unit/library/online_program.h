/* SPDX-License-Identifier: Apache-2.0 */
/*
 * online_program.h - a program that tunes online on the CPU device, and whose calls are checked to the bit: nothing
 * wrong may ever reach it.
 *
 * Kernels keep a clock of their own, which the tests read: each adds what it "takes" to a number of the test's, whose
 * address is a size of the template.
 */
#ifndef TUNE_TESTS_LIBRARY_ONLINE_PROGRAM_H
#define TUNE_TESTS_LIBRARY_ONLINE_PROGRAM_H

#include "tests/unit/measure/must.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/stored.h"

#include "tuner/library/answer.h"
#include "tuner/library/attached.h"
#include "tuner/library/handle.h"
#include "tuner/library/online.h"
#include "tuner/library/rivals.h"

#include <inttypes.h>
#include <stdatomic.h>

enum { N = 200, AROUND = 64 };

static struct error error;
static struct tune_error failure;
static _Atomic uint64_t clock_ns;

static inline void must_do(enum tune_code code)
{
    if (code != TUNE_OK)
        fail_msg("%s: %s %s", tune_code_name(code), failure.text, failure.hint);
}

/* What each V does, and what it takes. */
enum { INCUMBENT, WRONG, SHORT, BEYOND, INTO_INPUT, BROKEN, FAST, SLOW, VARIANTS };
static const double costs[VARIANTS] = {[INCUMBENT] = 1000, [WRONG] = 100,  [SHORT] = 110, [BEYOND] = 120,
                                       [INTO_INPUT] = 130, [BROKEN] = 140, [FAST] = 500,  [SLOW] = 1500};

static inline int make_home(void **state)
{
    if (scratch_folder_create(state) != 0)
        return -1;
    scratch_write("templates/t/t.cu",
                  "#if V == 5\n#error broken\n#endif\n"
                  "extern \"C\" __global__ void work(const int *x, int *y, int n, long long clock)\n"
                  "{\n"
                  "    const unsigned long long costs[] = {1000, 100, 110, 120, 130, 140, 500, 1500};\n"
                  "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "    if (i == 0) atomicAdd((unsigned long long *)clock, costs[V]);\n"
                  "    if (i < n && (V != 2 || i < n - 50)) y[i] = 3 * x[i] + 1 + (V == 1 && i == 77);\n"
                  "    if (V == 3 && i == 0) y[n + 3] = 5;\n"
                  "    if (V == 4 && i == 0) ((int *)x)[9] = 5;\n"
                  "}\n"
                  "extern \"C\" __global__ void r(double *y) { }\n");
    scratch_write("templates/t/t.template", "template t\nsize n = 200\nsize clock = 1\nparameter V\nsource \"t.cu\"\n"
                                            "buffer x : int[n] in index()\nbuffer y : int[n] out\n"
                                            "launch { work<<<ceil_div(n, 32), 32>>>(x, y, n, long(clock)) }\n"
                                            "reference \"t.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    scratch_write("spaces/t/usual.space", "space usual of t\nparam V = range(0, 8)\ndefault V = 0\n");
    return 0;
}

/* ---- what is known ---- */

static inline void put(struct store *store, const struct store_problem *problem, int v)
{
    char text[32];
    snprintf(text, sizeof text, "{\"V\":%d}", v);
    must(stored_put(store, problem, text, costs[v], &error));
}

static inline char *size_text(void)
{
    static char text[64];
    snprintf(text, sizeof text, "n=%d,clock=%" PRIu64, N, (uint64_t)(uintptr_t)&clock_ns);
    return text;
}

/* A sweep at another size found all but the incumbent valid, and one at ours the incumbent alone. */
static inline void fill_database(const char *path)
{
    struct store *store;
    struct template *template;
    struct device *device;
    struct device_description description;
    must(template_read(scratch_path("templates/t"), &template, &error));
    must(device_driver_find("cpu")->open(0, &device, &error));
    must(device_driver_find("cpu")->describe(device, &description, &error));
    device_driver_find("cpu")->close(device);
    struct store_problem problem = stored_problem(template, "n=100,clock=1", &description);
    unlink(path);
    must(store_open(path, false, &store, &error));
    for (int v = 1; v < VARIANTS; v++)
        put(store, &problem, v);
    problem.size = size_text();
    put(store, &problem, INCUMBENT);
    store_close(store);
    template_free(template);
}

static inline struct tune *open_home(const char *database)
{
    struct tune *tune;
    const struct tune_options options = {
        .bytes = sizeof options, .home = scratch_folder, .database = database, .cache = scratch_path("cache")};
    must_do(tune_open(&options, &tune, &failure));
    return tune;
}

static inline struct tune_answer *ask(struct tune *tune)
{
    struct tune_answer *answer;
    const struct tune_size size = {"clock", (int64_t)(intptr_t)&clock_ns};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "t", .device = "cpu:0", .sizes = &size, .size_count = 1};
    must_do(tune_best(tune, &problem, &answer, &failure));
    return answer;
}

static inline struct tune_answer_info describe(const struct tune_answer *answer)
{
    struct tune_answer_info info = {.bytes = sizeof info};
    tune_answer_describe(answer, &info);
    return info;
}

/* ---- a program ---- */

struct user {
    char database[128];
    struct tune *tune;
    struct tune_answer *answer;
    struct tune_kernel *kernel;
    _Alignas(16) int x[N + 2 * AROUND];
    _Alignas(16) int y[N + 2 * AROUND];
    int turn;
    double needed_ns; /* by what was launched for it, without tries */
};

static inline double read_clock(void *context)
{
    (void)context;
    return (double)atomic_load(&clock_ns);
}

static inline void load(struct user *program, double share)
{
    const struct tune_load_options options = {.bytes = sizeof options, .online = share};
    must_do(tune_load(program->tune, program->answer, &options, &program->kernel, &failure));
}

static inline void open_program(struct user *program, const char *name, double share)
{
    *program = (struct user){.turn = 0};
    snprintf(program->database, sizeof program->database, "%s", scratch_path(name));
    fill_database(program->database);
    program->tune = open_home(program->database);
    program->answer = ask(program->tune);
    assert_string_equal(describe(program->answer).configuration, "{\"V\":0}");
    load(program, share);
}

static inline void close_program(struct user *program)
{
    tune_kernel_free(program->kernel);
    tune_answer_free(program->answer);
    tune_close(program->tune);
}

/* Give the kernel what tune_load gives it, but for the thread. */
static inline void tune_by_steps(struct user *program, double share)
{
    struct tune_kernel *kernel = program->kernel;
    struct online_request request = {.share = share,
                                     .database = program->database,
                                     .cache = program->tune->cache,
                                     .attached = kernel->versions[0].variant->code->attached,
                                     .answer = program->answer};
    must(rivals_find(program->tune, program->answer, TRIALS_MOST, &request.contenders, &error));
    kernel->online = online_create(kernel, &request, &error);
    assert_non_null(kernel->online);
    if (online_begin(kernel->online))
        online_set_clock(kernel->online, read_clock, NULL);
    atomic_store(&clock_ns, 0);
}

static inline struct tune_online_info state_of(const struct tune_kernel *kernel)
{
    struct tune_online_info info = {.bytes = sizeof info};
    must_do(tune_kernel_online(kernel, &info, &failure));
    return info;
}

static inline int variant_in_use(const struct tune_kernel *kernel)
{
    int v = -1;
    assert_int_equal(sscanf(state_of(kernel).configuration, "{\"V\":%d}", &v), 1);
    return v;
}

/* A call with other inputs than before: its results to the bit, and all that it must not touch. */
static inline enum tune_code try_launch(struct user *program, struct tune_kernel *kernel)
{
    const int turn = program->turn++, frame = 1000003 * (turn % 1000 + 1);
    for (int i = 0; i < N + 2 * AROUND; i++) {
        program->x[i] = 17 * turn + i;
        program->y[i] = frame + i;
    }
    const struct tune_buffer buffers[] = {{program->x + AROUND, N * sizeof(int)},
                                          {program->y + AROUND, N * sizeof(int)}};
    enum tune_code code = tune_launch(kernel, NULL, buffers, 2, &failure);
    for (int i = 0; i < N + 2 * AROUND; i++) {
        const int x = 17 * turn + i;
        const bool inside = i >= AROUND && i < AROUND + N;
        assert_int_equal(program->x[i], x);
        if (code == TUNE_OK || !inside)
            assert_int_equal(program->y[i], inside ? 3 * x + 1 : frame + i);
    }
    return code;
}

static inline void launch(struct user *program, struct tune_kernel *kernel)
{
    must_do(try_launch(program, kernel));
}

static inline bool is_over(const struct user *program)
{
    return state_of(program->kernel).state != TUNE_ONLINE_TRYING;
}

/* Calls and the thread's work in turns; the debt stays within the share at every moment. */
static inline void run(struct user *program, double share, int most)
{
    for (int i = 0; i < most; i++) {
        while (online_step(program->kernel->online))
            ;
        if (is_over(program))
            return;
        const double best = costs[variant_in_use(program->kernel)];
        launch(program, program->kernel);
        const double after = costs[variant_in_use(program->kernel)];
        program->needed_ns += after < best ? after : best;
        const double all = read_clock(NULL);
        if (all - program->needed_ns > share * all)
            fail_msg("call %d: %g of %g ns", program->turn, all - program->needed_ns, all);
    }
}

#endif
