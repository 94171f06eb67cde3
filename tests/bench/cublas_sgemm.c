/*
 * cublas_sgemm - the time of cuBLAS SGEMM in pedantic fp32 (no TF32), measured as tune measures a kernel.
 *
 *     cublas_sgemm M N K [samples]
 *
 * prints the median time of C = A·B (row-major) in milliseconds and its rate: an untimed call first, then samples by
 * events with the L2 cache flushed before each, inputs uniform in [-1, 1). libcuda and libcublas are opened at run
 * time, so that it builds everywhere. It measures; it asserts nothing about time.
 */
#include "tuner/measure/sampling.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What is used of the two libraries: CUDA's driver returns CUresult, cuBLAS its status; 0 is success in both. */
static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*retain)(void **, int);
    int (*current)(void *);
    int (*allocate)(uint64_t *, size_t);
    int (*to_device)(uint64_t, const void *, size_t);
    int (*fill)(uint64_t, unsigned char, size_t, void *);
    int (*event)(void **, unsigned);
    int (*record)(void *, void *);
    int (*wait)(void *);
    int (*elapsed)(float *, void *, void *);
    int (*create)(void **);
    int (*math_mode)(void *, int);
    int (*sgemm)(void *, int, int, int, int, int, const float *, uint64_t, int, uint64_t, int, const float *,
                 uint64_t, int);
} api;

static const struct {
    const char *name;
    void *function;
    bool cublas;
} symbols[] = {
    {"cuInit", &api.init, false},
    {"cuDeviceGet", &api.device, false},
    {"cuDevicePrimaryCtxRetain", &api.retain, false},
    {"cuCtxSetCurrent", &api.current, false},
    {"cuMemAlloc_v2", &api.allocate, false},
    {"cuMemcpyHtoD_v2", &api.to_device, false},
    {"cuMemsetD8Async", &api.fill, false},
    {"cuEventCreate", &api.event, false},
    {"cuEventRecord", &api.record, false},
    {"cuEventSynchronize", &api.wait, false},
    {"cuEventElapsedTime", &api.elapsed, false},
    {"cublasCreate_v2", &api.create, true},
    {"cublasSetMathMode", &api.math_mode, true},
    {"cublasSgemm_v2", &api.sgemm, true},
};

enum { PEDANTIC = 2, FLUSH_BYTES = 256 << 20, MOST_SAMPLES = 1000 };

static void check(int status, const char *what)
{
    if (status) {
        fprintf(stderr, "cublas_sgemm: %s failed with status %d\n", what, status);
        exit(1);
    }
}

static void load(void)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so"};
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), *cublas = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !cublas; i++)
        cublas = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    if (!cuda || !cublas) {
        fprintf(stderr, "cublas_sgemm: libcuda or libcublas is not here: %s\n", dlerror());
        exit(77);
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *found = dlsym(symbols[i].cublas ? cublas : cuda, symbols[i].name);
        check(!found, symbols[i].name);
        *(void **)symbols[i].function = found;
    }
}

static uint64_t random_matrix(size_t elements)
{
    float *host = malloc(elements * sizeof *host);
    check(!host, "malloc");
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < elements; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        host[i] = (float)(state >> 40) * 0x1p-23f - 1;
    }
    uint64_t address;
    check(api.allocate(&address, elements * sizeof *host), "cuMemAlloc");
    check(api.to_device(address, host, elements * sizeof *host), "cuMemcpyHtoD");
    free(host);
    return address;
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: cublas_sgemm M N K [samples]\n");
        return 2;
    }
    int m = atoi(arguments[1]), n = atoi(arguments[2]), k = atoi(arguments[3]);
    int samples = count > 4 ? atoi(arguments[4]) : 50;
    if (m < 1 || n < 1 || k < 1 || samples < 1 || samples > MOST_SAMPLES)
        return 2;

    load();
    int device;
    void *context, *handle, *begin, *end;
    check(api.init(0), "cuInit");
    check(api.device(&device, 0), "cuDeviceGet");
    check(api.retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(api.current(context), "cuCtxSetCurrent");
    check(api.create(&handle), "cublasCreate");
    check(api.math_mode(handle, PEDANTIC), "cublasSetMathMode");
    check(api.event(&begin, 0), "cuEventCreate");
    check(api.event(&end, 0), "cuEventCreate");

    uint64_t a = random_matrix((size_t)m * (size_t)k), b = random_matrix((size_t)k * (size_t)n);
    uint64_t c = random_matrix((size_t)m * (size_t)n), flush;
    check(api.allocate(&flush, FLUSH_BYTES), "cuMemAlloc");

    const float one = 1, zero = 0;
    double times[MOST_SAMPLES];
    for (int i = -3; i < samples; i++) {
        float milliseconds;
        check(api.fill(flush, (unsigned char)i, FLUSH_BYTES, NULL), "cuMemsetD8Async");
        check(api.record(begin, NULL), "cuEventRecord");
        /* cuBLAS is column-major: the transposed product of the same memory. */
        check(api.sgemm(handle, 0, 0, n, m, k, &one, b, n, a, k, &zero, c, n), "cublasSgemm");
        check(api.record(end, NULL), "cuEventRecord");
        check(api.wait(end), "cuEventSynchronize");
        check(api.elapsed(&milliseconds, begin, end), "cuEventElapsedTime");
        if (i >= 0)
            times[i] = milliseconds;
    }
    struct median median = median_of(times, (size_t)samples);
    double flops = 2.0 * m * n * k;
    printf("{\"library\": \"cuBLAS SGEMM pedantic\", \"m\": %d, \"n\": %d, \"k\": %d, \"time_ms\": %.6f, "
           "\"gflops\": %.1f, \"samples\": %d}\n",
           m, n, k, median.value, flops / median.value * 1e-6, samples);
    return 0;
}
