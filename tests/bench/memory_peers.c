/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_peers - what kernels that only move data are compared with: the device's own copy, and cuBLAS'
 * transposition.
 *
 *     memory_peers copy N [samples]             N floats, by cuMemcpyDtoD
 *     memory_peers sgeam ROWS COLUMNS [samples] a row-major matrix, by cublasSgeam
 *
 * prints the median time in milliseconds and the rate, each float counted as read once and written once; peer.h says
 * how it is measured.
 */
#include "tests/bench/peer.h"

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

/* The driver's copy, and what is used of cuBLAS. */
static int (*device_copy)(uint64_t, uint64_t, size_t, void *);
static int (*create)(void **);
static int (*sgeam)(void *, int, int, int, int, const float *, uint64_t, int, const float *, uint64_t, int, uint64_t,
                    int);

static void copy(void *argument)
{
    const struct transfer *transfer = argument;
    peer_check(device_copy(transfer->to, transfer->from, transfer->bytes, NULL), "cuMemcpyDtoDAsync");
}

/* To cuBLAS, which is column-major, A is columns x rows, and B = A^T is rows x columns. */
static void transpose(void *argument)
{
    const struct transfer *transfer = argument;
    const float one = 1, zero = 0;
    peer_check(sgeam(transfer->cublas, 1, 0, transfer->rows, transfer->columns, &one, transfer->from,
                     transfer->columns, &zero, transfer->to, transfer->rows, transfer->to, transfer->rows),
               "cublasSgeam");
}

static void open_driver(void)
{
    static const char *const names[] = {"libcuda.so.1", NULL};
    static const struct peer_symbol symbols[] = {{"cuMemcpyDtoDAsync_v2", &device_copy}};
    peer_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static void open_cublas(struct transfer *transfer)
{
    static const struct peer_symbol symbols[] = {{"cublasCreate_v2", &create}, {"cublasSgeam", &sgeam}};
    peer_open(peer_cublas, symbols, sizeof symbols / sizeof *symbols);
    peer_check(create(&transfer->cublas), "cublasCreate");
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
    peer_check(elements == 0 || samples < 1 || samples > PEER_MOST_SAMPLES, "reading the numbers");

    if (transposes)
        open_cublas(&transfer);
    else
        open_driver();
    transfer.from = peer_random(elements);
    transfer.to = peer_allocate(transfer.bytes);
    double time = peer_time(transposes ? transpose : copy, &transfer, samples);
    printf("{\"what\": \"%s\", \"rows\": %d, \"columns\": %d, \"time_ms\": %.6f, \"gigabytes_per_second\": %.1f, "
           "\"samples\": %d}\n",
           transposes ? "cuBLAS SGEAM" : "copy", transfer.rows, transfer.columns, time,
           2e-6 * (double)transfer.bytes / time, samples);
    return 0;
}
