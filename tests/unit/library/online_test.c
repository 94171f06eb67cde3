/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Online tuning on the CPU device: what calls of a program find, and that nothing wrong ever reaches it.
 *
 * Kernels keep a clock of their own, which the tests read: each adds what it "takes" to a number of the test's, whose
 * address is a size of the template.
 */
#include "tests/unit/measure/must.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/stored.h"

#include "tuner/library/answer.h"
#include "tuner/library/attached.h"
#include "tuner/library/handle.h"
#include "tuner/library/learnt.h"
#include "tuner/library/load.h"
#include "tuner/library/loaded.h"
#include "tuner/library/online.h"
#include "tuner/library/rivals.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 200, AROUND = 64 };

static struct error error;
static struct tune_error failure;
static _Atomic uint64_t clock_ns;

static void must_do(enum tune_code code)
{
    if (code != TUNE_OK)
        fail_msg("%s: %s %s", tune_code_name(code), failure.text, failure.hint);
}

/* What each V does, and what it takes. */
enum { INCUMBENT, WRONG, SHORT, BEYOND, INTO_INPUT, BROKEN, FAST, SLOW, VARIANTS };
static const double costs[VARIANTS] = {[INCUMBENT] = 1000, [WRONG] = 100,  [SHORT] = 110, [BEYOND] = 120,
                                       [INTO_INPUT] = 130, [BROKEN] = 140, [FAST] = 500,  [SLOW] = 1500};

static int make_home(void **state)
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

static void put(struct store *store, const struct store_problem *problem, int v)
{
    char text[32];
    snprintf(text, sizeof text, "{\"V\":%d}", v);
    must(stored_put(store, problem, text, costs[v], &error));
}

static char *size_text(void)
{
    static char text[64];
    snprintf(text, sizeof text, "n=%d,clock=%" PRIu64, N, (uint64_t)(uintptr_t)&clock_ns);
    return text;
}

/* A sweep at another size found all but the incumbent valid, and one at ours the incumbent alone. */
static void fill_database(const char *path)
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

static struct tune *open_home(const char *database)
{
    struct tune *tune;
    const struct tune_options options = {
        .bytes = sizeof options, .home = scratch_folder, .database = database, .cache = scratch_path("cache")};
    must_do(tune_open(&options, &tune, &failure));
    return tune;
}

static struct tune_answer *ask(struct tune *tune)
{
    struct tune_answer *answer;
    const struct tune_size size = {"clock", (int64_t)(intptr_t)&clock_ns};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "t", .device = "cpu:0", .sizes = &size, .size_count = 1};
    must_do(tune_best(tune, &problem, &answer, &failure));
    return answer;
}

static struct tune_answer_info describe(const struct tune_answer *answer)
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

static double read_clock(void *context)
{
    (void)context;
    return (double)atomic_load(&clock_ns);
}

static void load(struct user *program, double share)
{
    const struct tune_load_options options = {.bytes = sizeof options, .online = share};
    must_do(tune_load(program->tune, program->answer, &options, &program->kernel, &failure));
}

static void open_program(struct user *program, const char *name, double share)
{
    *program = (struct user){.turn = 0};
    snprintf(program->database, sizeof program->database, "%s", scratch_path(name));
    fill_database(program->database);
    program->tune = open_home(program->database);
    program->answer = ask(program->tune);
    assert_string_equal(describe(program->answer).configuration, "{\"V\":0}");
    load(program, share);
}

static void close_program(struct user *program)
{
    tune_kernel_free(program->kernel);
    tune_answer_free(program->answer);
    tune_close(program->tune);
}

/* Give the kernel what tune_load gives it, but for the thread. */
static void tune_by_steps(struct user *program, double share)
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

static struct tune_online_info state_of(const struct tune_kernel *kernel)
{
    struct tune_online_info info = {.bytes = sizeof info};
    must_do(tune_kernel_online(kernel, &info, &failure));
    return info;
}

