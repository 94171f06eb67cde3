/* SPDX-License-Identifier: Apache-2.0 */
/* Whole kernels on the CPU device against plain C loops. */
#include "cpu_fixture.h"

#include <math.h>

static void saxpy_stops_at_the_edge(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { N = 1003, ROOM = 1280 };
    load_kernel(fixture,
                "__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {\n"
                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    if (i < n) y[i] = a * x[i] + y[i];\n"
                "}\n",
                "saxpy");
    float x[ROOM], y[ROOM], got[ROOM];
    for (int i = 0; i < ROOM; i++) {
        x[i] = (float)i;
        y[i] = 3.0f;
    }
    uint64_t dx = device_copy(fixture, x, sizeof x), dy = device_copy(fixture, y, sizeof y);
    int n = N;
    float a = 0.5f;
    launch(fixture, D((N + 127) / 128, 1, 1), D(128, 1, 1), 0, ARGUMENTS(&n, &a, &dx, &dy));
    fetch(fixture, got, dy, sizeof got);
    for (int i = 0; i < ROOM; i++)
        assert_true(got[i] == (i < N ? 0.5f * (float)i + 3.0f : 3.0f));
}

static const char tiled[] =
    "#ifndef TILE\n#define TILE 16\n#endif\n"
    "extern \"C\" __global__ void __launch_bounds__(TILE * TILE)\n"
    "gemm(int M, int N, int K, const float *A, const float *B, float *C) {\n"
    "    __shared__ float a[TILE][TILE + 1], b[TILE][TILE];\n"
    "    int m = blockIdx.y * TILE + threadIdx.y, n = blockIdx.x * TILE + threadIdx.x;\n"
    "    float sum = 0.0f;\n"
    "    for (int k0 = 0; k0 < K; k0 += TILE) {\n"
    "        a[threadIdx.y][threadIdx.x] = m < M && k0 + threadIdx.x < K ? A[m * K + k0 + threadIdx.x] : 0.0f;\n"
    "        b[threadIdx.y][threadIdx.x] = n < N && k0 + threadIdx.y < K ? B[(k0 + threadIdx.y) * N + n] : 0.0f;\n"
    "        __syncthreads();\n"
    "#pragma unroll\n"
    "        for (int k = 0; k < TILE; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (m < M && n < N) C[m * N + n] = sum;\n"
    "}\n";

static void tiled_product_agrees_with_loops(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { M = 67, N = 53, K = 41 };
    static float a[M * K], b[K * N], c[M * N];
    uint32_t seed = 1;
    for (int i = 0; i < M * K; i++)
        a[i] = pseudo_random(&seed);
    for (int i = 0; i < K * N; i++)
        b[i] = pseudo_random(&seed);
    const char *name = "gemm";
    struct compile_request request = request_for(fixture, tiled, &name);
    request.defines = "#define TILE 8\n";
    load_request(fixture, &request);
    uint64_t da = device_copy(fixture, a, sizeof a), db = device_copy(fixture, b, sizeof b);
    uint64_t dc = device_room(fixture, sizeof c);
    int m = M, n = N, k = K;
    launch(fixture, D((N + 7) / 8, (M + 7) / 8, 1), D(8, 8, 1), 0, ARGUMENTS(&m, &n, &k, &da, &db, &dc));
    fetch(fixture, c, dc, sizeof c);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0, magnitude = 0;
            for (int l = 0; l < K; l++) {
                sum += (double)a[i * K + l] * b[l * N + j];
                magnitude += fabs((double)a[i * K + l] * b[l * N + j]);
            }
            /* Higham, Accuracy and Stability, 3.5: |error| <= K u / (1 - K u) times the magnitude. */
            assert_true(fabs(c[i * N + j] - sum) <= (K + 1) * 0x1p-24 * magnitude);
        }
    }
}

static void block_sums_by_shuffles_and_shared_memory(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { N = 100000, BLOCK = 256, GRID = 7 };
    load_kernel(
        fixture,
        "__global__ void sum(const int *x, int n, long long *total) {\n"
        "    __shared__ long long warps[32];\n"
        "    long long v = 0;\n"
        "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];\n"
        "    for (int d = warpSize / 2; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);\n"
        "    if (threadIdx.x % warpSize == 0) warps[threadIdx.x / warpSize] = v;\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x < warpSize) {\n"
        "        v = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : 0;\n"
        "        for (int d = warpSize / 2; d; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);\n"
        "        if (threadIdx.x == 0) atomicAdd((unsigned long long *)total, (unsigned long long)v);\n"
        "    }\n"
        "}\n",
        "sum");
    static int x[N];
    long long expected = 0, total = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7919) % 2003 - 1000;
        expected += x[i];
    }
    uint64_t dx = device_copy(fixture, x, sizeof x), dt = device_copy(fixture, &total, sizeof total);
    int n = N;
    launch(fixture, D(GRID, 1, 1), D(BLOCK, 1, 1), 0, ARGUMENTS(&dx, &n, &dt));
    fetch(fixture, &total, dt, sizeof total);
    assert_int_equal(total, expected);
}

