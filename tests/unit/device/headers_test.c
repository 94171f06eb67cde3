/* SPDX-License-Identifier: Apache-2.0 */
/* The headers that kernels may include: which a source gets, and the types of 16 bits on the CPU device. */
#include "tests/unit/device/cpu_fixture.h"

#include "tuner/device/headers.h"

#include <math.h>
#include <stdio.h>

/* ---- which ---- */

static void expect_names(const char *text, enum headers_for compiler, const char *expected)
{
    char got[1000] = "";
    struct headers headers;
    const struct compile_request request = {
        .path = "kernels/test.cu", .text = text, .length = strlen(text), .folder = "/tmp"};
    assert_true(headers_collect(&request, compiler, &headers));
    for (size_t i = 0; i < headers.count; i++) {
        bool refused = strncmp(headers.texts[i], "#error", 6) == 0;
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s ", headers.names[i], refused ? "!" : "");
    }
    headers_clear(&headers);
    assert_string_equal(got, expected);
}

static void each_compiler_gets_what_it_lacks(void **state)
{
    (void)state;
    expect_names("__global__ void k();\n", HEADERS_FOR_CPU, "");
    for (enum headers_for compiler = HEADERS_FOR_CPU; compiler <= HEADERS_FOR_NVRTC_ALONE; compiler++) {
        expect_names("#include <cstdint>\n#include <stdint.h>\n", compiler, "cstdint stdint.h limits.h ");
        expect_names("#include <cub/device/device_reduce.cuh>\n", compiler, "cub/device/device_reduce.cuh! ");
        expect_names("#if 0\n#include <vector>\n#endif\n#include \"cmath\"\n", compiler, "vector! cmath math.h ");
    }
    expect_names("#include <cub/warp/warp_merge_sort.cuh>\n#include <cub/grid/grid_queue.cuh>\n", HEADERS_FOR_CPU,
                 "cub/warp/warp_merge_sort.cuh tune/collective.hpp cub/util_ptx.cuh cub/config.cuh tune/gather.hpp "
                 "tune/room.hpp cub/util_type.cuh tune/merge_sort.hpp tune/places.hpp type_traits "
                 "cub/grid/grid_queue.cuh! ");
    expect_names("#include <cuda_runtime.h>\n#include <mma.h>\n#include <absent.h>\n", HEADERS_FOR_CPU,
                 "cuda_runtime.h mma.h! ");
    expect_names("#include <cuda_bf16.h>\n", HEADERS_FOR_CPU, "cuda_bf16.h cuda_fp16.h tune/small_float.hpp ");
    /* What the Toolkit's own headers include is not seen. */
    struct headers headers;
    static const char text[] = "#include <cuda_fp16.h>\n";
    const struct compile_request request = {
        .path = "k.cu", .text = text, .length = sizeof text - 1, .folder = "/tmp"};
    assert_true(headers_collect(&request, HEADERS_FOR_NVRTC, &headers));
    bool own = false;
    for (size_t i = 0; i < headers.count; i++) {
        own |= strcmp(headers.names[i], "stdlib.h") == 0;
        assert_string_not_equal(headers.names[i], "cuda_fp16.h");
        assert_string_not_equal(headers.names[i], "vector");
    }
    assert_true(own);
    headers_clear(&headers);
}

static void cub_is_its_blocks_and_warps(void **state)
{
    (void)state;
    static const char text[] = "#include <cub/cub.cuh>\n";
    const struct compile_request request = {
        .path = "k.cu", .text = text, .length = sizeof text - 1, .folder = "/tmp"};
    for (enum headers_for compiler = HEADERS_FOR_CPU; compiler <= HEADERS_FOR_NVRTC_ALONE; compiler++) {
        struct headers headers;
        assert_true(headers_collect(&request, compiler, &headers));
        assert_true(headers.count > 0);
        assert_string_equal(headers.names[0], "cub/cub.cuh");
        assert_non_null(strstr(headers.texts[0], "#include <cub/block/block_reduce.cuh>"));
        assert_null(strstr(headers.texts[0], "#include <cub/device/"));
        headers_clear(&headers);
    }
}