static int variant_in_use(const struct tune_kernel *kernel)
{
    int v = -1;
    assert_int_equal(sscanf(state_of(kernel).configuration, "{\"V\":%d}", &v), 1);
    return v;
}

/* A call with other inputs than before: its results to the bit, and all that it must not touch. */
static void launch(struct user *program, struct tune_kernel *kernel)
{
    const int turn = program->turn++, frame = 1000003 * (turn + 1);
    for (int i = 0; i < N + 2 * AROUND; i++) {
        program->x[i] = 17 * turn + i;
        program->y[i] = frame + i;
    }
    const struct tune_buffer buffers[] = {{program->x + AROUND, N * sizeof(int)},
                                          {program->y + AROUND, N * sizeof(int)}};
    must_do(tune_launch(kernel, NULL, buffers, 2, &failure));
    for (int i = 0; i < N + 2 * AROUND; i++) {
        const int x = 17 * turn + i;
        const bool inside = i >= AROUND && i < AROUND + N;
        assert_int_equal(program->x[i], x);
        assert_int_equal(program->y[i], inside ? 3 * x + 1 : frame + i);
    }
}

static bool is_over(const struct user *program)
{
    return state_of(program->kernel).state != TUNE_ONLINE_TRYING;
}

/* Calls and the thread's work in turns; the debt stays within the share at every moment. */
static void run(struct user *program, double share, int most)
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

/* The first test, so that V = 7 is not in the cache of images: the thread that compiles it goes on with what else
 * there is, and calls before that launch the other one. */
static void it_begins_when_the_thread_has_loaded(void **state)
{
    (void)state;
    struct user user;
    struct tune_answer *wanted;
    struct online_request online = {.share = 0.5};
    open_program(&user, "background.db", 0);
    struct tune_kernel *first = user.kernel;
    must(learnt_answer(user.answer, "{\"V\":7}", &wanted, &error));
    must(rivals_find(user.tune, wanted, TRIALS_MOST, &online.contenders, &error));
    const struct load_request request = {
        user.tune->attachments, user.tune->cache, wanted, user.answer, NULL, &online};
    must_do(load_kernel(&request, &user.kernel, &failure));
    assert_int_equal(variant_in_use(user.kernel), INCUMBENT);
    while (variant_in_use(user.kernel) == INCUMBENT)
        launch(&user, user.kernel);
    for (int i = 0; i < 200; i++)
        launch(&user, user.kernel);
    assert_int_equal(state_of(user.kernel).candidates, VARIANTS - 1);
    tune_kernel_free(first);
    tune_answer_free(wanted);
    close_program(&user);
}

static void calls_find_what_is_faster(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "fast.db", 0);
    assert_null(program.kernel->online);
    assert_int_equal(state_of(program.kernel).state, TUNE_ONLINE_OFF);
    tune_by_steps(&program, 0.1);
    struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_TRYING);
    assert_int_equal(info.candidates, VARIANTS - 1);
    run(&program, 0.1, 5000);
    info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_string_equal(info.why, "all that may be tried was tried");
    assert_string_equal(info.configuration, "{\"V\":6}");
    assert_int_equal(info.tried, VARIANTS - 1);
    assert_int_equal(info.wrong, 4);
    assert_true(info.ratio > 0.499 && info.ratio < 0.501);
    assert_true(info.time_ns == read_clock(NULL)); /* all calls and tries are in it */
    assert_true(info.excess_ns > 2 * 500 && info.excess_ns <= 0.1 * info.time_ns);
    assert_int_equal(info.calls, program.turn);
    launch(&program, program.kernel);
    close_program(&program);

    /* The next run begins with it, and has nothing left to try. */
    program.tune = open_home(program.database);
    program.answer = ask(program.tune);
    const struct tune_answer_info next = describe(program.answer);
    assert_string_equal(next.configuration, "{\"V\":6}");
    assert_int_equal(next.rule, TUNE_RULE_EXACT);
    assert_true(next.validated);
    assert_non_null(strstr(next.origin, "found online 20"));
    load(&program, 0.1);
    info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_int_equal(info.candidates, 0);
    assert_null(program.kernel->making); /* no thread */
    launch(&program, program.kernel);
    close_program(&program);
}

