/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_program.h - the program's side in tests of the library: CUDA's driver API by its public names.
 */
#ifndef TUNE_TESTS_GPU_CUDA_PROGRAM_H
#define TUNE_TESTS_GPU_CUDA_PROGRAM_H

#include "gpu_test.h"

#include "tuner/library/tune.h"

#include <dlfcn.h>
#include <string.h>

typedef struct context_of *context;
typedef struct stream_of *stream;
typedef struct graph_of *graph;
typedef struct executable_of *executable;

/* What the program calls. */
static struct {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*context_create)(context *, unsigned, int);
    int (*context_destroy)(context);
    int (*context_set)(context);
    int (*context_get)(context *);
    int (*context_wait)(void);
    int (*allocate)(uint64_t *, size_t);
    int (*release)(uint64_t);
    int (*upload)(uint64_t, const void *, size_t);
    int (*download)(void *, uint64_t, size_t);
    int (*fill)(uint64_t, unsigned char, size_t);
    int (*stream_create)(stream *, unsigned);
    int (*stream_wait)(stream);
    int (*capture_begin)(stream, int);
    int (*capture_end)(stream, graph *);
    int (*graph_make)(executable *, graph, unsigned long long);
    int (*graph_launch)(executable, stream);
} cuda;

#define OK(call) CHECK((call) == 0, "the driver refused")

static inline void find_driver(void)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"cuInit", &cuda.init},
        {"cuDeviceGet", &cuda.device_get},
        {"cuCtxCreate_v2", &cuda.context_create},
        {"cuCtxDestroy_v2", &cuda.context_destroy},
        {"cuCtxSetCurrent", &cuda.context_set},
        {"cuCtxGetCurrent", &cuda.context_get},
        {"cuCtxSynchronize", &cuda.context_wait},
        {"cuMemAlloc_v2", &cuda.allocate},
        {"cuMemFree_v2", &cuda.release},
        {"cuMemcpyHtoD_v2", &cuda.upload},
        {"cuMemcpyDtoH_v2", &cuda.download},
        {"cuMemsetD8_v2", &cuda.fill},
        {"cuStreamCreate", &cuda.stream_create},
        {"cuStreamSynchronize", &cuda.stream_wait},
        {"cuStreamBeginCapture_v2", &cuda.capture_begin},
        {"cuStreamEndCapture", &cuda.capture_end},
        {"cuGraphInstantiateWithFlags", &cuda.graph_make},
        {"cuGraphLaunch", &cuda.graph_launch},
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(library, "no driver");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        CHECK(function, "no %s", functions[i].name);
        memcpy(functions[i].function, &function, sizeof function);
    }
    OK(cuda.init(0));
}

static inline context new_context(void)
{
    context made;
    int device;
    OK(cuda.device_get(&device, 0));
    OK(cuda.context_create(&made, 0, device));
    return made;
}

static inline stream new_stream(void)
{
    stream made;
    OK(cuda.stream_create(&made, 1)); /* CU_STREAM_NON_BLOCKING */
    return made;
}

/* ---- the library ---- */

#define DONE(call)                                                                                                   \
    do {                                                                                                             \
        enum tune_code code_ = (call);                                                                               \
        CHECK(code_ == TUNE_OK, "%s: %s %s", tune_code_name(code_), failure.text, failure.hint);                     \
    } while (0)

static struct tune *library;
static struct tune_error failure;

static inline uint64_t at(const struct tune_buffer *buffer)
{
    return (uint64_t)(uintptr_t)buffer->address;
}

#endif
