/* SPDX-License-Identifier: Apache-2.0 */
/* The processors as several threads and views of a device share them. */
#include "cpu_fixture.h"

#include "tuner/device/cpu/cores.h"
#include "tuner/device/guest.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static const char add_text[] = "#include <cassert>\n"
                               "extern \"C\" __global__ void add(int *sums, int n, int by)\n"
                               "{\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    assert(by != 0);\n"
                               "    __syncthreads();\n"
                               "    if (i < n) sums[i] += by;\n"
                               "}\n";
enum { N = 1000, THREADS = 8, ROUNDS = 20 };

/* A guest with the kernel loaded; `load_request` opens nothing else. */
static int attach(void **state)
{
    struct cpu_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    strcpy(fixture->scratch, "/tmp/tune-cpu-XXXXXX");
    assert_non_null(mkdtemp(fixture->scratch));
    assert_success(cpu->guest->attach(0, &fixture->device, &fixture->description, &fixture->error), &fixture->error);
    load_kernel(fixture, add_text, "add");
    *state = fixture;
    return 0;
}

static bool launch_in(const struct cpu_fixture *fixture, struct device *device, int *sums, int by,
                      struct error *error)
{
    uint64_t address = (uint64_t)(uintptr_t)sums;
    int n = N;
    return cpu->guest->launch(device, NULL, fixture->kernel, SHAPE(.grid = {8, 1, 1}, .block = {128, 1, 1}),
                              ARGUMENTS(&address, &n, &by), error);
}

static void guests_are_described_quickly(void **state)
{
    const struct cpu_fixture *fixture = *state;
    struct device *device;
    struct device_description whole;
    struct error error;
    assert_success(cpu->open(0, &device, &error), &error);
    assert_success(cpu->describe(device, &whole, &error), &error);
    cpu->close(device);
    assert_string_equal(fixture->description.kind, "cpu");
    assert_string_equal(fixture->description.name, whole.name);
    assert_string_equal(fixture->description.architecture, whole.architecture);
    assert_int_equal(fixture->description.sm_count, whole.sm_count);
    assert_int_equal(fixture->description.max_grid_x, whole.max_grid_x);
    char compiler[sizeof whole.compiler];
    assert_success(cpu->guest->compiler(compiler, sizeof compiler, &error), &error);
    assert_string_equal(compiler, whole.compiler);
}

struct adder {
    pthread_t thread;
    const struct cpu_fixture *fixture;
    struct device *view; /* NULL: the device itself */
    int sums[N];
    bool done;
};

static void *add(void *argument)
{
    struct adder *adder = argument;
    struct error error;
    adder->done = true;
    for (int round = 1; round <= ROUNDS; round++)
        adder->done = adder->done && launch_in(adder->fixture, adder->view ? adder->view : adder->fixture->device,
                                               adder->sums, round, &error);
    return NULL;
}

static void launches_of_many_threads(void **state)
{
    struct cpu_fixture *fixture = *state;
    static struct adder adders[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        adders[i] = (struct adder){.fixture = fixture};
        if (i % 2 == 1)
            assert_success(cpu->guest->view(fixture->device, &adders[i].view, &fixture->error), &fixture->error);
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add, &adders[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(adders[i].thread, NULL);
        assert_true(adders[i].done);
        for (size_t j = 0; j < N; j++)
            assert_int_equal(adders[i].sums[j], ROUNDS * (ROUNDS + 1) / 2);
        cpu->close(adders[i].view);
    }
}

/* What a kernel sees of the process's signals while it runs. */
static const char look_text[] = "extern \"C\" int sigaction(int, const void *, void *);\n"
                                "extern \"C\" __global__ void look(void *action)\n"
                                "{\n"
                                "    sigaction(11, nullptr, action);\n"
                                "}\n";

static void no_signal_is_handled(void **state)
{
    struct cpu_fixture *fixture = *state;
    struct sigaction before, seen = {.sa_handler = SIG_IGN};
    uint64_t address = (uint64_t)(uintptr_t)&seen;
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    assert_int_equal(sigaction(SIGSEGV, &plain, &before), 0);
    cpu->unload(fixture->device, fixture->module);
    fixture->module = NULL;
    load_kernel(fixture, look_text, "look");
    assert_success(cpu->guest->launch(fixture->device, NULL, fixture->kernel,
                                      SHAPE(.grid = {1, 1, 1}, .block = {1, 1, 1}), ARGUMENTS(&address),
                                      &fixture->error),
                   &fixture->error);
    assert_ptr_equal(seen.sa_handler, SIG_DFL);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

static void a_fault_ends_all_views(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int sums[N];
    struct device *view;
    struct error error;
    assert_success(cpu->guest->view(fixture->device, &view, &error), &error);
    assert_false(launch_in(fixture, view, sums, 0, &error)); /* the assertion */
    assert_int_equal(error.code, ERROR_FAULT);
    error.text[0] = '\0';
    assert_false(launch_in(fixture, fixture->device, sums, 1, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    assert_non_null(strstr(error.text, "add"));
    assert_int_equal(sums[0], 0);
    assert_false(cpu->guest->copy(view, NULL, (uint64_t)(uintptr_t)sums, (uint64_t)(uintptr_t)&sums[10], 4, &error));
    assert_false(cpu->guest->fill(view, NULL, (uint64_t)(uintptr_t)sums, 1, 4, &error));
    cpu->close(view);
}

#ifndef __SANITIZE_THREAD__ /* which ends what is forked from threads */
static void a_forked_process_has_none_of_the_threads(void **state)
{
    struct cpu_fixture *fixture = *state;
    static int sums[N];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct error error;
        bool refused = !launch_in(fixture, fixture->device, sums, 3, &error) && error.code == ERROR_SYSTEM;
        struct device *own;
        struct device_description description;
        bool anew = cpu->guest->attach(0, &own, &description, &error) && launch_in(fixture, own, sums, 4, &error);
        cpu->close(own);
        cpu->close(fixture->device); /* waits for nobody */
        _exit(refused && anew && sums[N - 1] == 4 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_success(launch_in(fixture, fixture->device, sums, 5, &fixture->error), &fixture->error);
    assert_int_equal(sums[N - 1], 5);
}
#endif

static void copies_and_fills(void **state)
{
    struct cpu_fixture *fixture = *state;
    unsigned char from[4] = {1, 2, 3, 4}, to[6] = {9, 9, 9, 9, 9, 9};
    bool capturing = true;
    assert_true(cpu->guest->copy(fixture->device, NULL, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from, 4, NULL));
    assert_true(cpu->guest->fill(fixture->device, NULL, (uint64_t)(uintptr_t)&to[4], 7, 1, NULL));
    assert_memory_equal(to, ((unsigned char[]){1, 2, 3, 4, 7, 9}), 6);
    cpu->guest->program_stream(fixture->device, to);
    assert_true(cpu->guest->capturing(fixture->device, to, &capturing, NULL));
    assert_false(capturing);
    assert_null(cpu->guest->function(fixture->kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(guests_are_described_quickly, attach, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(launches_of_many_threads, attach, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(no_signal_is_handled, attach, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(a_fault_ends_all_views, attach, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(copies_and_fills, attach, cpu_fixture_close),
#ifndef __SANITIZE_THREAD__
        cmocka_unit_test_setup_teardown(a_forked_process_has_none_of_the_threads, attach, cpu_fixture_close),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