static void a_file_of_the_user_comes_first(void **state)
{
    (void)state;
    char folder[] = "/tmp/tune-headers-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/vector", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("#include <math.h>\n", stream);
    assert_int_equal(fclose(stream), 0);
    static const char text[] = "#include <vector>\n";
    const struct compile_request request = {
        .path = "k.cu", .text = text, .length = sizeof text - 1, .folder = folder};
    struct headers headers;
    assert_true(headers_collect(&request, HEADERS_FOR_CPU, &headers));
    assert_int_equal(headers.count, 1);
    assert_string_equal(headers.names[0], "math.h");
    struct error error;
    char below[120];
    snprintf(below, sizeof below, "%s/a", folder);
    assert_success(headers_write(&headers, below, &error), &error);
    assert_success(headers_write(&headers, below, &error), &error);
    headers_remove(&headers, below);
    headers_clear(&headers);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- 16 bits: the expected values are computed from the definition of the formats ---- */

struct format {
    const char *header, *type, *word;
    int digits, lowest;
};
static const struct format formats[] = {{"cuda_fp16.h", "__half", "half", 11, -14},
                                        {"cuda_bf16.h", "__nv_bfloat16", "bfloat16", 8, -126}};

static double value_of(const struct format *format, unsigned bits)
{
    int fraction = (int)(bits & ((1u << (format->digits - 1)) - 1)),
        exponent = (int)((bits & 0x7fff) >> (format->digits - 1)), most = (1 << (16 - format->digits)) - 1;
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == most)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, format->lowest - format->digits + 1);
    return sign * ldexp(fraction + (1 << (format->digits - 1)), format->lowest - format->digits + exponent);
}

/* The number nearest to x; of two the even one. By bisection of all numbers, whose bits are in their order. */
static unsigned nearest(const struct format *format, long double x)
{
    unsigned low = 0, infinite = 0x7fffu >> (format->digits - 1) << (format->digits - 1), high = infinite;
    unsigned sign = signbit(x) ? 0x8000 : 0;
    long double wanted = fabsl(x);
    if (isnan(x))
        return 0x7fff;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        *(value_of(format, middle) <= (double)wanted && (long double)value_of(format, middle) <= wanted ? &low
                                                                                                        : &high) =
            middle;
    }
    /* Infinity stands where the next number would be. */
    long double above = high == infinite ? ldexpl(1, 16 - format->digits == 5 ? 16 : 128) : value_of(format, high);
    long double below = value_of(format, low), up = above - wanted, down = wanted - below;
    return sign | (up < down || (up == down && (low & 1)) ? high : low);
}

static void load_format(struct cpu_fixture *fixture, const struct format *format, const char *body)
{
    char text[2000];
    snprintf(text, sizeof text,
             "#include <%s>\n"
             "typedef %s T;\n"
             "#define FROM_FLOAT __float2%s_rn\n#define AS_BITS __%s_as_ushort\n#define OF_BITS __ushort_as_%s\n"
             "%s",
             format->header, format->type, format->word, format->word, format->word, body);
    load_kernel(fixture, text, "k");
}

