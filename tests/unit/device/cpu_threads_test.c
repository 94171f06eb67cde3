/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a block: barriers, shuffles, votes, faults, and stacks. */
#include "cpu_fixture.h"

static void dynamic_shared_memory_in_and_outside_of_functions(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "/* extern __shared__ int in_a_comment[]; */\n"
                "extern __shared__ __align__(16) unsigned char raw[]; // at namespace scope\n"
                "namespace inner { extern __shared__ int shared[]; }\n"
                "struct some { int first[4]; };\n"
                "__global__ void reverse(const int *in, int *out) {\n"
                "    extern __shared__ int\n"
                "        s[];\n"
                "    extern volatile __shared__ int pairs[][2];\n"
                "    int i = threadIdx.x, n = blockDim.x;\n"
                "    s[i] = in[blockIdx.x * n + i];\n"
                "    __syncthreads();\n"
                "    int a = reinterpret_cast<int *>(raw)[n - 1 - i], b = inner::shared[n - 1 - i];\n"
                "    int c = pairs[(n - 1 - i) / 2][(n - 1 - i) % 2];\n"
                "    some &all = reinterpret_cast<some &>(s), *same = reinterpret_cast<some *>(&s);\n"
                "    bool right = a == b && b == c && all.first[3] == s[3] && same->first[3] == s[3];\n"
                "    out[blockIdx.x * n + i] = right ? a : -1;\n"
                "}\n",
                "reverse");
    enum { N = 512, BLOCKS = 9 };
    static int in[N * BLOCKS], out[N * BLOCKS];
    for (int i = 0; i < N * BLOCKS; i++)
        in[i] = i;
    uint64_t di = device_copy(fixture, in, sizeof in), dout = device_room(fixture, sizeof out);
    launch(fixture, D(BLOCKS, 1, 1), D(N, 1, 1), N * sizeof(int), ARGUMENTS(&di, &dout));
    fetch(fixture, out, dout, sizeof out);
    for (int i = 0; i < N * BLOCKS; i++)
        assert_int_equal(out[i], i / N * N + N - 1 - i % N);
}

/* Every thread meets every other in shared memory, many times, at the largest block. */
static void barriers_of_1024_threads(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void rotate(int *out, int rounds) {\n"
                "    __shared__ int s[1024];\n"
                "    int i = threadIdx.y * blockDim.x + threadIdx.x;\n"
                "    s[i] = i;\n"
                "    for (int r = 0; r < rounds; r++) {\n"
                "        __syncthreads();\n"
                "        int v = s[(i + 1) % 1024];\n"
                "        __syncthreads();\n"
                "        s[i] = v;\n"
                "    }\n"
                "    out[blockIdx.x * 1024 + i] = s[i];\n"
                "}\n",
                "rotate");
    enum { BLOCKS = 5 };
    static int out[BLOCKS * 1024];
    uint64_t address = device_room(fixture, sizeof out);
    int rounds = 100;
    launch(fixture, D(BLOCKS, 1, 1), D(32, 32, 1), 0, ARGUMENTS(&address, &rounds));
    fetch(fixture, out, address, sizeof out);
    for (int i = 0; i < BLOCKS * 1024; i++)
        assert_int_equal(out[i], (i % 1024 + rounds) % 1024);
    assert_int_equal(cpu_divergent_barriers(fixture->device), 0);
}

static void threads_that_ended_are_not_waited_for(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void early(int *out, int live) {\n"
                "    __shared__ int s[128];\n"
                "    int i = threadIdx.x;\n"
                "    if (i >= live) return;\n"
                "    s[i] = i * i;\n"
                "    __syncthreads();\n"
                "    int next = s[(i + 1) % live];\n"
                "    next += __shfl_down_sync(0xffffffff, next, 1) * 1000;\n"
                "    out[i] = next;\n"
                "}\n",
                "early");
    int out[128], live = 77;
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(1, 1, 1), D(128, 1, 1), 0, ARGUMENTS(&address, &live));
    fetch(fixture, out, address, sizeof out);
    for (int i = 0; i < live; i++) {
        int next = (i + 1) % live * ((i + 1) % live);
        int after = (i + 2) % live * ((i + 2) % live);
        /* Lane 31 has no next lane, and lane 76 no live one: they get their own value. */
        assert_int_equal(out[i], next + 1000 * (i % 32 == 31 || i == live - 1 ? next : after));
    }
    for (int i = live; i < 128; i++)
        assert_int_equal((uint32_t)out[i], 0xAAAAAAAAu);
}

static void barriers_that_count(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void count(int *out) {\n"
                "    int i = threadIdx.x;\n"
                "    int thirds = __syncthreads_count(i % 3 == 0);\n"
                "    int all = __syncthreads_and(i < 100), most = __syncthreads_and(i < 99);\n"
                "    int any = __syncthreads_or(i == 50), none = __syncthreads_or(i == 100);\n"
                "    out[i] = thirds * 10000 + all * 1000 + most * 100 + any * 10 + none;\n"
                "}\n",
                "count");
    int out[100];
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(1, 1, 1), D(100, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, out, address, sizeof out);
    for (int i = 0; i < 100; i++)
        assert_int_equal(out[i], 34 * 10000 + 1000 + 10);
}