static void a_fork_has_what_is_best_by_now(void **state)
{
    (void)state;
    struct user program;
    struct tune_kernel *early, *late;
    open_program(&program, "fork.db", 0);
    tune_by_steps(&program, 0.5);
    must_do(tune_kernel_fork(program.kernel, &early, &failure));
    run(&program, 1, 5000);
    must_do(tune_kernel_fork(program.kernel, &late, &failure));
    assert_int_equal(variant_in_use(early), INCUMBENT);
    assert_int_equal(variant_in_use(late), FAST);
    assert_int_equal(state_of(late).state, TUNE_ONLINE_OFF);
    close_program(&program); /* handles may be freed in any order */
    launch(&program, early);
    launch(&program, late);
    tune_kernel_free(early);
    tune_kernel_free(late);
}

/* ---- streams ---- */

struct device_mark {
    double time;
};

static struct {
    bool captures, reached, fails, gone;
    size_t marks, set, asked;
} stream;

static bool mark_create(struct device *device, struct device_mark **mark, struct error *why)
{
    (void)device, (void)why;
    *mark = calloc(1, sizeof **mark);
    stream.marks++;
    return *mark != NULL;
}

static void mark_destroy(struct device *device, struct device_mark *mark)
{
    (void)device;
    stream.marks--;
    free(mark);
}

static bool mark(struct device *device, void *in, struct device_mark *mark, struct error *why)
{
    (void)device, (void)why;
    assert_false(stream.captures);
    assert_ptr_equal(in, NULL);
    stream.set++;
    mark->time = read_clock(NULL);
    return true;
}

static bool mark_reached(struct device *device, struct device_mark *mark, bool *reached, struct error *why)
{
    (void)device, (void)mark;
    *reached = stream.reached && stream.asked++ % 3 == 2;
    return !stream.fails || error_set(why, ERROR_FAULT, "an illegal address");
}

static bool mark_between(struct device *device, struct device_mark *from, struct device_mark *to, double *nanoseconds,
                         struct error *why)
{
    (void)device, (void)why;
    *nanoseconds = to->time - from->time;
    return true;
}

static bool capturing(struct device *device, void *in, bool *captured, struct error *why)
{
    (void)device, (void)in, (void)why;
    *captured = stream.captures;
    return true;
}

static bool enter(struct device *device, bool anyway, bool *entered, struct error *why)
{
    (void)device, (void)anyway;
    *entered = !stream.gone;
    return *entered || error_set(why, ERROR_DEVICE, "no context");
}

static void leave(struct device *device, bool entered)
{
    (void)device, (void)entered;
}

static struct device_driver driver;
static struct device_guest guest;

/* The CPU device, as if it had streams whose work is done when the test says so. */
static void open_streams(struct user *program, const char *name)
{
    driver = *device_driver_find("cpu");
    guest = *driver.guest;
    guest.mark_create = mark_create;
    guest.mark_destroy = mark_destroy;
    guest.mark = mark;
    guest.mark_reached = mark_reached;
    guest.mark_between = mark_between;
    guest.capturing = capturing;
    guest.enter = enter;
    guest.leave = leave;
    driver.guest = &guest;
    memset(&stream, 0, sizeof stream);
    open_program(program, name, 0);
    program->kernel->versions[0].variant->code->attached->driver = &driver;
    tune_by_steps(program, 0.5);
}

static void close_streams(struct user *program)
{
    program->kernel->versions[0].variant->code->attached->driver = &driver;
    close_program(program);
    assert_int_equal(stream.marks, 0);
}