static void constants_are_uploaded_by_symbol(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *name = "scale", *symbols[] = {"factors", "calls"};
    struct compile_request request = request_for(fixture,
                                                 "__constant__ float factors[4];\n"
                                                 "__device__ int calls;\n"
                                                 "__global__ void scale(float *x) {\n"
                                                 "    x[threadIdx.x] = factors[threadIdx.x % 4] * threadIdx.x;\n"
                                                 "    atomicAdd(&calls, 1);\n"
                                                 "}\n",
                                                 &name);
    request.symbols = symbols;
    request.symbol_count = 2;
    load_request(fixture, &request);
    uint64_t factors, calls;
    size_t bytes;
    assert_success(cpu->symbol(fixture->module, "factors", &factors, &bytes, &fixture->error), &fixture->error);
    assert_int_equal(bytes, 16);
    assert_success(cpu->upload(fixture->device, factors, (float[]){1, 2, 4, 8}, bytes, &fixture->error),
                   &fixture->error);
    float x[16];
    uint64_t dx = device_room(fixture, sizeof x);
    launch(fixture, D(1, 1, 1), D(16, 1, 1), 0, ARGUMENTS(&dx));
    fetch(fixture, x, dx, sizeof x);
    for (int i = 0; i < 16; i++)
        assert_true(x[i] == (float)(i << i % 4));
    int count = 0;
    assert_success(cpu->symbol(fixture->module, "calls", &calls, &bytes, &fixture->error), &fixture->error);
    fetch(fixture, &count, calls, sizeof count);
    assert_int_equal(count, 16);
    assert_false(cpu->symbol(fixture->module, "factor", &calls, &bytes, &fixture->error));
}

static void atomics_hold_across_blocks(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void count(unsigned *bins, float *sum, int *least, int *most, unsigned *wrapped,\n"
                "                      unsigned long long *claimed) {\n"
                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    atomicAdd(&bins[i % 10], 1u);\n"
                "    atomicAdd_block(sum, 0.5f);\n"
                "    atomicMin(least, i - 17);\n"
                "    atomicMax(most, i);\n"
                "    atomicInc(wrapped, 6u);\n"
                "    atomicCAS(&claimed[i / 2], ~0ull, (unsigned long long)i / 2);\n"
                "}\n",
                "count");
    enum { N = 64 * 96 };
    unsigned bins[10] = {0}, wrapped = 0;
    float sum = 0;
    int least = 0, most = 0;
    static uint64_t claimed[N / 2];
    memset(claimed, 0xff, sizeof claimed);
    uint64_t db = device_copy(fixture, bins, sizeof bins), ds = device_copy(fixture, &sum, 4);
    uint64_t dl = device_copy(fixture, &least, 4), dm = device_copy(fixture, &most, 4);
    uint64_t dw = device_copy(fixture, &wrapped, 4), dc = device_copy(fixture, claimed, sizeof claimed);
    launch(fixture, D(64, 1, 1), D(96, 1, 1), 0, ARGUMENTS(&db, &ds, &dl, &dm, &dw, &dc));
    fetch(fixture, bins, db, sizeof bins);
    fetch(fixture, &sum, ds, 4);
    fetch(fixture, &least, dl, 4);
    fetch(fixture, &most, dm, 4);
    fetch(fixture, &wrapped, dw, 4);
    fetch(fixture, claimed, dc, sizeof claimed);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(bins[i], N / 10 + (i < N % 10));
    assert_true(sum == N / 2.0f);
    assert_int_equal(least, -17);
    assert_int_equal(most, N - 1);
    assert_int_equal(wrapped, N % 7);
    for (uint64_t i = 0; i < N / 2; i++)
        assert_int_equal(claimed[i], i);
}

