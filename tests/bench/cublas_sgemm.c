/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cublas_sgemm - the time of cuBLAS SGEMM in pedantic fp32 (no TF32), measured as tune measures a kernel.
 *
 *     cublas_sgemm M N K [samples]
 *
 * prints the median time of C = A·B (row-major) in milliseconds and its rate. Inputs are uniform in [-1, 1). After
 * untimed calls, samples are timed by events: the L2 cache is flushed before each, and while the flush runs,
 * everything that is timed is queued. As in tune itself (cuda/timer.h), the median of an empty kernel timed in the
 * same way is subtracted. libcuda and libcublas are opened at run time, so this builds everywhere.
 */
#include "tuner/measure/sampling.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The functions used. CUDA's driver returns a CUresult, cuBLAS a status; 0 is success in both. */
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
    {"cuModuleLoadData", &api.load, false},
    {"cuModuleGetFunction", &api.function, false},
    {"cuLaunchKernel", &api.launch, false},
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
        fprintf(stderr, "cublas_sgemm: cannot open libcuda or libcublas: %s\n", dlerror());
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

/* ---- timing ------------------------------------------------------------------------------------------------- */

/* An empty kernel. */
static const char empty_text[] = ".version 6.3\n"
                                 ".target sm_75\n"
                                 ".address_size 64\n"
                                 ".visible .entry empty(.param .u32 value)\n"
                                 "{\n"
                                 "    ret;\n"
                                 "}\n";

struct product {
    void *cublas, *empty;
    int m, n, k;
    uint64_t a, b, c, flush;
    void *begin, *end;
};

static void call_cublas(const struct product *product)
{
    const float one = 1, zero = 0;
    int m = product->m, n = product->n, k = product->k;
    /* cuBLAS is column-major: the transposed product of the same memory. */
    check(api.sgemm(product->cublas, 0, 0, n, m, k, &one, product->b, n, product->a, k, &zero, product->c, n),
          "cublasSgemm");
}

static void launch_empty(const struct product *product)
{
    unsigned value = 1;
    void *arguments[] = {&value};
    check(api.launch(product->empty, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
}

/* Median in milliseconds, after three untimed samples. */
static double time_of(const struct product *product, void (*work)(const struct product *), int samples)
{
    double times[MOST_SAMPLES];
    for (int i = -3; i < samples; i++) {
        float milliseconds;
        check(api.fill(product->flush, (unsigned char)i, FLUSH_BYTES, NULL), "cuMemsetD8Async");
        check(api.record(product->begin, NULL), "cuEventRecord");
        work(product);
        check(api.record(product->end, NULL), "cuEventRecord");
        check(api.wait(product->end), "cuEventSynchronize");
        check(api.elapsed(&milliseconds, product->begin, product->end), "cuEventElapsedTime");
        if (i >= 0)
            times[i] = milliseconds;
    }
    return median_of(times, (size_t)samples).value;
}

static void open_product(struct product *product)
{
    int device;
    void *context, *module;
    check(api.init(0), "cuInit");
    check(api.device(&device, 0), "cuDeviceGet");
    check(api.retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(api.current(context), "cuCtxSetCurrent");
    check(api.create(&product->cublas), "cublasCreate");
    check(api.math_mode(product->cublas, PEDANTIC), "cublasSetMathMode");
    check(api.load(&module, empty_text), "cuModuleLoadData");
    check(api.function(&product->empty, module, "empty"), "cuModuleGetFunction");
    check(api.event(&product->begin, 0), "cuEventCreate");
    check(api.event(&product->end, 0), "cuEventCreate");
    product->a = random_matrix((size_t)product->m * (size_t)product->k);
    product->b = random_matrix((size_t)product->k * (size_t)product->n);
    product->c = random_matrix((size_t)product->m * (size_t)product->n);
    check(api.allocate(&product->flush, FLUSH_BYTES), "cuMemAlloc");
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: cublas_sgemm M N K [samples]\n");
        return 2;
    }
    struct product product = {.m = atoi(arguments[1]), .n = atoi(arguments[2]), .k = atoi(arguments[3])};
    int samples = count > 4 ? atoi(arguments[4]) : 50;
    if (product.m < 1 || product.n < 1 || product.k < 1 || samples < 1 || samples > MOST_SAMPLES)
        return 2;
    load();
    open_product(&product);
    double called = time_of(&product, call_cublas, samples), empty = time_of(&product, launch_empty, samples);
    double time = called - empty, flops = 2.0 * product.m * product.n * product.k;
    printf("{\"library\": \"cuBLAS SGEMM pedantic\", \"m\": %d, \"n\": %d, \"k\": %d, \"time_ms\": %.6f, "
           "\"gflops\": %.1f, \"samples\": %d, \"empty_ms\": %.6f}\n",
           product.m, product.n, product.k, time, flops / time * 1e-6, samples, empty);
    return 0;
}