static void times_are_read_at_a_later_call(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "marks.db");
    launch(&program, program.kernel);
    assert_int_equal(stream.set, 2); /* around the first call, */
    for (int i = 0; i < 20; i++)
        launch(&program, program.kernel);
    assert_int_equal(stream.set, 2); /* which is not through */
    stream.reached = true;
    run(&program, 1, 5000);
    assert_int_equal(variant_in_use(program.kernel), FAST);
    assert_int_equal(state_of(program.kernel).wrong, 4);
    close_streams(&program);
}

static void nothing_is_tried_in_a_capture(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "capture.db");
    stream.captures = stream.reached = true;
    for (int i = 0; i < 50; i++) {
        while (online_step(program.kernel->online))
            ;
        launch(&program, program.kernel);
    }
    assert_int_equal(stream.set, 0);
    assert_int_equal(state_of(program.kernel).calls, 0);
    close_streams(&program);
}

static void a_device_that_fails_ends_it(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "fails.db");
    launch(&program, program.kernel);
    stream.fails = true;
    launch(&program, program.kernel);
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_string_equal(info.why, "the device fails");
    launch(&program, program.kernel);
    close_streams(&program);
}

/* The call that reads that a race was won launches the winner. */
static void the_winner_is_launched_at_once(void **state)
{
    (void)state;
    struct user program;
    double before = 0;
    open_streams(&program, "winner.db");
    stream.reached = true;
    while (atomic_load(&program.kernel->newest) == 0 && program.turn < 5000) {
        while (online_step(program.kernel->online))
            ;
        before = read_clock(NULL);
        launch(&program, program.kernel);
    }
    assert_true(read_clock(NULL) - before == costs[FAST]);
    close_streams(&program);
}

static void a_context_that_is_gone_ends_it(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "gone.db");
    stream.gone = true;
    online_work(program.kernel->online);
    stream.gone = false;
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_REFUSED);
    assert_string_equal(info.why, "the device's context is not there");
    launch(&program, program.kernel);
    close_streams(&program);
}

static void what_is_freed_does_not_begin(void **state)
{
    (void)state;
    struct user program;
    open_streams(&program, "freed.db");
    struct online *online = program.kernel->online;
    const size_t marks = stream.marks;
    online_end(online);
    assert_false(online_begin(online)); /* by a thread that has loaded the kernel meanwhile */
    assert_false(online_is_on(online));
    assert_int_equal(stream.marks, marks);
    close_streams(&program);
}

/* ---- calls that are not fit for it ---- */

/* One that stays, since it has prepared something, though the one to begin with is there. */
static void one_that_stands_in_is_not_compared(void **state)
{
    (void)state;
    struct user program;
    struct tune_answer *wanted;
    open_program(&program, "stand_in.db", 0);
    struct tune_kernel *kernel = program.kernel;
    must(learnt_answer(program.answer, "{\"V\":7}", &wanted, &error));
    must_do(loaded_make(kernel->versions[0].variant->code->attached, program.tune->cache, wanted,
                        &kernel->versions[1], &failure));
    tune_answer_free(wanted);
    atomic_store(&kernel->newest, 1);
    tune_by_steps(&program, 0.5);
    int x[N] = {0}, y[N];
    const struct tune_buffer buffers[] = {{x, sizeof x}, {y, sizeof y}};
    for (int i = 0; i < 200; i++) {
        while (online_step(kernel->online))
            ;
        must_do(online_launch(kernel->online, NULL, buffers, &failure));
    }
    assert_int_equal(state_of(kernel).calls, 0);
    assert_true(read_clock(NULL) == 200 * costs[INCUMBENT]);
    launch(&program, kernel); /* takes the other one */
    assert_int_equal(variant_in_use(kernel), SLOW);
    assert_int_equal(state_of(kernel).calls, 1);
    close_program(&program);
}

