/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that launch kernels on the CPU device: in which order, with what, and what is too much. */
#include "cpu_fixture.h"

#define NOTE                                                                                                         \
    "__device__ void note(int *log, int what) { log[1 + atomicAdd(log, 1)] = what; }\n"                              \
    "__global__ void leaf(int *log, int what) { note(log, what); }\n"

enum { MOST = 40 };

/* Run `parent`, which notes what happens, and compare. */
static void assert_log(struct cpu_fixture *fixture, const char *text, const int *expected, int count)
{
    int log[MOST] = {0};
    load_kernel(fixture, text, "parent");
    uint64_t address = device_copy(fixture, log, sizeof log);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, log, address, sizeof log);
    assert_int_equal(log[0], count);
    for (int i = 0; i < count; i++)
        assert_int_equal(log[1 + i], expected[i]);
}

/* As the guide's example of tail launches: a grid, all that it has launched, and what that has launched, then its
 * tail launches in order, each with its own. */
static void children_follow_their_parent_and_tails_follow_children(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const int expected[] = {1, 10, 11, 12, 20, 30, 31, 32, 33, 40};
    assert_log(fixture,
               NOTE "__global__ void branch(int *log, int what) {\n"
                    "    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, what + 2);\n"
                    "    leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(log, what + 1);\n"
                    "    note(log, what);\n"
                    "}\n"
                    "__global__ void chain(int *log) {\n"
                    "    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 32);\n"
                    "    leaf<<<1, 1>>>(log, 31);\n"
                    "    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 33);\n"
                    "    note(log, 30);\n"
                    "}\n"
                    "__global__ void parent(int *log) {\n"
                    "    cudaStream_t one, two;\n"
                    "    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);\n"
                    "    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);\n"
                    "    cudaEvent_t done;\n"
                    "    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);\n"
                    "    chain<<<1, 1, 0, cudaStreamTailLaunch>>>(log);\n"
                    "    branch<<<1, 1, 0, one>>>(log, 10);\n"
                    "    cudaEventRecord(done, one);\n"
                    "    cudaStreamWaitEvent(two, done, 0);\n"
                    "    leaf<<<1, 1, 0, two>>>(log, 20);\n"
                    "    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 40);\n"
                    "    cudaEventDestroy(done);\n"
                    "    cudaStreamDestroy(one);\n"
                    "    cudaStreamDestroy(two);\n"
                    "    if (cudaGetLastError() == cudaSuccess && cudaPeekAtLastError() == cudaSuccess)\n"
                    "        note(log, 1);\n"
                    "}\n",
               expected, sizeof expected / sizeof *expected);
}

/* Types are those of the kernel, values those at the launch; templates, namespaces, pointers to kernels. */
static void arguments_are_converted_and_copied(void **state)
{
    struct cpu_fixture *fixture = *state;
    static const int expected[] = {7, 2003, 65, 3, 9, 5, 8};
    assert_log(fixture,
               NOTE
               "struct pair { int a; double b; };\n"
               "namespace ns { template <int N, class T> __global__ void k(int *log, T value, pair both, char c) {\n"
               "    note(log, N); note(log, (int)(1000 * value) + both.a); note(log, c); note(log, (int)both.b);\n"
               "} }\n"
               "__global__ void none() {}\n"
               "template <class T> __device__ void start(int *log, T value) {\n"
               "    pair both = {3, 3.5};\n"
               "    ns::k<7, T> <<<dim3(1), 1u>>>(log, value, both, 'A');\n"
               "    both.a = 100;\n"
               "}\n"
               "__global__ void parent(int *log) {\n"
               "    start<float>(log, 2);\n"
               "    void (*kernel)(int *, int) = leaf;\n"
               "    int what = 9;\n"
               "    kernel<<<1, 1>>>(log, what);\n"
               "    what = 5;\n"
               "    if (what == 5) leaf<<<1, 1>>>(log, what); else none<<<1, 1>>>();\n"
               "    none\n"
               "        <<<1,\n"
               "           1>>>();\n"
               "    leaf<<<what >> 2, (what << 1) - 9>>>(log, 8.5f);\n"
               "}\n",
               expected, sizeof expected / sizeof *expected);
}

/* Grids, blocks, and shared memory, static and dynamic, of sizes known only then; a cluster of its own. */
static void children_are_whole_grids(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { N = 1000 };
    static int y[N];
    load_kernel(fixture,
                "__global__ void __cluster_dims__(2, 1, 1) add(int *y, int begin, int count, int what) {\n"
                "    extern __shared__ int turned[];\n"
                "    __shared__ int base;\n"
                "    if (threadIdx.x == 0) base = begin + blockIdx.x * blockDim.x;\n"
                "    turned[blockDim.x - 1 - threadIdx.x] = blockDim.x - 1 - threadIdx.x;\n"
                "    __syncthreads();\n"
                "    int i = base + turned[threadIdx.x];\n"
                "    if (i < begin + count) y[i] += what * __clusterSizeInBlocks();\n"
                "}\n"
                "__global__ void parent(int *y, int n) {\n"
                "    int begin = blockIdx.x * blockDim.x + threadIdx.x * 10;\n"
                "    if (threadIdx.x < blockDim.x / 10 && begin < n)\n"
                "        add<<<2 * (1 + threadIdx.x % 2), 5, 5 * sizeof(int)>>>(y, begin, 10, begin / 10);\n"
                "}\n",
                "parent");
    uint64_t address = device_copy(fixture, y, sizeof y);
    int n = N;
    launch(fixture, D(10, 1, 1), D(100, 1, 1), 0, ARGUMENTS(&address, &n));
    fetch(fixture, y, address, sizeof y);
    for (int i = 0; i < N; i++)
        assert_int_equal(y[i], i / 10 * 2);
}