static void indices_of_three_dimensions(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(
        fixture,
        "__global__ void where(uint4 *out) {\n"
        "    uint3 t = threadIdx, b = blockIdx;\n"
        "    dim3 n = blockDim;\n"
        "    unsigned thread = (t.z * n.y + t.y) * n.x + t.x;\n"
        "    unsigned block = (b.z * gridDim.y + b.y) * gridDim.x + b.x;\n"
        "    __syncthreads();\n"
        "    if (t.x != threadIdx.x || t.y != threadIdx.y || t.z != threadIdx.z) __trap();\n"
        "    out[block * n.x * n.y * n.z + thread] =\n"
        "        make_uint4(t.x | t.y << 8 | t.z << 16, b.x | b.y << 8 | b.z << 16, n.x * n.y * n.z, warpSize);\n"
        "}\n",
        "where");
    enum { BX = 5, BY = 3, BZ = 4, GX = 2, GY = 7, GZ = 3, THREADS = BX * BY * BZ };
    static uint32_t out[GX * GY * GZ * THREADS][4];
    uint64_t address = device_room(fixture, sizeof out);
    launch(fixture, D(GX, GY, GZ), D(BX, BY, BZ), 0, ARGUMENTS(&address));
    fetch(fixture, out, address, sizeof out);
    size_t i = 0;
    for (uint32_t gz = 0; gz < GZ; gz++)
        for (uint32_t gy = 0; gy < GY; gy++)
            for (uint32_t gx = 0; gx < GX; gx++)
                for (uint32_t z = 0; z < BZ; z++)
                    for (uint32_t y = 0; y < BY; y++)
                        for (uint32_t x = 0; x < BX; x++, i++) {
                            assert_int_equal(out[i][0], x | y << 8 | z << 16);
                            assert_int_equal(out[i][1], gx | gy << 8 | gz << 16);
                            assert_int_equal(out[i][2], THREADS);
                            assert_int_equal(out[i][3], 32);
                        }
}

/* Sizes and alignments from the CUDA C++ Programming Guide's table of built-in vector types. */
static void vector_types_have_cuda_layout(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "struct Sizes { int of[24]; };\n"
                "__global__ void layout(Sizes *s, float4 *v) {\n"
                "    Sizes t = {{sizeof(char2), alignof(char2), sizeof(uchar4), alignof(uchar4), sizeof(short3),\n"
                "        alignof(short3), sizeof(int2), alignof(int2), sizeof(int3), alignof(int3), sizeof(float2),\n"
                "        alignof(float2), sizeof(float3), alignof(float3), sizeof(float4), alignof(float4),\n"
                "        sizeof(longlong2), alignof(longlong2), sizeof(double2), alignof(double2), sizeof(double3),\n"
                "        alignof(double3), sizeof(double4), alignof(double4)}};\n"
                "    *s = t;\n"
                "    const float *f = &v->x;\n"
                "    float4 w = *reinterpret_cast<const float4 *>(f);\n"
                "    w.x += w.w;\n"
                "    *v = make_float4(w.x, w.y, w.z, 9.0f);\n"
                "}\n",
                "layout");
    static const int expected[24] = {2,  2, 4,  4,  6,  2,  8,  8,  12, 4, 8,  8,
                                     12, 4, 16, 16, 16, 16, 16, 16, 24, 8, 32, 16};
    int sizes[24];
    float v[4] = {1, 2, 3, 4};
    uint64_t ds = device_room(fixture, sizeof sizes), dv = device_copy(fixture, v, sizeof v);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&ds, &dv));
    fetch(fixture, sizes, ds, sizeof sizes);
    fetch(fixture, v, dv, sizeof v);
    assert_memory_equal(sizes, expected, sizeof sizes);
    assert_memory_equal(v, ((float[]){5, 2, 3, 9}), sizeof v);
}