/* In-place calls, whose copies would not be in place. */
static void buffers_that_overlap_are_left_alone(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "overlap.db", 0);
    tune_by_steps(&program, 0.5);
    for (int i = 0; i < 100; i++) {
        _Alignas(16) int both[N];
        const struct tune_buffer buffers[] = {{both, sizeof both}, {both, sizeof both}};
        for (int j = 0; j < N; j++)
            both[j] = i + j;
        while (online_step(program.kernel->online))
            ;
        must_do(tune_launch(program.kernel, NULL, buffers, 2, &failure));
        for (int j = 0; j < N; j++)
            assert_int_equal(both[j], 3 * (i + j) + 1);
    }
    assert_int_equal(state_of(program.kernel).tries, 0);
    close_program(&program);
}

static void wrong_shares_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {-0.1, 0.51, 5, (double)NAN};
    struct user program;
    struct tune_kernel *kernel;
    open_program(&program, "shares.db", 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct tune_load_options options = {.bytes = sizeof options, .online = wrong[i]};
        assert_int_equal(tune_load(program.tune, program.answer, &options, &kernel, &failure), TUNE_ERROR_ARGUMENT);
        assert_non_null(strstr(failure.text, "options.online"));
    }
    /* a program that was built before there was the option */
    const struct tune_load_options old = {.bytes = offsetof(struct tune_load_options, online), .online = 7};
    must_do(tune_load(program.tune, program.answer, &old, &kernel, &failure));
    assert_int_equal(state_of(kernel).state, TUNE_ONLINE_OFF);
    assert_int_equal(tune_kernel_online(kernel, NULL, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_kernel_online(NULL, &(struct tune_online_info){0}, &failure), TUNE_ERROR_ARGUMENT);
    tune_kernel_free(kernel);
    close_program(&program);
}

/* ---- threads ---- */

enum { THREADS = 8, CALLS = 400 };

struct caller {
    pthread_t thread;
    struct tune_kernel *kernel;
    int number;
    bool right;
};

static void *launch_often(void *argument)
{
    struct caller *caller = argument;
    _Alignas(16) int x[N];
    _Alignas(16) int y[N];
    const struct tune_buffer buffers[] = {{x, sizeof x}, {y, sizeof y}};
    caller->right = true;
    for (int round = 0; round < CALLS && caller->right; round++) {
        for (int i = 0; i < N; i++)
            x[i] = 1000 * caller->number + 13 * round + i;
        caller->right = tune_launch(caller->kernel, NULL, buffers, 2, NULL) == TUNE_OK;
        for (int i = 0; i < N && caller->right; i++)
            caller->right = x[i] == 1000 * caller->number + 13 * round + i && y[i] == 3 * x[i] + 1;
    }
    return NULL;
}

/* With the thread of tune_load and by the host's clock: whatever it finds, results are right. */
static void many_threads_try_at_once(void **state)
{
    (void)state;
    static struct caller callers[THREADS];
    struct user program;
    open_program(&program, "threads.db", 0.5);
    assert_non_null(program.kernel->making);
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){.kernel = program.kernel, .number = i};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, launch_often, &callers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)state_of(program.kernel);
        pthread_join(callers[i].thread, NULL);
        assert_true(callers[i].right);
    }
    const struct tune_online_info info = state_of(program.kernel);
    assert_true(info.calls <= THREADS * CALLS);
    close_program(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_when_the_thread_has_loaded),
        cmocka_unit_test(calls_find_what_is_faster),
        cmocka_unit_test(a_fork_has_what_is_best_by_now),
        cmocka_unit_test(times_are_read_at_a_later_call),
        cmocka_unit_test(nothing_is_tried_in_a_capture),
        cmocka_unit_test(a_device_that_fails_ends_it),
        cmocka_unit_test(the_winner_is_launched_at_once),
        cmocka_unit_test(a_context_that_is_gone_ends_it),
        cmocka_unit_test(what_is_freed_does_not_begin),
        cmocka_unit_test(one_that_stands_in_is_not_compared),
        cmocka_unit_test(buffers_that_overlap_are_left_alone),
        cmocka_unit_test(wrong_shares_are_refused),
        cmocka_unit_test(many_threads_try_at_once),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