static void every_number_becomes_its_float_and_back(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { ALL = 65536 };
    for (size_t f = 0; f < 2; f++) {
        float *floats = calloc(ALL, sizeof *floats);
        uint16_t *back = calloc(ALL, sizeof *back);
        assert_true(floats && back);
        load_format(fixture, &formats[f],
                    "__global__ void k(float *x, unsigned short *back) {\n"
                    "    int i = blockIdx.x * 256 + threadIdx.x;\n"
                    "    x[i] = (float)OF_BITS((unsigned short)i);\n"
                    "    back[i] = AS_BITS(FROM_FLOAT(x[i]));\n}\n");
        uint64_t at = device_room(fixture, ALL * sizeof *floats), at_back = device_room(fixture, ALL * sizeof *back);
        launch(fixture, D(256, 1, 1), D(256, 1, 1), 0, ARGUMENTS(&at, &at_back));
        fetch(fixture, floats, at, ALL * sizeof *floats);
        fetch(fixture, back, at_back, ALL * sizeof *back);
        for (unsigned i = 0; i < ALL; i++) {
            double value = value_of(&formats[f], i);
            bool same = isnan(value) ? isnan(floats[i]) && back[i] == 0x7fff
                                     : floats[i] == value && !signbit(floats[i]) == !signbit(value) && back[i] == i;
            if (!same)
                fail_msg("%s %#x is %g, was taken for %g and became %#x", formats[f].type, i, value,
                         (double)floats[i], back[i]);
        }
        cpu->release(fixture->device, at);
        cpu->release(fixture->device, at_back);
        cpu->unload(fixture->device, fixture->module);
        fixture->module = NULL;
        free(floats);
        free(back);
    }
}

/* Random operands of all exponents, most of them near to each other. */
static void results_are_rounded_once(void **state)
{
    struct cpu_fixture *fixture = *state;
    enum { COUNT = 32768, RESULTS = 6 };
    static uint16_t operands[3 * COUNT], results[RESULTS * COUNT];
    static const char *const names[] = {"a + b", "a - b", "a * b", "a / b", "fma(a, b, c)", "sqrt(a)"};
    uint32_t seed = 7;
    for (size_t f = 0; f < 2; f++) {
        const struct format *format = &formats[f];
        for (size_t i = 0; i < 3 * COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            operands[i] = (uint16_t)(seed >> 16);
            if (i % 2 && format->digits == 8) /* exponents near 0: else most results are 0 or infinite */
                operands[i] = (uint16_t)((operands[i] & 0x8fff) | 0x3000);
        }
        load_format(fixture, format,
                    "__global__ void k(const unsigned short *x, unsigned short *y) {\n"
                    "    int i = blockIdx.x * 256 + threadIdx.x;\n"
                    "    T a = OF_BITS(x[3 * i]), b = OF_BITS(x[3 * i + 1]), c = OF_BITS(x[3 * i + 2]);\n"
                    "    T all[] = {a + b, a - b, a * b, a / b, __hfma(a, b, c), hsqrt(a)};\n"
                    "    for (int j = 0; j < 6; j++) y[6 * i + j] = AS_BITS(all[j]);\n}\n");
        uint64_t at = device_copy(fixture, operands, sizeof operands), to = device_room(fixture, sizeof results);
        launch(fixture, D(COUNT / 256, 1, 1), D(256, 1, 1), 0, ARGUMENTS(&at, &to));
        fetch(fixture, results, to, sizeof results);
        for (size_t i = 0; i < COUNT; i++) {
            long double a = value_of(format, operands[3 * i]), b = value_of(format, operands[3 * i + 1]),
                        c = value_of(format, operands[3 * i + 2]);
            long double exact[] = {a + b, a - b, a * b, a / b, fmal(a, b, c), sqrtl(a)};
            bool beyond = exact[4] - a * b != c; /* too many digits for a long double */
            for (size_t j = 0; j < RESULTS; j++) {
                if (j == 4 && beyond)
                    continue;
                unsigned wanted = nearest(format, exact[j]);
                if (results[RESULTS * i + j] != wanted)
                    fail_msg("%s: %s of %Lg, %Lg, %Lg is %#x, not %#x", format->type, names[j], a, b, c, wanted,
                             results[RESULTS * i + j]);
            }
        }
        cpu->release(fixture->device, at);
        cpu->release(fixture->device, to);
        cpu->unload(fixture->device, fixture->module);
        fixture->module = NULL;
    }
}