/* The device is dead then, as after any fault; the text says who launched whom. */
static void what_is_too_much_is_a_fault_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        uint32_t launches, threads;
    } cases[] = {
        {NOTE "__global__ void parent(int *log) {\n leaf<<<1, dim3(1024, 2)>>>(log, 1); }\n",
         "kernel 'parent': kernel 'leaf': 2048 threads per block; the limit is 1024 at line 4, block (0, 0, 0), "
         "thread (0, 0, 0)",
         0, 1},
        {NOTE "__global__ void parent(int *log) {\n\n leaf<<<0, 1>>>(log, 1); }\n",
         "kernel 'leaf': a grid of 0 x 1 x 1 is outside", 0, 1},
        {NOTE "__global__ void parent(int *log) { leaf<<<1, 1, 300000>>>(log, 1); }\n",
         "kernel 'leaf' needs 0 + 300000 bytes of shared memory", 0, 1},
        {"__global__ void parent(int *log) { parent<<<1, 1>>>(log); }\n",
         "kernel 'parent', launched by 'parent' in line 1: kernel 'parent' is launched 25 grids deep; the limit is "
         "24",
         0, 1},
        {NOTE "__global__ void parent(int *log) { for (int i = 0; i < 2049; i++) leaf<<<1, 1>>>(log, 1); }\n",
         "kernel 'leaf' is launched while 2048 launches wait, which is the limit", 0, 1},
        {NOTE "__global__ void parent(int *log) { leaf<<<1, 1>>>(log, 1); }\n", "launched while 7 launches wait", 7,
         8},
        {NOTE "__global__ void twice(int *log) { leaf<<<1, 1>>>(log, 1); leaf<<<1, 1>>>(log, 1); }\n"
              "__global__ void parent(int *log) { twice<<<1, 1>>>(log); twice<<<1, 1>>>(log); }\n",
         "kernel 'twice', launched by 'parent' in line 4: kernel 'leaf' is launched while 2 launches wait", 2, 1},
        {"__global__ void leaf(int *log) {\n __trap(); }\n"
         "__global__ void parent(int *log) { leaf<<<1, 1>>>(log); }\n",
         "kernel 'leaf', launched by 'parent' in line 3: __trap() at line 2", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *opened;
        assert_int_equal(cpu_fixture_open(&opened), 0);
        struct cpu_fixture *fixture = opened;
        load_kernel(fixture, cases[i].text, "parent");
        int log[MOST * 60] = {0};
        uint64_t address = device_copy(fixture, log, sizeof log);
        const struct launch_shape shape = {
            .grid = {1, 1, 1}, .block = {cases[i].threads, 1, 1}, .launches = cases[i].launches};
        assert_true(cpu->launch(fixture->device, fixture->kernel, &shape, ARGUMENTS(&address), &fixture->error));
        assert_false(cpu->synchronize(fixture->device, &fixture->error));
        assert_int_equal(fixture->error.code, ERROR_FAULT);
        if (!strstr(fixture->error.text, cases[i].message))
            fail_msg("%s", fixture->error.text);
        assert_int_equal(cpu_fixture_close(&opened), 0);
    }
}

/* Depth-first, so that a deep tree of many grids needs few places. */
static void as_many_as_the_launch_allows_may_wait(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void node(int *count, int depth) {\n"
                "    atomicAdd(count, 1);\n"
                "    if (depth > 0) node<<<1, 2>>>(count, depth - 1);\n"
                "}\n"
                "__global__ void parent(int *count, int depth) { node<<<1, 2>>>(count, depth); }\n",
                "parent");
    int count = 0, depth = 6;
    uint64_t address = device_copy(fixture, &count, sizeof count);
    /* One of 3000 runs, and of each level below one, while its sibling waits; both of the last wait at first. */
    struct launch_shape shape = {.grid = {3, 1, 1}, .block = {1000, 1, 1}, .launches = 2999 + 5 + 2};
    assert_success(
        cpu->launch(fixture->device, fixture->kernel, &shape, ARGUMENTS(&address, &depth), &fixture->error),
        &fixture->error);
    fetch(fixture, &count, address, sizeof count);
    assert_int_equal(count, 3000 * 2 * 127); /* of each thread 2 ^ 0 + ... + 2 ^ 6 grids, of 2 threads */
    shape.launches--;
    assert_true(cpu->launch(fixture->device, fixture->kernel, &shape, ARGUMENTS(&address, &depth), &fixture->error));
    assert_false(cpu->synchronize(fixture->device, &fixture->error));
    assert_non_null(strstr(fixture->error.text, "kernel 'node' is launched while 3005 launches wait"));
}

/* A chain of tail launches is no recursion: it may be as long as it likes. */
static void tail_launches_may_go_on(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void parent(int *left) {\n"
                "    if (--*left > 0) parent<<<1, 1, 0, cudaStreamTailLaunch>>>(left);\n"
                "}\n",
                "parent");
    int left = 5000;
    uint64_t address = device_copy(fixture, &left, sizeof left);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, &left, address, sizeof left);
    assert_int_equal(left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(children_follow_their_parent_and_tails_follow_children, cpu_fixture_open,
                                        cpu_fixture_close),
        cmocka_unit_test_setup_teardown(arguments_are_converted_and_copied, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(children_are_whole_grids, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test(what_is_too_much_is_a_fault_with_its_line),
        cmocka_unit_test_setup_teardown(as_many_as_the_launch_allows_may_wait, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(tail_launches_may_go_on, cpu_fixture_open, cpu_fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
