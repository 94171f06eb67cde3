/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/peer.h"

#include "tuner/measure/sampling.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The driver's functions; they return a CUresult, and 0 is success. */
static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*retain)(void **, int);
    int (*current)(void *);
    int (*allocate)(uint64_t *, size_t);
    int (*to_device)(uint64_t, const void *, size_t);
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

static const struct peer_symbol driver_symbols[] = {
    {"cuInit", &api.init},
    {"cuDeviceGet", &api.device},
    {"cuDevicePrimaryCtxRetain", &api.retain},
    {"cuCtxSetCurrent", &api.current},
    {"cuMemAlloc_v2", &api.allocate},
    {"cuMemcpyHtoD_v2", &api.to_device},
    {"cuMemsetD8Async", &api.fill},
    {"cuModuleLoadData", &api.load},
    {"cuModuleGetFunction", &api.function},
    {"cuLaunchKernel", &api.launch},
    {"cuEventCreate", &api.event},
    {"cuEventRecord", &api.record},
    {"cuEventSynchronize", &api.wait},
    {"cuEventElapsedTime", &api.elapsed},
};

enum { FLUSH_BYTES = 256 << 20 };

static struct {
    uint64_t flush;
    void *begin, *end, *empty;
    double empty_time;
    int empty_samples; /* that empty_time is of; 0: not measured yet */
} timer;

const char *const peer_cublas[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                   "/usr/local/cuda/lib64/libcublas.so", NULL};

static const char empty_text[] = ".version 6.3\n"
                                 ".target sm_75\n"
                                 ".address_size 64\n"
                                 ".visible .entry empty(.param .u32 value)\n"
                                 "{\n"
                                 "    ret;\n"
                                 "}\n";

void peer_check(int status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s failed with status %d\n", what, status);
        exit(1);
    }
}

static void *open_first(const char *const *names)
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

static void find_all(void *library, const struct peer_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(library, symbols[i].name);
        peer_check(!found, symbols[i].name);
        *(void **)symbols[i].function = found;
    }
}

void peer_open(const char *const *libraries, const struct peer_symbol *symbols, size_t symbol_count)
{
    static const char *const driver[] = {"libcuda.so.1", NULL};
    int device;
    void *context, *module;
    find_all(open_first(driver), driver_symbols, sizeof driver_symbols / sizeof *driver_symbols);
    find_all(open_first(libraries), symbols, symbol_count);
    peer_check(api.init(0), "cuInit");
    peer_check(api.device(&device, 0), "cuDeviceGet");
    peer_check(api.retain(&context, device), "cuDevicePrimaryCtxRetain");
    peer_check(api.current(context), "cuCtxSetCurrent");
    peer_check(api.load(&module, empty_text), "cuModuleLoadData");
    peer_check(api.function(&timer.empty, module, "empty"), "cuModuleGetFunction");
    peer_check(api.event(&timer.begin, 0), "cuEventCreate");
    peer_check(api.event(&timer.end, 0), "cuEventCreate");
    timer.flush = peer_allocate(FLUSH_BYTES);
}

uint64_t peer_allocate(size_t bytes)
{
    uint64_t address;
    peer_check(api.allocate(&address, bytes), "cuMemAlloc");
    return address;
}

uint64_t peer_random(size_t count)
{
    float *host = malloc(count * sizeof *host);
    peer_check(!host, "malloc");
    uint64_t state = 88172645463325252u, address = peer_allocate(count * sizeof *host);
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        host[i] = (float)(state >> 40) * 0x1p-23f - 1;
    }
    peer_check(api.to_device(address, host, count * sizeof *host), "cuMemcpyHtoD");
    free(host);
    return address;
}

static void launch_empty(void *argument)
{
    unsigned value = 1;
    void *arguments[] = {&value};
    (void)argument;
    peer_check(api.launch(timer.empty, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
}

static double median_time(void (*work)(void *), void *argument, int samples)
{
    double times[PEER_MOST_SAMPLES];
    for (int i = -3; i < samples; i++) {
        float milliseconds;
        peer_check(api.fill(timer.flush, (unsigned char)i, FLUSH_BYTES, NULL), "cuMemsetD8Async");
        peer_check(api.record(timer.begin, NULL), "cuEventRecord");
        work(argument);
        peer_check(api.record(timer.end, NULL), "cuEventRecord");
        peer_check(api.wait(timer.end), "cuEventSynchronize");
        peer_check(api.elapsed(&milliseconds, timer.begin, timer.end), "cuEventElapsedTime");
        if (i >= 0)
            times[i] = milliseconds;
    }
    return median_of(times, (size_t)samples).value;
}

double peer_empty_time(int samples)
{
    if (timer.empty_samples != samples) {
        timer.empty_time = median_time(launch_empty, NULL, samples);
        timer.empty_samples = samples;
    }
    return timer.empty_time;
}

double peer_time(void (*work)(void *), void *argument, int samples)
{
    return median_time(work, argument, samples) - peer_empty_time(samples);
}
