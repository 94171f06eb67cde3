/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cublas_sgemm - the time of cuBLAS SGEMM and SSYRK in pedantic fp32 (no TF32), measured as tune measures a kernel.
 *
 *     cublas_sgemm [-s SAMPLES] MxNxK... NxK...
 *
 * prints a line for each product: C = A B of an M x K and a K x N matrix, or with two sizes C = A A^T of an N x K
 * matrix (row-major all; SSYRK stores half of C), with the median time in milliseconds and the rate. Inputs are
 * uniform in [-1, 1); peer.h says how it is measured.
 */
#include "tests/bench/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of cuBLAS that are used; they return a status, and 0 is success. */
static int (*create)(void **);
static int (*math_mode)(void *, int);
static int (*sgemm)(void *, int, int, int, int, int, const float *, uint64_t, int, uint64_t, int, const float *,
                    uint64_t, int);
static int (*syrk)(void *, int, int, int, int, const float *, uint64_t, int, const float *, uint64_t, int);

enum { PEDANTIC = 2 };

struct bench {
    void *cublas;
    uint64_t a, b, c;
    int samples;
};

/* n = 0: m x k times its transpose. */
struct product {
    int m, n, k;
};

struct call {
    const struct bench *bench;
    const struct product *product;
};

static void call_cublas(void *argument)
{
    const struct call *call = argument;
    const struct bench *bench = call->bench;
    const float one = 1, zero = 0;
    int m = call->product->m, n = call->product->n, k = call->product->k;
    /* cuBLAS is column-major, so it sees the transposed matrices: it computes (A B)^T = B^T A^T, and A A^T from A^T.
     */
    if (n > 0)
        peer_check(sgemm(bench->cublas, 0, 0, n, m, k, &one, bench->b, n, bench->a, k, &zero, bench->c, n),
                   "cublasSgemm");
    else
        peer_check(syrk(bench->cublas, 0, 1, m, k, &one, bench->a, k, &zero, bench->c, m), "cublasSsyrk");
}

static void open_bench(struct bench *bench)
{
    static const struct peer_symbol symbols[] = {{"cublasCreate_v2", &create},
                                                 {"cublasSetMathMode", &math_mode},
                                                 {"cublasSgemm_v2", &sgemm},
                                                 {"cublasSsyrk_v2", &syrk}};
    peer_open(peer_cublas, symbols, sizeof symbols / sizeof *symbols);
    peer_check(create(&bench->cublas), "cublasCreate");
    peer_check(math_mode(bench->cublas, PEDANTIC), "cublasSetMathMode");
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

static void print_product(const struct bench *bench, const struct product *product)
{
    int m = product->m, n = product->n, k = product->k;
    struct call call = {bench, product};
    double time = peer_time(call_cublas, &call, bench->samples);
    /* Of C = A A^T, which is symmetric, half is enough. */
    double flops = n > 0 ? 2.0 * m * n * k : 1.0 * m * (m + 1.0) * k;
    printf("{\"library\": \"cuBLAS %s pedantic\", \"m\": %d, \"n\": %d, \"k\": %d, \"time_ms\": %.6f, "
           "\"gflops\": %.1f, \"samples\": %d, \"empty_ms\": %.6f}\n",
           n > 0 ? "SGEMM" : "SSYRK", m, n > 0 ? n : m, k, time, flops / time * 1e-6, bench->samples,
           peer_empty_time(bench->samples));
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
    if (first == count || bench.samples < 1 || bench.samples > PEER_MOST_SAMPLES)
        parse_product("");
    for (int i = first; i < count; i++) {
        struct product product = parse_product(arguments[i]);
        size_t m = (size_t)product.m, n = (size_t)product.n, k = (size_t)product.k;
        a = larger(a, m * k);
        b = larger(b, n * k);
        c = larger(c, n > 0 ? m * n : m * m);
    }
    open_bench(&bench);
    bench.a = peer_random(a);
    bench.b = peer_random(b);
    bench.c = peer_random(c);
    for (int i = first; i < count; i++) {
        struct product product = parse_product(arguments[i]);
        print_product(&bench, &product);
    }
    return 0;
}