/* The lane that each form reads, per the tables for shfl.sync in the PTX manual. */
static int shuffle_source(int form, int lane, int n, int width)
{
    int base = lane / width * width;
    switch (form) {
    case 0:
        return base + n % width;
    case 1:
        return lane - n >= base ? lane - n : lane;
    case 2:
        return lane + n < base + width ? lane + n : lane;
    default:
        return (lane ^ n) < base + width ? lane ^ n : lane;
    }
}

static void shuffles_of_all_forms_and_widths(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void shuffle(int form, int n, int width, double *wide, unsigned *narrow) {\n"
                "    int i = threadIdx.x;\n"
                "    unsigned v = 100u + i;\n"
                "    double w = 0.5 + i;\n"
                "    switch (form) {\n"
                "    case 0: v = __shfl_sync(~0u, v, n, width); w = __shfl_sync(~0u, w, n, width); break;\n"
                "    case 1: v = __shfl_up_sync(~0u, v, n, width); w = __shfl_up_sync(~0u, w, n, width); break;\n"
                "    case 2: v = __shfl_down_sync(~0u, v, n, width); w = __shfl_down_sync(~0u, w, n, width); break;\n"
                "    case 3: v = __shfl_xor_sync(~0u, v, n, width); w = __shfl_xor_sync(~0u, w, n, width); break;\n"
                "    }\n"
                "    wide[i] = w;\n"
                "    narrow[i] = v;\n"
                "}\n",
                "shuffle");
    enum { N = 64 };
    double wide[N];
    unsigned narrow[N];
    uint64_t dw = device_room(fixture, sizeof wide), dn = device_room(fixture, sizeof narrow);
    for (int form = 0; form < 4; form++) {
        for (int width = 32; width >= 4; width /= 2) {
            for (int n = 0; n < width; n += 3) {
                launch(fixture, D(1, 1, 1), D(N, 1, 1), 0, ARGUMENTS(&form, &n, &width, &dw, &dn));
                fetch(fixture, wide, dw, sizeof wide);
                fetch(fixture, narrow, dn, sizeof narrow);
                for (int i = 0; i < N; i++) {
                    int source = i / 32 * 32 + shuffle_source(form, i % 32, n, width);
                    assert_int_equal(narrow[i], 100 + source);
                    assert_true(wide[i] == 0.5 + source);
                }
            }
        }
    }
}

static void votes_of_parts_of_a_warp(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void vote(uint4 *out) {\n"
                "    int i = threadIdx.x, lane = i % 32;\n"
                "    uint4 v;\n"
                "    if (lane < 12) {\n"
                "        v.x = __ballot_sync(0xfffu, lane % 2);\n"
                "        v.y = __any_sync(0xfffu, lane == 11) | __all_sync(0xfffu, lane < 12) << 1 | "
                "__all_sync(0xfffu, lane) << 2;\n"
                "        v.z = __reduce_add_sync(0xfffu, (unsigned)lane);\n"
                "    } else {\n"
                "        __syncwarp(0xfffff000u);\n"
                "        v.x = __ballot_sync(0xfffff000u, lane % 3 == 0);\n"
                "        v.y = __match_any_sync(0xfffff000u, lane / 8);\n"
                "        v.z = (unsigned)__reduce_min_sync(0xfffff000u, -lane);\n"
                "    }\n"
                "    v.w = __ballot_sync(~0u, i >= 40);\n"
                "    out[i] = v;\n"
                "}\n",
                "vote");
    enum { N = 56 }; /* the second warp is not full */
    uint32_t out[N][4];
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(1, 1, 1), D(N, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, out, address, sizeof out);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t lane = i % 32, lanes = i < 32 ? 32 : N - 32;
        uint32_t odd = 0, thirds = 0, same = 0, late = 0;
        for (uint32_t l = 0; l < lanes; l++) {
            odd |= l < 12 && l % 2 ? 1u << l : 0;
            thirds |= l >= 12 && l % 3 == 0 ? 1u << l : 0;
            same |= l >= 12 && l / 8 == lane / 8 ? 1u << l : 0;
            late |= i / 32 * 32 + l >= 40 ? 1u << l : 0;
        }
        assert_int_equal(out[i][0], lane < 12 ? odd : thirds);
        assert_int_equal(out[i][1], lane < 12 ? 3 : same);
        assert_int_equal(out[i][2], lane < 12 ? 66 : 1 - lanes);
        assert_int_equal(out[i][3], late);
    }
}

