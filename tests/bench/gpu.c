/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/gpu.h"

#include "tuner/measure/sampling.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The driver's functions that are used. Each returns a CUresult, 0 for success. */
static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*retain)(void **, int);
    int (*current)(void *);
    int (*allocate)(uint64_t *, size_t);
    int (*to_device)(uint64_t, const void *, size_t);
    int (*copy)(uint64_t, uint64_t, size_t, void *);
    int (*fill)(uint64_t, unsigned char, size_t, void *);
    int (*load)(void **, const void *);
    int (*function)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    int (*event)(void **, unsigned);
    int (*record)(void *, void *);
    int (*wait)(void *);
    int (*elapsed)(float *, void *, void *);
} api;

static const struct {
    const char *name;
    void *function;
} symbols[] = {
    {"cuInit", &api.init},
    {"cuDeviceGet", &api.device},
    {"cuDevicePrimaryCtxRetain", &api.retain},
    {"cuCtxSetCurrent", &api.current},
    {"cuMemAlloc_v2", &api.allocate},
    {"cuMemcpyHtoD_v2", &api.to_device},
    {"cuMemcpyDtoDAsync_v2", &api.copy},
    {"cuMemsetD8Async", &api.fill},
    {"cuModuleLoadData", &api.load},
    {"cuModuleGetFunction", &api.function},
    {"cuLaunchKernel", &api.launch},
    {"cuEventCreate", &api.event},
    {"cuEventRecord", &api.record},
    {"cuEventSynchronize", &api.wait},
    {"cuEventElapsedTime", &api.elapsed},
};

enum { FLUSH_BYTES = 256 << 20, MOST_SAMPLES = 1000, UNTIMED = 3 };

/* An empty kernel. */
static const char empty_text[] = ".version 6.3\n"
                                 ".target sm_75\n"
                                 ".address_size 64\n"
                                 ".visible .entry empty(.param .u32 value)\n"
                                 "{\n"
                                 "    ret;\n"
                                 "}\n";

static struct {
    void *empty, *begin, *end;
    uint64_t flush;
} gpu;

void gpu_check(int status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s failed with status %d\n", what, status);
        exit(1);
    }
}

static void *open_library(const char *const names[])
{
    void *library = NULL;
    for (size_t i = 0; names[i] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "cannot open %s: %s\n", names[0], dlerror());
        exit(77);
    }
    return library;
}

void *gpu_library_function(const char *const libraries[], const char *name)
{
    void *found = dlsym(open_library(libraries), name);
    gpu_check(!found, name);
    return found;
}

void gpu_open(void)
{
    static const char *const driver[] = {"libcuda.so.1", NULL};
    int device;
    void *context, *module;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        *(void **)symbols[i].function = gpu_library_function(driver, symbols[i].name);
    gpu_check(api.init(0), "cuInit");
    gpu_check(api.device(&device, 0), "cuDeviceGet");
    gpu_check(api.retain(&context, device), "cuDevicePrimaryCtxRetain");
    gpu_check(api.current(context), "cuCtxSetCurrent");
    gpu_check(api.load(&module, empty_text), "cuModuleLoadData");
    gpu_check(api.function(&gpu.empty, module, "empty"), "cuModuleGetFunction");
    gpu_check(api.event(&gpu.begin, 0), "cuEventCreate");
    gpu_check(api.event(&gpu.end, 0), "cuEventCreate");
    gpu_check(api.allocate(&gpu.flush, FLUSH_BYTES), "cuMemAlloc");
}

uint64_t gpu_random_floats(size_t count)
{
    float *host = malloc(count * sizeof *host);
    gpu_check(!host, "malloc");
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        host[i] = (float)(state >> 40) * 0x1p-23f - 1;
    }
    uint64_t address;
    gpu_check(api.allocate(&address, count * sizeof *host), "cuMemAlloc");
    gpu_check(api.to_device(address, host, count * sizeof *host), "cuMemcpyHtoD");
    free(host);
    return address;
}

void gpu_copy(uint64_t to, uint64_t from, size_t bytes)
{
    gpu_check(api.copy(to, from, bytes, NULL), "cuMemcpyDtoDAsync");
}

static void launch_empty(const void *data)
{
    unsigned value = 1;
    void *arguments[] = {&value};
    (void)data;
    gpu_check(api.launch(gpu.empty, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
}

static double median_time(gpu_work *work, const void *data, int samples)
{
    double times[MOST_SAMPLES];
    for (int i = -UNTIMED; i < samples; i++) {
        float milliseconds;
        gpu_check(api.fill(gpu.flush, (unsigned char)i, FLUSH_BYTES, NULL), "cuMemsetD8Async");
        gpu_check(api.record(gpu.begin, NULL), "cuEventRecord");
        work(data);
        gpu_check(api.record(gpu.end, NULL), "cuEventRecord");
        gpu_check(api.wait(gpu.end), "cuEventSynchronize");
        gpu_check(api.elapsed(&milliseconds, gpu.begin, gpu.end), "cuEventElapsedTime");
        if (i >= 0)
            times[i] = milliseconds;
    }
    return median_of(times, (size_t)samples).value;
}

double gpu_time(gpu_work *work, const void *data, int samples)
{
    gpu_check(samples < 1 || samples > MOST_SAMPLES, "the number of samples");
    return median_time(work, data, samples) - median_time(launch_empty, NULL, samples);
}
