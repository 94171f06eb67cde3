/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_peers - what kernels that only move data are compared with: the device's own copy, and cuBLAS'
 * transposition.
 *
 *     memory_peers copy N [samples]             N floats, by cuMemcpyDtoD
 *     memory_peers sgeam ROWS COLUMNS [samples] a row-major matrix, by cublasSgeam
 *
 * prints the median time in milliseconds and the rate, each float counted as read once and written once; gpu.h says
 * how it is measured.
 */
#include "tests/bench/gpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct transfer {
    uint64_t from, to;
    size_t bytes;
    int rows, columns;
    void *cublas;
};

static int (*sgeam)(void *, int, int, int, int, const float *, uint64_t, int, const float *, uint64_t, int, uint64_t,
                    int);

static void copy(const void *data)
{
    const struct transfer *transfer = data;
    gpu_copy(transfer->to, transfer->from, transfer->bytes);
}

/* To cuBLAS, which is column-major, A is columns x rows, and B = A^T is rows x columns. */
static void transpose(const void *data)
{
    const struct transfer *transfer = data;
    const float one = 1, zero = 0;
    gpu_check(sgeam(transfer->cublas, 1, 0, transfer->rows, transfer->columns, &one, transfer->from,
                    transfer->columns, &zero, transfer->to, transfer->rows, transfer->to, transfer->rows),
              "cublasSgeam");
}

static void open_cublas(struct transfer *transfer)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so", NULL};
    int (*create)(void **);
    *(void **)&create = gpu_library_function(names, "cublasCreate_v2");
    *(void **)&sgeam = gpu_library_function(names, "cublasSgeam");
    gpu_check(create(&transfer->cublas), "cublasCreate");
}

static int positive(const char *text)
{
    long value = text ? strtol(text, NULL, 10) : 0;
    return value > 0 && value <= INT32_MAX ? (int)value : 0;
}

int main(int count, char **arguments)
{
    bool transposes = count > 3 && strcmp(arguments[1], "sgeam") == 0;
    if (!transposes && !(count > 2 && strcmp(arguments[1], "copy") == 0)) {
        fprintf(stderr, "usage: memory_peers copy N [samples]\n       memory_peers sgeam ROWS COLUMNS [samples]\n");
        return 2;
    }
    struct transfer transfer = {.rows = positive(arguments[2]), .columns = transposes ? positive(arguments[3]) : 1};
    const char *given = arguments[transposes ? 4 : 3]; /* NULL at the end of the arguments */
    int samples = given ? positive(given) : 50;
    size_t elements = (size_t)transfer.rows * (size_t)transfer.columns;
    transfer.bytes = elements * sizeof(float);
    gpu_check(elements == 0, "reading the sizes");

    gpu_open();
    transfer.from = gpu_random_floats(elements);
    transfer.to = gpu_random_floats(elements);
    if (transposes)
        open_cublas(&transfer);
    double time = gpu_time(transposes ? transpose : copy, &transfer, samples);
    printf("{\"what\": \"%s\", \"rows\": %d, \"columns\": %d, \"time_ms\": %.6f, \"gigabytes_per_second\": %.1f, "
           "\"samples\": %d}\n",
           transposes ? "cuBLAS SGEAM" : "copy", transfer.rows, transfer.columns, time,
           2e-6 * (double)transfer.bytes / time, samples);
    return 0;
}
