/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cublas_sgemm - the time of cuBLAS SGEMM and SSYRK in pedantic fp32 (no TF32), measured as tune measures a kernel.
 *
 *     cublas_sgemm [-s SAMPLES] MxNxK... NxK...
 *
 * prints a line for each product: C = A B of an M x K and a K x N matrix, or with two sizes C = A A^T of an N x K
 * matrix (row-major all; SSYRK stores half of C), with the median time in milliseconds and the rate. Inputs are
 * uniform in [-1, 1). After untimed calls, samples are timed by events: the L2 cache is flushed before each, and
 * while the flush runs, everything that is timed is queued. As in tune itself (cuda/timer.h), the median of an empty
 * kernel timed in the same way is subtracted. libcuda and libcublas are opened at run time, so this builds
 * everywhere.
 */
#include "tuner/measure/sampling.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int (*syrk)(void *, int, int, int, int, const float *, uint64_t, int, const float *, uint64_t, int);
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
    {"cublasSsyrk_v2", &api.syrk, true},
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

struct bench {
    void *cublas, *empty, *begin, *end;
    uint64_t a, b, c, flush;
    int samples;
};

/* n = 0: m x k times its transpose. */
struct product {
    int m, n, k;
};

static void call_cublas(const struct bench *bench, const struct product *product)
{
    const float one = 1, zero = 0;
    int m = product->m, n = product->n, k = product->k;
    /* cuBLAS is column-major, so it sees the transposed matrices: it computes (A B)^T = B^T A^T, and A A^T from A^T.
     */
    if (n > 0)
        check(api.sgemm(bench->cublas, 0, 0, n, m, k, &one, bench->b, n, bench->a, k, &zero, bench->c, n),
              "cublasSgemm");
    else
        check(api.syrk(bench->cublas, 0, 1, m, k, &one, bench->a, k, &zero, bench->c, m), "cublasSsyrk");
}

static void launch_empty(const struct bench *bench, const struct product *product)
{
    unsigned value = 1;
    void *arguments[] = {&value};
    (void)product;
    check(api.launch(bench->empty, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
}

/* Median in milliseconds, after three untimed samples. */
static double time_of(const struct bench *bench, void (*work)(const struct bench *, const struct product *),
                      const struct product *product)
{
    double times[MOST_SAMPLES];
    for (int i = -3; i < bench->samples; i++) {
        float milliseconds;
        check(api.fill(bench->flush, (unsigned char)i, FLUSH_BYTES, NULL), "cuMemsetD8Async");
        check(api.record(bench->begin, NULL), "cuEventRecord");
        work(bench, product);
        check(api.record(bench->end, NULL), "cuEventRecord");
        check(api.wait(bench->end), "cuEventSynchronize");
        check(api.elapsed(&milliseconds, bench->begin, bench->end), "cuEventElapsedTime");
        if (i >= 0)
            times[i] = milliseconds;
    }
    return median_of(times, (size_t)bench->samples).value;
}

static void open_bench(struct bench *bench)
{
    int device;
    void *context, *module;
    check(api.init(0), "cuInit");
    check(api.device(&device, 0), "cuDeviceGet");
    check(api.retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(api.current(context), "cuCtxSetCurrent");
    check(api.create(&bench->cublas), "cublasCreate");
    check(api.math_mode(bench->cublas, PEDANTIC), "cublasSetMathMode");
    check(api.load(&module, empty_text), "cuModuleLoadData");
    check(api.function(&bench->empty, module, "empty"), "cuModuleGetFunction");
    check(api.event(&bench->begin, 0), "cuEventCreate");
    check(api.event(&bench->end, 0), "cuEventCreate");
    check(api.allocate(&bench->flush, FLUSH_BYTES), "cuMemAlloc");
}

/* "4096x512x64", or "4096x512" for a product with the transpose. */
static struct product parse_product(const char *text)
{
    struct product product = {0};
    int sizes[3] = {0}, count = 0;
    for (char *end; count < 3; text = end + 1) {
        sizes[count] = (int)strtol(text, &end, 10);
        if (sizes[count++] < 1 || *end != 'x')
            break;
    }
    product.m = sizes[0];
    product.n = count == 3 ? sizes[1] : 0;
    product.k = sizes[count - 1];
    if (count < 2 || product.k < 1) {
        fprintf(stderr, "usage: cublas_sgemm [-s SAMPLES] MxNxK... NxK...\n");
        exit(2);
    }
    return product;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void print_product(const struct bench *bench, const struct product *product, double empty)
{
    int m = product->m, n = product->n, k = product->k;
    double time = time_of(bench, call_cublas, product) - empty;
    /* Of C = A A^T, which is symmetric, half is enough. */
    double flops = n > 0 ? 2.0 * m * n * k : 1.0 * m * (m + 1.0) * k;
    printf("{\"library\": \"cuBLAS %s pedantic\", \"m\": %d, \"n\": %d, \"k\": %d, \"time_ms\": %.6f, "
           "\"gflops\": %.1f, \"samples\": %d, \"empty_ms\": %.6f}\n",
           n > 0 ? "SGEMM" : "SSYRK", m, n > 0 ? n : m, k, time, flops / time * 1e-6, bench->samples, empty);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    struct bench bench = {.samples = 50};
    size_t a = 1, b = 1, c = 1;
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "-s") == 0) {
        bench.samples = atoi(arguments[2]);
        first = 3;
    }
    if (first == count || bench.samples < 1 || bench.samples > MOST_SAMPLES)
        parse_product("");
    for (int i = first; i < count; i++) {
        struct product product = parse_product(arguments[i]);
        size_t m = (size_t)product.m, n = (size_t)product.n, k = (size_t)product.k;
        a = larger(a, m * k);
        b = larger(b, n * k);
        c = larger(c, n > 0 ? m * n : m * m);
    }
    load();
    open_bench(&bench);
    bench.a = random_matrix(a);
    bench.b = random_matrix(b);
    bench.c = random_matrix(c);
    double empty = time_of(&bench, launch_empty, NULL);
    for (int i = first; i < count; i++) {
        struct product product = parse_product(arguments[i]);
        print_product(&bench, &product, empty);
    }
    return 0;
}
