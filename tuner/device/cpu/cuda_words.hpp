/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_words.hpp - the words of CUDA C++ in plain C++17, so that a kernel's source compiles unchanged for the CPU.
 *
 * Precedes every kernel source, after kernel_abi.h. The threads of a block are fibers on one operating-system thread,
 * so __shared__ is thread_local. Meanings follow the CUDA C++ Programming Guide; where hardware is less exact than C
 * (__sinf, __expf, __fdividef ...), the exact function is used. It declares the C library's functions itself, since no
 * header of the host is read (headers.h), and nothing that NVRTC does not.
 */
#define TUNE_CPU 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1

typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
namespace std {
using ::size_t;
}

#define __global__ inline
#define __device__
#define __host__
#define __constant__
#define __managed__
#ifdef TUNE_ONE_BLOCK /* one block at a time, whose variables AddressSanitizer guards */
#define __shared__ static
#else
#define __shared__ static thread_local
#endif
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__ __attribute__((pure))
#define TUNE_INLINE static inline __attribute__((always_inline))

/* ---- vector types ---- */

#define TUNE_VECTOR(name, type, align2, align4)                                                                       \
    struct name##1 { type x; };                                                                                       \
    struct __align__(align2) name##2 { type x, y; };                                                                  \
    struct name##3 { type x, y, z; };                                                                                 \
    struct __align__(align4) name##4 { type x, y, z, w; };                                                            \
    TUNE_INLINE name##1 make_##name##1(type x) { return {x}; }                                                        \
    TUNE_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; }                                             \
    TUNE_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                  \
    TUNE_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
TUNE_VECTOR(char, signed char, 2, 4)
TUNE_VECTOR(uchar, unsigned char, 2, 4)
TUNE_VECTOR(short, short, 4, 8)
TUNE_VECTOR(ushort, unsigned short, 4, 8)
TUNE_VECTOR(int, int, 8, 16)
TUNE_VECTOR(uint, unsigned int, 8, 16)
TUNE_VECTOR(long, long, 16, 16)
TUNE_VECTOR(ulong, unsigned long, 16, 16)
TUNE_VECTOR(longlong, long long, 16, 16)
TUNE_VECTOR(ulonglong, unsigned long long, 16, 16)
TUNE_VECTOR(float, float, 8, 16)
TUNE_VECTOR(double, double, 16, 16)
#undef TUNE_VECTOR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

/* ---- a thread's position ---- */

static thread_local struct tune_context tune_context;

/*
 * Dynamic shared memory. `extern __shared__ T x[]` in a function becomes an initialised reference to an array of
 * unknown bound, so that its address and casts to references mean what they mean in CUDA; outside functions it becomes
 * a thread_local pointer with a binding, which is performed before a launch.
 */
template <class T> using tune_unbounded = T[];
struct tune_dynamic_memory {
    void *address;
    template <class T> operator tune_unbounded<T> &() const { return *static_cast<T(*)[]>(address); }
};
TUNE_INLINE tune_dynamic_memory tune_dynamic_shared()
{
    return {tune_context.dynamic_shared};
}
struct tune_binding {
    void (*bind)(void *shared);
    const tune_binding *next;
    tune_binding(void (*bind)(void *));
};
static const tune_binding *tune_bindings;
inline tune_binding::tune_binding(void (*bind)(void *)) : bind(bind), next(tune_bindings)
{
    tune_bindings = this;
}
#define TUNE_BIND(name)                                                                                               \
    static const tune_binding tune_binding_of_##name{[](void *tune_dynamic) { name = (decltype(name))tune_dynamic; }};

extern "C" __attribute__((visibility("default"), noinline)) struct tune_context *tune_module_context(void *shared)
{
    tune_context.dynamic_shared = shared;
    for (const tune_binding *binding = tune_bindings; binding; binding = binding->next)
        binding->bind(shared);
    return &tune_context;
}

#define threadIdx (*reinterpret_cast<const uint3 *>(&tune_context.thread))
#define blockIdx (*reinterpret_cast<const uint3 *>(&tune_context.block))
#define blockDim (*reinterpret_cast<const dim3 *>(&tune_context.block_size))
#define gridDim (*reinterpret_cast<const dim3 *>(&tune_context.grid_size))
#define warpSize TUNE_WARP

/*
 * `#pragma unroll` is rewritten to these, which do nothing. A GPU needs unrolled loops to keep arrays in registers.
 * Here a vectorized loop is as fast, long straight-line code takes the compiler most of its time, and it knows best
 * which loops are short enough to unroll.
 */
#define TUNE_UNROLL(n)
#define TUNE_UNROLL_ALL

/* ---- faults ---- */