/* Cases that rounding twice, or through float, gets wrong; modes; integers; comparisons and NaN. */
static void the_edges_are_right(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                "__global__ void k(int *wrong) {\n"
                "    int n = 0;\n"
                "#define EXPECT(a, b) n++; if (!((a) == (b)) && !*wrong) *wrong = n;\n"
                /* 1 + 2^-11 is a tie; anything more rounds up. */
                "    EXPECT(__half_as_ushort(__double2half(1 + 0x1p-11)), 0x3c00)\n"
                "    EXPECT(__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)), 0x3c01)\n"
                "    EXPECT(__half_as_ushort(__float2half_rz(1.9999f)), 0x3fff)\n"
                "    EXPECT(__half_as_ushort(__float2half_ru(1.0001f)), 0x3c01)\n"
                "    EXPECT(__half_as_ushort(__float2half_rd(-1.0001f)), 0xbc01)\n"
                "    EXPECT(__half_as_ushort(__float2half(65519.0f)), 0x7bff)\n"
                "    EXPECT(__half_as_ushort(__float2half(65520.0f)), 0x7c00)\n"
                "    EXPECT(__half_as_ushort(__float2half_rz(1e9f)), 0x7bff)\n"
                "    EXPECT(__half_as_ushort(__float2half(0x1p-25f)), 0)\n"
                "    EXPECT(__half_as_ushort(__float2half(0x1.8p-25f)), 1)\n"
                "    EXPECT(__half_as_ushort(__float2half_ru(0x1p-140f)), 1)\n"
                "    EXPECT(__half2int_rn(__half(2.5f)), 2)\n"
                "    EXPECT(__half2int_rz(__half(-2.5f)), -2)\n"
                "    EXPECT((int)__half(-3.75f), -3)\n"
                "    EXPECT((unsigned char)__half(300.0f), 255)\n"
                "    EXPECT(__bfloat16_as_ushort(__ll2bfloat16_rn((1ll << 62) + (1ll << 54) + 1)), 0x5e81)\n"
                "    EXPECT(__bfloat16_as_ushort(__float2bfloat16(3.3895314e38f * 1.0f)), 0x7f7f)\n"
                /* a tie but for the least bit of the third operand */
                "    EXPECT(__bfloat16_as_ushort(__hfma(__nv_bfloat16(1.0078125f), __nv_bfloat16(1.5f),\n"
                "                                       __ushort_as_bfloat16(1))), 0x3fc2)\n"
                "    __half nan = __ushort_as_half(0x7e00), one = 1.0f, zero = 0.0f;\n"
                "    EXPECT(nan == nan || nan < one || __heq(nan, nan), false)\n"
                "    EXPECT(nan != one && __hltu(nan, one) && __hisnan(nan), true)\n"
                "    EXPECT((float)__hmax(nan, one), 1.0f)\n"
                "    EXPECT(__half_as_ushort(__hmax_nan(nan, one)), 0x7fff)\n"
                "    EXPECT(__half_as_ushort(__hmax(-zero, zero)), 0)\n"
                "    EXPECT(__half_as_ushort(__hmin(zero, -zero)), 0x8000)\n"
                "    __half2 p = __floats2half2_rn(1.0f, 2.0f), q = __float2half2_rn(0.5f);\n"
                "    float2 r = __half22float2(__hfma2(p, q, __lowhigh2highlow(p)));\n"
                "    EXPECT(r.x == 2.5f && r.y == 2.0f, true)\n"
                "    EXPECT(__hbgt2(p, q) && p != q && __heq2_mask(p, p) == 0xffffffffu, true)\n"
                "    __half sum = zero; __half2 sums = q;\n"
                "    EXPECT((float)atomicAdd(&sum, one) == 0.0f && (float)sum == 1.0f, true)\n"
                "    EXPECT((float)atomicAdd(&sums, p).x == 0.5f && (float)sums.y == 2.5f, true)\n"
                "    EXPECT((float)__hadd_sat(one, one), 1.0f)\n"
                "    EXPECT((float)__shfl_sync(0xffffffff, one, 0), 1.0f)\n"
                "    if (!one || one && zero) *wrong = -1;\n"
                "}\n",
                "k");
    int wrong = 0;
    uint64_t at = device_copy(fixture, &wrong, sizeof wrong);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&at));
    fetch(fixture, &wrong, at, sizeof wrong);
    assert_int_equal(wrong, 0);
}

