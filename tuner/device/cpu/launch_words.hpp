/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_words.hpp - launches from kernels for the CPU device: the words of CUDA's device run-time library.
 *
 * `k<<<grid, block, shared, stream>>>(arguments)` becomes `k->*tune_shape("k", grid, block, shared, stream)(arguments)`
 * (rewrite.h), and the device keeps the launch, with copies of its arguments, for later (nested.h). A launch that cannot
 * be made is a fault, so there is never an error to ask for. What launches wait for in streams and by events is complete
 * before they begin in any case.
 */
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1 } cudaError_t;
#define cudaStreamTailLaunch ((cudaStream_t)TUNE_STREAM_TAIL)
#define cudaStreamFireAndForget ((cudaStream_t)TUNE_STREAM_FIRE_AND_FORGET)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaStreamNonBlocking 1
#define cudaEventDisableTiming 2

TUNE_INLINE cudaError_t cudaGetLastError() { return cudaSuccess; }
TUNE_INLINE cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
TUNE_INLINE const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaErrorInvalidValue";
}
TUNE_INLINE const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "invalid argument";
}
TUNE_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    *stream = (cudaStream_t)16;
    return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}
TUNE_INLINE cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
TUNE_INLINE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) { return cudaSuccess; }
TUNE_INLINE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    *event = (cudaEvent_t)16;
    return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
}
TUNE_INLINE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
TUNE_INLINE cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }

/* ---- the launch itself ---- */

template <class T> struct tune_same {
    using type = T;
};

/* The kernel's address is the first argument. */
template <class... P> struct tune_nested {
    struct call {
        __attribute__((always_inline)) call(void (*kernel)(P...), P... arguments) { kernel(arguments...); }
    };
    static void run(void **arguments)
    {
        auto kernel = tune_argument<void (*)(P...)>(*arguments++);
        call{kernel, tune_argument<P>(*arguments++)...};
    }
};

template <class F> struct tune_starter {
    F start;
};

struct tune_shape {
    const char *kernel;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    int line;
    tune_shape(const char *kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0,
               int line = __builtin_LINE())
        : kernel(kernel), grid(grid), block(block), shared(shared), stream(stream), line(line)
    {
    }
    /* Arguments become what the kernel takes. */
    template <class... P> void start(void (*function)(P...), typename tune_same<P>::type... arguments) const
    {
        const void *values[] = {&function, &arguments...};
        const size_t bytes[] = {sizeof function, sizeof arguments...};
        const struct tune_launch launch = {kernel, tune_nested<P...>::run, {grid.x, grid.y, grid.z},
                                           {block.x, block.y, block.z}, shared, (tune_u64)stream,
                                           1 + sizeof...(P), values, bytes, line};
        tune_context.services->launch(tune_context.worker, &launch);
    }
    /* The kernel is known only to ->*, which binds less than this call. */
    template <class... A> auto operator()(A &&...arguments) const
    {
        auto start = [&](auto *function) -> decltype(this->start(function, static_cast<A &&>(arguments)...)) {
            this->start(function, static_cast<A &&>(arguments)...);
        };
        return tune_starter<decltype(start)>{start};
    }
};

/* Of no kernel that does not take the arguments, so that the compiler complains about the user's line. */
template <class... P, class F>
TUNE_INLINE auto operator->*(void (*kernel)(P...), const tune_starter<F> &starter) -> decltype(starter.start(kernel))
{
    starter.start(kernel);
}