[[noreturn]] static inline void tune_fault(const char *text, int line)
{
    tune_context.services->fault(tune_context.worker, text, line);
    __builtin_unreachable();
}
[[noreturn]] static inline void __trap(int line = __builtin_LINE())
{
    tune_fault("__trap()", line);
}
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : tune_fault("the assertion '" #condition "' failed", __LINE__))
#endif
__attribute__((format(printf, 1, 2))) static inline int tune_print(const char *format, ...)
{
    tune_arguments arguments;
    __builtin_va_start(arguments, format);
    int printed = tune_context.services->print(format, arguments);
    __builtin_va_end(arguments);
    return printed;
}
#define printf tune_print
TUNE_INLINE void __brkpt() {}

/* ---- barriers of a block ---- */

TUNE_INLINE void __syncthreads(int line = __builtin_LINE())
{
    tune_u32 arrived;
    tune_context.services->barrier(tune_context.worker, 0, line, &arrived);
}
TUNE_INLINE int __syncthreads_count(int predicate, int line = __builtin_LINE())
{
    tune_u32 arrived;
    return (int)tune_context.services->barrier(tune_context.worker, predicate, line, &arrived);
}
TUNE_INLINE int __syncthreads_and(int predicate, int line = __builtin_LINE())
{
    tune_u32 arrived;
    tune_u32 count = tune_context.services->barrier(tune_context.worker, predicate, line, &arrived);
    return count == arrived;
}
TUNE_INLINE int __syncthreads_or(int predicate, int line = __builtin_LINE())
{
    return __syncthreads_count(predicate, line) != 0;
}
TUNE_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TUNE_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TUNE_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
TUNE_INLINE void __nanosleep(unsigned int) { tune_context.services->yield(tune_context.worker); }

/* ---- clusters ---- */

/* Without a cluster the block is one of its own. Arriving does nothing, waiting does both. */
#define TUNE_CLUSTER_SIZE (*reinterpret_cast<const dim3 *>(&tune_context.cluster_size))
TUNE_INLINE dim3 __clusterDim() { return TUNE_CLUSTER_SIZE; }
TUNE_INLINE dim3 __clusterGridDimInClusters()
{
    const dim3 &size = TUNE_CLUSTER_SIZE;
    return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}
TUNE_INLINE dim3 __clusterIdx()
{
    const dim3 &size = TUNE_CLUSTER_SIZE;
    return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
TUNE_INLINE dim3 __clusterRelativeBlockIdx()
{
    const dim3 &size = TUNE_CLUSTER_SIZE;
    return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
TUNE_INLINE unsigned int __clusterRelativeBlockRank()
{
    const dim3 &size = TUNE_CLUSTER_SIZE, at = __clusterRelativeBlockIdx();
    return at.x + size.x * (at.y + size.y * at.z);
}
TUNE_INLINE unsigned int __clusterSizeInBlocks()
{
    const dim3 &size = TUNE_CLUSTER_SIZE;
    return size.x * size.y * size.z;
}
TUNE_INLINE void __cluster_barrier_arrive() {}
TUNE_INLINE void __cluster_barrier_arrive_relaxed() {}
TUNE_INLINE void __cluster_barrier_wait(int line = __builtin_LINE())
{
    tune_context.services->wide_barrier(tune_context.worker, TUNE_CLUSTER, line);
}
TUNE_INLINE void *__cluster_map_shared_rank(const void *pointer, unsigned int rank, int line = __builtin_LINE())
{
    return tune_context.services->peer(tune_context.worker, pointer, rank, line);
}
TUNE_INLINE unsigned int __cluster_query_shared_rank(const void *pointer)
{
    return tune_context.services->peer_rank(tune_context.worker, pointer);
}

/* ---- warps ---- */

struct tune_exchanged {
    const tune_u64 *values;
    tune_u32 present;
};
TUNE_INLINE tune_exchanged tune_exchange(tune_u32 mask, tune_u64 value, int line)
{
    tune_exchanged all;
    all.values = tune_context.services->exchange(tune_context.worker, mask, value, line, &all.present);
    return all;
}
template <class T> TUNE_INLINE tune_u64 tune_to_bits(T value)
{
    static_assert(sizeof(T) <= sizeof(tune_u64), "a shuffle carries at most 8 bytes");
    tune_u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> TUNE_INLINE T tune_from_bits(tune_u64 bits)
{
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

TUNE_INLINE void __syncwarp(unsigned int mask = 0xffffffffu, int line = __builtin_LINE())
{
    tune_exchange(mask, 0, line);
}
/* A source lane outside its segment, or one that does not take part, yields the thread's own value. */
template <class T> TUNE_INLINE T tune_shuffle(unsigned int mask, T value, int source, bool inside, int line)
{
    tune_exchanged all = tune_exchange(mask, tune_to_bits(value), line);
    return inside && (all.present >> source & 1) ? tune_from_bits<T>(all.values[source]) : value;
}
template <class T> TUNE_INLINE T __shfl_sync(unsigned int mask, T value, int from, int width = TUNE_WARP,
                                             int line = __builtin_LINE())
{
    int lane = (int)tune_context.lane;
    return tune_shuffle(mask, value, (lane & ~(width - 1)) | (from & (width - 1)), true, line);
}
template <class T> TUNE_INLINE T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = TUNE_WARP,
                                                int line = __builtin_LINE())
{
    int lane = (int)tune_context.lane, position = lane & (width - 1);
    bool inside = delta <= (unsigned)position;
    return tune_shuffle(mask, value, inside ? lane - (int)delta : lane, inside, line);
}
template <class T> TUNE_INLINE T __shfl_down_sync(unsigned int mask, T value, unsigned int delta,
                                                  int width = TUNE_WARP, int line = __builtin_LINE())
{
    int lane = (int)tune_context.lane, position = lane & (width - 1);
    bool inside = delta < (unsigned)(width - position);
    return tune_shuffle(mask, value, inside ? lane + (int)delta : lane, inside, line);
}
template <class T> TUNE_INLINE T __shfl_xor_sync(unsigned int mask, T value, int other, int width = TUNE_WARP,
                                                 int line = __builtin_LINE())
{
    int lane = (int)tune_context.lane, source = lane ^ other;
    bool inside = source >= 0 && source <= (lane | (width - 1));
    return tune_shuffle(mask, value, inside ? source : lane, inside, line);
}

TUNE_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate, int line = __builtin_LINE())
{
    tune_exchanged all = tune_exchange(mask, predicate != 0, line);
    unsigned int ballot = 0;
    for (int i = 0; i < TUNE_WARP; i++)
        ballot |= (all.present >> i & 1 && all.values[i]) ? 1u << i : 0u;
    return ballot;
}
TUNE_INLINE int __any_sync(unsigned int mask, int predicate, int line = __builtin_LINE())
{
    return __ballot_sync(mask, predicate, line) != 0;
}
TUNE_INLINE int __all_sync(unsigned int mask, int predicate, int line = __builtin_LINE())
{
    return __ballot_sync(mask, !predicate, line) == 0;
}
/* Threads of a warp run one after another: only the caller is active, which the manual allows. */
TUNE_INLINE unsigned int __activemask() { return 1u << tune_context.lane; }

template <class T> TUNE_INLINE unsigned int tune_match(unsigned int mask, T value, unsigned int *present, int line)
{
    tune_exchanged all = tune_exchange(mask, tune_to_bits(value), line);
    unsigned int same = 0;
    for (int i = 0; i < TUNE_WARP; i++)
        same |= (all.present >> i & 1 && all.values[i] == tune_to_bits(value)) ? 1u << i : 0u;
    *present = all.present;
    return same;
}
template <class T> TUNE_INLINE unsigned int __match_any_sync(unsigned int mask, T value, int line = __builtin_LINE())
{
    unsigned int present;
    return tune_match(mask, value, &present, line);
}
template <class T> TUNE_INLINE unsigned int __match_all_sync(unsigned int mask, T value, int *all,
                                                             int line = __builtin_LINE())
{
    unsigned int present;
    *all = tune_match(mask, value, &present, line) == present;
    return *all ? present : 0;
}

#define TUNE_REDUCE(name, type, combined)                                                                             \
    TUNE_INLINE type __reduce_##name##_sync(unsigned int mask, type value, int line = __builtin_LINE())               \
    {                                                                                                                 \
        tune_exchanged all = tune_exchange(mask, tune_to_bits(value), line);                                          \
        bool first = true;                                                                                            \
        type a = value;                                                                                               \
        for (int i = 0; i < TUNE_WARP; i++) {                                                                         \
            if (all.present >> i & 1) {                                                                               \
                type b = tune_from_bits<type>(all.values[i]);                                                         \
                a = first ? b : (type)(combined);                                                                     \
                first = false;                                                                                        \
            }                                                                                                         \
        }                                                                                                             \
        return a;                                                                                                     \
    }
TUNE_REDUCE(add, unsigned int, a + b)
TUNE_REDUCE(add, int, (unsigned int)a + (unsigned int)b)
TUNE_REDUCE(min, unsigned int, a < b ? a : b)
TUNE_REDUCE(min, int, a < b ? a : b)
TUNE_REDUCE(max, unsigned int, a > b ? a : b)
TUNE_REDUCE(max, int, a > b ? a : b)
TUNE_REDUCE(and, unsigned int, a & b)
TUNE_REDUCE(or, unsigned int, a | b)
TUNE_REDUCE(xor, unsigned int, a ^ b)
#undef TUNE_REDUCE

/* ---- atomics ---- */

/*
 * Templates on the pointed-to type, to which the value is converted: declared once instead of per type, they compile in
 * a third of the time. The forms for a block and for the system have the device's scope.
 */
template <class T> struct tune_type {
    using same = T;
};
#define TUNE_ATOMIC(name, body)                                                                                       \
    template <class T> TUNE_INLINE T name(T *p, typename tune_type<T>::same v) { body }
/* Any update: the value of the expression replaces `old`, unless another thread was faster. */
#define TUNE_UPDATE(expression)                                                                                       \
    T old, value;                                                                                                     \
    __atomic_load(p, &old, __ATOMIC_RELAXED);                                                                         \
    do                                                                                                                \
        value = (expression);                                                                                         \
    while (!__atomic_compare_exchange(p, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                    \
    return old;
TUNE_ATOMIC(atomicAdd,
            if constexpr (T(0.5) == T(0)) return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); else { TUNE_UPDATE(old + v) })
TUNE_ATOMIC(atomicSub, return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);)
TUNE_ATOMIC(atomicAnd, return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);)
TUNE_ATOMIC(atomicOr, return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);)
TUNE_ATOMIC(atomicXor, return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);)
TUNE_ATOMIC(atomicExch, T old; __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED); return old;)
TUNE_ATOMIC(atomicMin, TUNE_UPDATE(v < old ? v : old))
TUNE_ATOMIC(atomicMax, TUNE_UPDATE(v > old ? v : old))
TUNE_ATOMIC(atomicInc, TUNE_UPDATE(old >= v ? 0 : old + 1))
TUNE_ATOMIC(atomicDec, TUNE_UPDATE(old == 0 || old > v ? v : old - 1))
template <class T>
TUNE_INLINE T atomicCAS(T *p, typename tune_type<T>::same expected, typename tune_type<T>::same v)
{
    __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
#undef TUNE_ATOMIC
#undef TUNE_UPDATE
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicExch_block atomicExch
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicCAS_block atomicCAS
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicExch_system atomicExch
#define atomicMin_system atomicMin
#define atomicMax_system atomicMax
#define atomicInc_system atomicInc
#define atomicDec_system atomicDec
#define atomicCAS_system atomicCAS

/* ---- loads and stores with cache hints, which are ignored ---- */

template <class T> TUNE_INLINE T __ldg(const T *p) { return *p; }
template <class T> TUNE_INLINE T __ldcg(const T *p) { return *p; }
template <class T> TUNE_INLINE T __ldca(const T *p) { return *p; }
template <class T> TUNE_INLINE T __ldcs(const T *p) { return *p; }
template <class T> TUNE_INLINE T __ldlu(const T *p) { return *p; }
template <class T> TUNE_INLINE T __ldcv(const T *p) { return *const_cast<const volatile T *>(p); }
template <class T> TUNE_INLINE void __stwb(T *p, T v) { *p = v; }
template <class T> TUNE_INLINE void __stcg(T *p, T v) { *p = v; }
template <class T> TUNE_INLINE void __stcs(T *p, T v) { *p = v; }
template <class T> TUNE_INLINE void __stwt(T *p, T v) { *p = v; }

/* ---- mathematics ---- */

/* For integers and mixed types the result is a double, as in C++. */
#define TUNE_MATH_1(name)                                                                                             \
    extern "C" double name(double) noexcept;                                                                          \
    extern "C" float name##f(float) noexcept;                                                                         \
    TUNE_INLINE float name(float x) { return __builtin_##name##f(x); }                                                \
    template <class T> TUNE_INLINE double name(T x) { return __builtin_##name((double)x); }
#define TUNE_MATH_2(name)                                                                                             \
    extern "C" double name(double, double) noexcept;                                                                  \
    extern "C" float name##f(float, float) noexcept;                                                                  \
    TUNE_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }                                    \
    template <class T, class U> TUNE_INLINE double name(T x, U y) { return __builtin_##name((double)x, (double)y); }
TUNE_MATH_1(sin) TUNE_MATH_1(cos) TUNE_MATH_1(tan) TUNE_MATH_1(asin) TUNE_MATH_1(acos) TUNE_MATH_1(atan)
TUNE_MATH_1(sinh) TUNE_MATH_1(cosh) TUNE_MATH_1(tanh) TUNE_MATH_1(asinh) TUNE_MATH_1(acosh) TUNE_MATH_1(atanh)
TUNE_MATH_1(exp) TUNE_MATH_1(exp2) TUNE_MATH_1(expm1) TUNE_MATH_1(log) TUNE_MATH_1(log2) TUNE_MATH_1(log10)
TUNE_MATH_1(log1p) TUNE_MATH_1(sqrt) TUNE_MATH_1(cbrt) TUNE_MATH_1(floor) TUNE_MATH_1(ceil) TUNE_MATH_1(trunc)
TUNE_MATH_1(round) TUNE_MATH_1(rint) TUNE_MATH_1(nearbyint) TUNE_MATH_1(fabs) TUNE_MATH_1(erf) TUNE_MATH_1(erfc)
TUNE_MATH_1(lgamma) TUNE_MATH_1(tgamma) TUNE_MATH_1(logb)
TUNE_MATH_2(pow) TUNE_MATH_2(atan2) TUNE_MATH_2(fmod) TUNE_MATH_2(hypot) TUNE_MATH_2(fmin) TUNE_MATH_2(fmax)
TUNE_MATH_2(copysign) TUNE_MATH_2(fdim) TUNE_MATH_2(remainder)
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
extern "C" double frexp(double, int *) noexcept;
extern "C" float frexpf(float, int *) noexcept;
extern "C" double modf(double, double *) noexcept;
extern "C" float modff(float, float *) noexcept;
extern "C" long lrint(double) noexcept;
extern "C" long lrintf(float) noexcept;
extern "C" long long llrint(double) noexcept;
extern "C" long long llrintf(float) noexcept;
extern "C" long lround(double) noexcept;
extern "C" long lroundf(float) noexcept;
extern "C" void sincos(double, double *, double *) noexcept;
extern "C" void sincosf(float, float *, float *) noexcept;
extern "C" double exp10(double) noexcept;
extern "C" float exp10f(float) noexcept;
extern "C" int abs(int) noexcept;
extern "C" long labs(long) noexcept;
extern "C" long long llabs(long long) noexcept;
extern "C" void *memcpy(void *, const void *, size_t) noexcept;
extern "C" void *memset(void *, int, size_t) noexcept;
extern "C" void *malloc(size_t) noexcept;
extern "C" void free(void *) noexcept;
TUNE_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
TUNE_INLINE float ldexp(float x, int e) { return __builtin_ldexpf(x, e); }
TUNE_INLINE long abs(long x) { return __builtin_labs(x); }
TUNE_INLINE long long abs(long long x) { return __builtin_llabs(x); }
TUNE_INLINE float abs(float x) { return __builtin_fabsf(x); }
TUNE_INLINE double abs(double x) { return __builtin_fabs(x); }
TUNE_INLINE bool isnan(float x) { return __builtin_isnan(x); }
TUNE_INLINE bool isnan(double x) { return __builtin_isnan(x); }
TUNE_INLINE bool isinf(float x) { return __builtin_isinf(x); }
TUNE_INLINE bool isinf(double x) { return __builtin_isinf(x); }
TUNE_INLINE bool isfinite(float x) { return __builtin_isfinite(x); }
TUNE_INLINE bool isfinite(double x) { return __builtin_isfinite(x); }
TUNE_INLINE bool signbit(float x) { return __builtin_signbit(x); }
TUNE_INLINE bool signbit(double x) { return __builtin_signbit(x); }
#undef TUNE_MATH_1
#undef TUNE_MATH_2
typedef long clock_t;
extern "C" clock_t clock() noexcept;

TUNE_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
TUNE_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
TUNE_INLINE float rsqrt(float x) { return rsqrtf(x); }
TUNE_INLINE float rcbrtf(float x) { return 1.0f / __builtin_cbrtf(x); }
TUNE_INLINE double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
TUNE_INLINE float rhypotf(float x, float y) { return 1.0f / __builtin_hypotf(x, y); }
TUNE_INLINE float norm3df(float x, float y, float z) { return __builtin_sqrtf(x * x + y * y + z * z); }
TUNE_INLINE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }

/* Of pi times x: the argument is reduced exactly before it is scaled, as CUDA guarantees. */
TUNE_INLINE void sincospi(double x, double *s, double *c)
{
    double turn = x - 2.0 * __builtin_floor(x * 0.5); /* [0, 2) */
    int quarter = (int)__builtin_floor(turn * 2.0 + 0.5);
    double angle = (turn - 0.5 * quarter) * 3.14159265358979323846;
    double sine = __builtin_sin(angle), cosine = __builtin_cos(angle);
    switch (quarter & 3) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine; break;
    }
}
TUNE_INLINE double sinpi(double x) { double s, c; sincospi(x, &s, &c); return s; }
TUNE_INLINE double cospi(double x) { double s, c; sincospi(x, &s, &c); return c; }
TUNE_INLINE float sinpif(float x) { return (float)sinpi(x); }
TUNE_INLINE float cospif(float x) { return (float)cospi(x); }
TUNE_INLINE void sincospif(float x, float *s, float *c)
{
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    *s = (float)sine, *c = (float)cosine;
}

TUNE_INLINE float __sinf(float x) { return __builtin_sinf(x); }
TUNE_INLINE float __cosf(float x) { return __builtin_cosf(x); }
TUNE_INLINE float __tanf(float x) { return __builtin_tanf(x); }
TUNE_INLINE float __tanhf(float x) { return __builtin_tanhf(x); }
TUNE_INLINE void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
TUNE_INLINE float __expf(float x) { return __builtin_expf(x); }
TUNE_INLINE float __exp10f(float x) { return exp10f(x); }
TUNE_INLINE float __logf(float x) { return __builtin_logf(x); }
TUNE_INLINE float __log2f(float x) { return __builtin_log2f(x); }
TUNE_INLINE float __log10f(float x) { return __builtin_log10f(x); }
TUNE_INLINE float __powf(float x, float y) { return __builtin_powf(x, y); }
TUNE_INLINE float __fdividef(float x, float y) { return x / y; }
TUNE_INLINE float fdividef(float x, float y) { return x / y; }
TUNE_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#define TUNE_ROUNDED(name, type, parameters, value)                                                                   \
    TUNE_INLINE type name parameters { return value; }
TUNE_ROUNDED(__fadd_rn, float, (float x, float y), x + y)
TUNE_ROUNDED(__fsub_rn, float, (float x, float y), x - y)
TUNE_ROUNDED(__fdiv_rn, float, (float x, float y), x / y)
TUNE_ROUNDED(__fmaf_rn, float, (float x, float y, float z), __builtin_fmaf(x, y, z))
TUNE_ROUNDED(__frcp_rn, float, (float x), 1.0f / x)
TUNE_ROUNDED(__fsqrt_rn, float, (float x), __builtin_sqrtf(x))
TUNE_ROUNDED(__frsqrt_rn, float, (float x), (float)(1.0 / __builtin_sqrt((double)x)))
TUNE_ROUNDED(__dadd_rn, double, (double x, double y), x + y)
TUNE_ROUNDED(__dsub_rn, double, (double x, double y), x - y)
TUNE_ROUNDED(__ddiv_rn, double, (double x, double y), x / y)
TUNE_ROUNDED(__fma_rn, double, (double x, double y, double z), __builtin_fma(x, y, z))
TUNE_ROUNDED(__drcp_rn, double, (double x), 1.0 / x)
TUNE_ROUNDED(__dsqrt_rn, double, (double x), __builtin_sqrt(x))
#undef TUNE_ROUNDED
/* Never fused with an addition, whatever the options: fma(x, y, -0) rounds the product once. */
TUNE_INLINE float __fmul_rn(float x, float y) { return __builtin_fmaf(x, y, -0.0f); }
TUNE_INLINE double __dmul_rn(double x, double y) { return __builtin_fma(x, y, -0.0); }

#define TUNE_MIN_MAX(type, a, b)                                                                                      \
    TUNE_INLINE type min(a x, b y) { return (type)x < (type)y ? (type)x : (type)y; }                                  \
    TUNE_INLINE type max(a x, b y) { return (type)x > (type)y ? (type)x : (type)y; }
TUNE_MIN_MAX(int, int, int)
TUNE_MIN_MAX(unsigned int, unsigned int, unsigned int)
TUNE_MIN_MAX(unsigned int, int, unsigned int)
TUNE_MIN_MAX(unsigned int, unsigned int, int)
TUNE_MIN_MAX(long, long, long)
TUNE_MIN_MAX(unsigned long, unsigned long, unsigned long)
TUNE_MIN_MAX(unsigned long, long, unsigned long)
TUNE_MIN_MAX(unsigned long, unsigned long, long)
TUNE_MIN_MAX(long long, long long, long long)
TUNE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
TUNE_MIN_MAX(unsigned long long, long long, unsigned long long)
TUNE_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef TUNE_MIN_MAX
TUNE_INLINE float min(float x, float y) { return __builtin_fminf(x, y); }
TUNE_INLINE float max(float x, float y) { return __builtin_fmaxf(x, y); }
TUNE_INLINE double min(double x, double y) { return __builtin_fmin(x, y); }
TUNE_INLINE double max(double x, double y) { return __builtin_fmax(x, y); }
TUNE_INLINE double min(float x, double y) { return __builtin_fmin(x, y); }
TUNE_INLINE double max(float x, double y) { return __builtin_fmax(x, y); }
TUNE_INLINE double min(double x, float y) { return __builtin_fmin(x, y); }
TUNE_INLINE double max(double x, float y) { return __builtin_fmax(x, y); }

/* ---- bits of integers ---- */

TUNE_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
TUNE_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TUNE_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
TUNE_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
TUNE_INLINE int __ffs(int x) { return __builtin_ffs(x); }
TUNE_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
TUNE_INLINE unsigned int __brev(unsigned int x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
TUNE_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
TUNE_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned int)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}
TUNE_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
TUNE_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
TUNE_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
TUNE_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
TUNE_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
TUNE_INLINE unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}
TUNE_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
TUNE_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
TUNE_INLINE int __mul24(int x, int y)
{
    return (int)(((long long)(x << 8) >> 8) * ((long long)(y << 8) >> 8));
}
TUNE_INLINE unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
TUNE_INLINE unsigned int __sad(int x, int y, unsigned int z)
{
    return z + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
TUNE_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return z + (x > y ? x - y : y - x); }
TUNE_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
TUNE_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
TUNE_INLINE unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
TUNE_INLINE int __dp4a(int x, int y, int z)
{
    for (int i = 0; i < 32; i += 8)
        z += (int)(signed char)(x >> i) * (int)(signed char)(y >> i);
    return z;
}