static void a_barrier_from_two_places_is_counted(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void split(int *out) {\n"
                "    if (threadIdx.x < 32)\n"
                "        __syncthreads();\n"
                "    else\n"
                "        __syncthreads();\n"
                "    out[threadIdx.x] = 1;\n"
                "}\n",
                "split");
    int out[64];
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(3, 1, 1), D(64, 1, 1), 0, ARGUMENTS(&address));
    assert_int_equal(cpu_divergent_barriers(fixture->device), 3);
}

static void a_barrier_that_cannot_be_passed_is_a_fault(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void stuck(int *out, int block) {\n"
                "    if (threadIdx.x == 63) return;\n"
                "    if (blockIdx.x == block) {\n"
                "        if (threadIdx.x < 40)\n"
                "            __syncthreads();\n"
                "        else\n"
                "            __shfl_sync(0xffffffff, 1, 0);\n"
                "    }\n"
                "    out[blockIdx.x * 64 + threadIdx.x] = 1;\n"
                "}\n",
                "stuck");
    static int out[8 * 64];
    uint64_t address = device_room(fixture, sizeof out);
    int block = 8;
    launch(fixture, D(8, 1, 1), D(64, 1, 1), 0, ARGUMENTS(&address, &block));
    block = 5;
    launch_faulting(fixture, D(8, 1, 1), D(64, 1, 1), ARGUMENTS(&address, &block));
    assert_non_null(strstr(fixture->error.text, "divergent barrier: block (5, 0, 0)"));
    assert_non_null(strstr(fixture->error.text, "of 64 threads, 40 wait at a barrier (line 5)"));
    assert_non_null(strstr(fixture->error.text, "23 for other lanes of their warp (line 7)"));
    assert_non_null(strstr(fixture->error.text, "and 1 have exited"));
    /* The device stays dead. */
    assert_false(cpu->launch(fixture->device, fixture->kernel, SHAPE(.grid = D(1, 1, 1), .block = D(1, 1, 1)),
                             ARGUMENTS(&address, &block), &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_FAULT);
}

static void traps_and_assertions_name_line_and_thread(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void check(int limit) {\n"
                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    __syncthreads();\n"
                "    assert(i < limit);\n"
                "}\n",
                "check");
    int limit = 64 * 4;
    launch(fixture, D(4, 1, 1), D(8, 8, 1), 0, ARGUMENTS(&limit));
    limit = 5;
    launch_faulting(fixture, D(1, 1, 1), D(8, 8, 1), ARGUMENTS(&limit));
    assert_non_null(
        strstr(fixture->error.text, "the assertion 'i < limit' failed at line 4, block (0, 0, 0), thread ("));
}

/* Kernels may need much stack, and fibers are reused after one that did. */
static void stacks_hold_large_local_arrays(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__device__ __noinline__ int sum(const volatile int *x, int n) {\n"
                "    int s = 0;\n"
                "    for (int i = 0; i < n; i++) s += x[i];\n"
                "    return s;\n"
                "}\n"
                "__global__ void large(int *out) {\n"
                "    volatile int local[8192];\n"
                "    for (int i = 0; i < 8192; i++) local[i] = threadIdx.x;\n"
                "    __syncthreads();\n"
                "    out[threadIdx.x] = sum(local, 8192);\n"
                "}\n",
                "large");
    static int out[256];
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(3, 1, 1), D(256, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, out, address, sizeof out);
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], 8192 * i);
}

/* A block may wait for the one before it, since blocks start in order. */
static void later_blocks_may_wait_for_earlier_ones(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void chain(volatile int *done, int *out) {\n"
                "    if (threadIdx.x == 0) {\n"
                "        while (blockIdx.x > 0 && !done[blockIdx.x - 1]) __nanosleep(20);\n"
                "        out[blockIdx.x] = blockIdx.x ? out[blockIdx.x - 1] + 1 : 0;\n"
                "        __threadfence();\n"
                "        done[blockIdx.x] = 1;\n"
                "    }\n"
                "}\n",
                "chain");
    enum { N = 200 };
    int done[N] = {0}, out[N];
    uint64_t dd = device_copy(fixture, done, sizeof done), dout = device_room(fixture, sizeof out);
    launch(fixture, D(N, 1, 1), D(32, 1, 1), 0, ARGUMENTS(&dd, &dout));
    fetch(fixture, out, dout, sizeof out);
    for (int i = 0; i < N; i++)
        assert_int_equal(out[i], i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(dynamic_shared_memory_in_and_outside_of_functions),
        cpu_test(barriers_of_1024_threads),
        cpu_test(threads_that_ended_are_not_waited_for),
        cpu_test(barriers_that_count),
        cpu_test(shuffles_of_all_forms_and_widths),
        cpu_test(votes_of_parts_of_a_warp),
        cpu_test(a_barrier_from_two_places_is_counted),
        cpu_test(a_barrier_that_cannot_be_passed_is_a_fault),
        cpu_test(traps_and_assertions_name_line_and_thread),
        cpu_test(stacks_hold_large_local_arrays),
        cpu_test(later_blocks_may_wait_for_earlier_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