static void complex_numbers(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(
        fixture,
        "#include <cuComplex.h>\n"
        "__global__ void k(double2 *z) {\n"
        "    cuDoubleComplex a = make_cuDoubleComplex(1, 2), b = make_cuDoubleComplex(3, -1);\n"
        "    z[0] = cuCmul(a, b); z[1] = cuCdiv(a, b); z[2] = cuCsub(cuConj(a), b);\n"
        "    z[3] = make_double2(cuCabs(make_cuDoubleComplex(3e200, 4e200)), cuCrealf(make_cuComplex(1, 2)));\n"
        "}\n",
        "k");
    double z[8];
    static const double expected[] = {5, 5, 0.1, 0.7, -2, -1, 5e200, 1};
    uint64_t at = device_room(fixture, sizeof z);
    launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&at));
    fetch(fixture, z, at, sizeof z);
    for (size_t i = 0; i < 8; i++)
        assert_true(fabs(z[i] - expected[i]) <= 1e-15 * fabs(expected[i]));
}

static void type_traits_and_limits(void **state)
{
    load_kernel(
        *state,
        "#include <limits>\n#include <type_traits>\n#include <utility>\n#include <cstddef>\n#include <cstdint>\n"
        "namespace s = std;\n"
        "enum class color : unsigned char { red };\n"
        "struct base {}; struct derived : base {};\n"
        "static_assert(s::is_same_v<s::make_unsigned_t<int>, unsigned>);\n"
        "static_assert(s::is_same_v<s::decay_t<const int (&)[3]>, const int *>);\n"
        "static_assert(s::is_same_v<s::decay_t<int(float)>, int (*)(float)>);\n"
        "static_assert(s::is_same_v<s::remove_pointer_t<const int *const>, const int>);\n"
        "static_assert(s::is_same_v<s::common_type_t<int, float, double>, double>);\n"
        "static_assert(s::is_convertible_v<derived *, base *> && !s::is_convertible_v<void *, int>);\n"
        "static_assert(s::is_same_v<s::underlying_type_t<color>, unsigned char> && s::is_enum_v<color>);\n"
        "static_assert(s::is_signed_v<float> && s::is_unsigned_v<bool> && s::is_function_v<int()>);\n"
        "static_assert(s::extent<int[3][4], 1>::value == 4 && s::rank<int[3][4]>::value == 2);\n"
        "static_assert(s::numeric_limits<int64_t>::max() == INT64_MAX);\n"
        "static_assert(s::numeric_limits<float>::infinity() > s::numeric_limits<float>::max());\n"
        "static_assert(offsetof(float4, z) == 8 && sizeof(s::max_align_t) == 16);\n"
        "template <size_t... i> int sum(s::index_sequence<i...>) { return ((int)i + ...); }\n"
        "template <class T> s::enable_if_t<s::is_integral_v<T>, int> kind(T) { return 1; }\n"
        "template <class T> s::enable_if_t<s::is_floating_point_v<T>, int> kind(T) { return 2; }\n"
        "typedef unsigned long long uint64_t;\n"
        "__global__ void k(int *x) { *x = sum(s::make_index_sequence<4>()) + kind(1) + kind(1.0f); }\n",
        "k");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_compiler_gets_what_it_lacks),
        cmocka_unit_test(cub_is_its_blocks_and_warps),
        cmocka_unit_test(a_file_of_the_user_comes_first),
        cpu_test(every_number_becomes_its_float_and_back),
        cpu_test(results_are_rounded_once),
        cpu_test(the_edges_are_right),
        cpu_test(complex_numbers),
        cpu_test(type_traits_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