/* ---- casts ---- */

TUNE_INLINE int __float_as_int(float x) { return tune_from_bits<int>(tune_to_bits(x)); }
TUNE_INLINE unsigned int __float_as_uint(float x) { return tune_from_bits<unsigned int>(tune_to_bits(x)); }
TUNE_INLINE float __int_as_float(int x) { return tune_from_bits<float>((unsigned int)x); }
TUNE_INLINE float __uint_as_float(unsigned int x) { return tune_from_bits<float>(x); }
TUNE_INLINE long long __double_as_longlong(double x) { return tune_from_bits<long long>(tune_to_bits(x)); }
TUNE_INLINE double __longlong_as_double(long long x) { return tune_from_bits<double>((tune_u64)x); }
TUNE_INLINE int __double2loint(double x) { return (int)tune_to_bits(x); }
TUNE_INLINE int __double2hiint(double x) { return (int)(tune_to_bits(x) >> 32); }
TUNE_INLINE double __hiloint2double(int high, int low)
{
    return tune_from_bits<double>((tune_u64)(unsigned int)high << 32 | (unsigned int)low);
}

/* From floating point: values out of range are clamped, NaN becomes 0. */
template <class T> TUNE_INLINE T tune_clamped(double x, T low, T high)
{
    if (!(x == x))
        return 0;
    return x <= (double)low ? low : x >= (double)high ? high : (T)x;
}
#define TUNE_FROM_FLOAT(from, type, to, word, low, high)                                                              \
    TUNE_INLINE type __##from##2##word##_rn(to x) { return tune_clamped<type>(__builtin_nearbyint(x), low, high); }   \
    TUNE_INLINE type __##from##2##word##_rz(to x) { return tune_clamped<type>(__builtin_trunc(x), low, high); }       \
    TUNE_INLINE type __##from##2##word##_ru(to x) { return tune_clamped<type>(__builtin_ceil(x), low, high); }        \
    TUNE_INLINE type __##from##2##word##_rd(to x) { return tune_clamped<type>(__builtin_floor(x), low, high); }