/* Expected values computed by hand from the definitions in the CUDA Math API. */
static void integer_intrinsics(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(
        fixture,
        "__global__ void bits(unsigned *o) {\n"
        "    *o++ = __popc(0xf0f0u); *o++ = __clz(1); *o++ = __clz(0); *o++ = __ffs(0); *o++ = __ffs(8);\n"
        "    *o++ = __brev(1u); *o++ = __brev(0x00000f01u); *o++ = __byte_perm(0x33221100u, 0x77665544u, 0x7250u);\n"
        "    *o++ = __funnelshift_l(0x80000001u, 0x12345678u, 4); *o++ = __funnelshift_r(0x80000001u, 0x12345678u, "
        "4);\n"
        "    *o++ = __umulhi(0xffffffffu, 0xffffffffu); *o++ = (unsigned)__mulhi(-1, 5);\n"
        "    *o++ = (unsigned)__mul24(0xffffff, 3); *o++ = __float_as_uint(1.0f); *o++ = "
        "(unsigned)__float2int_rn(2.5f);\n"
        "    *o++ = (unsigned)__float2int_rz(-2.9f); *o++ = (unsigned)__float2int_rd(-2.1f);\n"
        "    *o++ = (unsigned)__float2int_rn(1e20f); *o++ = __float2uint_rz(-5.0f);\n"
        "    *o++ = (unsigned)max(-1, 1); *o++ = max(-1, 1u); *o++ = __float_as_uint(fminf(1.0f, "
        "__int_as_float(0x7fc00000)));\n"
        "    *o++ = __float_as_uint(__saturatef(1.5f)); *o++ = __float_as_uint(rsqrtf(4.0f));\n"
        "    *o++ = (unsigned)__popcll(~0ull); *o++ = (unsigned)__dp4a(0x01020304, 0x01ff0101, 10);\n"
        "}\n",
        "bits");
    static const uint32_t expected[] = {
        8,           31,          32,          0,           4,           0x80000000u, 0x80f00000u,
        0x77225500u, 0x23456788u, 0x88000000u, 0xfffffffeu, 0xffffffffu, 0xfffffffdu, 0x3f800000u,
        2,           0xfffffffeu, 0xfffffffdu, 0x7fffffffu, 0,           1,           0xffffffffu,
        0x3f800000u, 0x3f800000u, 0x3f000000u, 64,          16,
    };
    uint32_t got[sizeof expected / sizeof *expected];
    uint64_t address = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
    fetch(fixture, got, address, sizeof got);
    for (size_t i = 0; i < sizeof got / sizeof *got; i++) {
        if (got[i] != expected[i])
            fail_msg("value %zu is %08x, not %08x", i, got[i], expected[i]);
    }
}

static void mathematics_of_pi_and_halves(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "__global__ void m(double *o, float x) {\n"
                "    float s, c;\n"
                "    __sincosf(x, &s, &c);\n"
                "    o[0] = s; o[1] = c; o[2] = sinpif(0.25f); o[3] = cospif(1.0e6f + 0.5f); o[4] = sinpi(-1.5);\n"
                "    o[5] = pow(2.0f, 10); o[6] = sqrt(2.0f); o[7] = fma(2.0, 3.0, 4.0); o[8] = abs(-2.5f);\n"
                "    o[9] = isnan(__fdividef(x - x, 0.0f)); o[10] = exp2f(3.0f); o[11] = floor(-0.5);\n"
                "}\n",
                "m");
    double got[12];
    float x = 0.75f;
    uint64_t address = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address, &x));
    fetch(fixture, got, address, sizeof got);
    const double expected[12] = {sin(0.75), cos(0.75), sqrt(0.5), 0, 1, 1024, (double)sqrtf(2.0f), 10, 2.5, 1, 8, -1};
    for (size_t i = 0; i < 12; i++)
        assert_true(fabs(got[i] - expected[i]) <= 1e-7);
}

static void struct_arguments_of_any_alignment(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "struct Box { double low; char tag; float3 size; };\n"
                "__global__ void take(Box box, char c, short s, double d, double *out) {\n"
                "    *out = box.low + box.tag + box.size.z + c + s + d;\n"
                "}\n",
                "take");
    struct {
        double low;
        char tag;
        float size[3];
    } box = {1000, 100, {1, 2, 10}};
    char storage[64];
    short s = 3;
    double d = 0.25, got;
    storage[1] = 7;
    memcpy(storage + 3, &s, sizeof s);
    memcpy(storage + 9, &d, sizeof d);
    uint64_t address = device_room(fixture, sizeof got);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&box, storage + 1, storage + 3, storage + 9, &address));
    fetch(fixture, &got, address, sizeof got);
    assert_true(got == 1120.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(saxpy_stops_at_the_edge),
        cpu_test(tiled_product_agrees_with_loops),
        cpu_test(block_sums_by_shuffles_and_shared_memory),
        cpu_test(constants_are_uploaded_by_symbol),
        cpu_test(atomics_hold_across_blocks),
        cpu_test(indices_of_three_dimensions),
        cpu_test(vector_types_have_cuda_layout),
        cpu_test(integer_intrinsics),
        cpu_test(mathematics_of_pi_and_halves),
        cpu_test(struct_arguments_of_any_alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