TUNE_FROM_FLOAT(float, int, float, int, -__INT_MAX__ - 1, __INT_MAX__)
TUNE_FROM_FLOAT(float, unsigned int, float, uint, 0u, ~0u)
TUNE_FROM_FLOAT(float, long long, float, ll, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
TUNE_FROM_FLOAT(float, unsigned long long, float, ull, 0ull, ~0ull)
TUNE_FROM_FLOAT(double, int, double, int, -__INT_MAX__ - 1, __INT_MAX__)
TUNE_FROM_FLOAT(double, unsigned int, double, uint, 0u, ~0u)
TUNE_FROM_FLOAT(double, long long, double, ll, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
TUNE_FROM_FLOAT(double, unsigned long long, double, ull, 0ull, ~0ull)
#undef TUNE_FROM_FLOAT
TUNE_INLINE float __int2float_rn(int x) { return (float)x; }
TUNE_INLINE float __uint2float_rn(unsigned int x) { return (float)x; }
TUNE_INLINE float __ll2float_rn(long long x) { return (float)x; }
TUNE_INLINE float __ull2float_rn(unsigned long long x) { return (float)x; }
TUNE_INLINE float __double2float_rn(double x) { return (float)x; }
TUNE_INLINE double __int2double_rn(int x) { return (double)x; }
TUNE_INLINE double __uint2double_rn(unsigned int x) { return (double)x; }
TUNE_INLINE double __ll2double_rn(long long x) { return (double)x; }
TUNE_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }

/* ---- time ---- */

TUNE_INLINE long long clock64() { return (long long)tune_context.services->nanoseconds(); }

/* ---- how the device finds and calls a kernel ---- */

template <class T> TUNE_INLINE T tune_argument(void *bytes)
{
    T value;
    __builtin_memcpy(&value, bytes, sizeof value);
    return value;
}

/* What can be known of a type, even if it is incomplete. */
template <class T, bool = __is_enum(T)> struct tune_traits {
    static constexpr tune_parameter_type type = {TUNE_OTHER, 0, 0};
};
template <class T> struct tune_traits<T, true> {
    static constexpr tune_parameter_type type = {TUNE_INTEGER, 0, sizeof(T)};
};
template <class T> struct tune_traits<T *, false> {
    static constexpr tune_parameter_type type = {TUNE_POINTER, 0, sizeof(T *)};
};
template <class T> struct tune_traits<const T, false> : tune_traits<T> {};
template <class T> struct tune_traits<volatile T, false> : tune_traits<T> {};
template <class T> struct tune_traits<const volatile T, false> : tune_traits<T> {};
#define TUNE_TRAITS(T, kind, is_unsigned)                                                                             \
    template <> struct tune_traits<T, false> {                                                                        \
        static constexpr tune_parameter_type type = {kind, is_unsigned, sizeof(T)};                                             \
    };
TUNE_TRAITS(bool, TUNE_INTEGER, 1)
TUNE_TRAITS(char, TUNE_INTEGER, 0)
TUNE_TRAITS(signed char, TUNE_INTEGER, 0)
TUNE_TRAITS(unsigned char, TUNE_INTEGER, 1)
TUNE_TRAITS(short, TUNE_INTEGER, 0)
TUNE_TRAITS(unsigned short, TUNE_INTEGER, 1)
TUNE_TRAITS(int, TUNE_INTEGER, 0)
TUNE_TRAITS(unsigned int, TUNE_INTEGER, 1)
TUNE_TRAITS(long, TUNE_INTEGER, 0)
TUNE_TRAITS(unsigned long, TUNE_INTEGER, 1)
TUNE_TRAITS(long long, TUNE_INTEGER, 0)
TUNE_TRAITS(unsigned long long, TUNE_INTEGER, 1)
TUNE_TRAITS(float, TUNE_REAL, 0)
TUNE_TRAITS(double, TUNE_REAL, 0)
#undef TUNE_TRAITS
template <class T> struct tune_target {
    static constexpr tune_parameter_type type = {TUNE_OTHER, 0, 0};
};
template <class T> struct tune_target<T *> : tune_traits<T> {};
template <class T> constexpr tune_parameter_type tune_sized(tune_parameter_type type)
{
    return {type.kind, type.is_unsigned, sizeof(T)};
}
template <class T> constexpr const char *tune_signature() { return __PRETTY_FUNCTION__; }
template <class T> constexpr tune_parameter tune_describe()
{
    return {tune_sized<T>(tune_traits<T>::type), tune_target<T>::type, tune_signature<T>()};
}

template <auto kernel> struct tune_entry;
template <class... A, void (*kernel)(A...)> struct tune_entry<kernel> {
    /* Constructed with braces, which alone guarantee evaluation of the arguments from left to right. */
    struct call {
        __attribute__((always_inline)) call(A... arguments) { kernel(arguments...); }
    };
    static void run(void **arguments)
    {
        (void)arguments;
        call{tune_argument<A>(*arguments++)...};
    }
    static constexpr size_t count = sizeof...(A);
    static constexpr tune_parameter parameters[] = {tune_describe<A>()..., {}};
};
constexpr tune_index tune_cluster_size(tune_u32 x, tune_u32 y = 1, tune_u32 z = 1) { return {x, y, z}; }
#define TUNE_CLUSTER_OF(name, ...) {#name, tune_cluster_size(__VA_ARGS__)},
/* A kernel that is a template has commas in its name. */
#define TUNE_KERNEL(name, ...)                                                                                       \
    {name, tune_entry<__VA_ARGS__>::run, tune_entry<__VA_ARGS__>::count, tune_entry<__VA_ARGS__>::parameters},
#define TUNE_SYMBOL(name, symbol) {name, (void *)&symbol, sizeof symbol},
