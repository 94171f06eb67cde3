/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub_peers - what prefix sums, reductions and sorts are compared with: CUB's, of n random floats.
 *
 *     cub_peers WHAT N [samples]
 *
 * WHAT is a function of cub_shim.cu without "cub_": inclusive_sum, argmin ... Prints the median time in milliseconds,
 * the rate in bytes that must be read and written at least, and CUB's version; peer.h says how it is measured.
 * Temporary memory is allocated before. The shim is a target of its own, `cmake --build build --target cub_shim`,
 * which needs nvcc.
 */
#include "tests/bench/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int algorithm(void *room, size_t *room_bytes, const void *from, void *to, long long count);

static const struct peer {
    const char *name, *symbol;
    int bytes;   /* of an element, read and written */
    int written; /* of these */
} peers[] = {
    {"inclusive_sum", "cub_inclusive_sum", 8, 4},
    {"exclusive_sum", "cub_exclusive_sum", 8, 4},
    {"inclusive_sum_integers", "cub_inclusive_sum_integers", 8, 4},
    {"exclusive_sum_integers", "cub_exclusive_sum_integers", 8, 4},
    {"sum", "cub_sum", 4, 0},
    {"min", "cub_min", 4, 0},
    {"max", "cub_max", 4, 0},
    {"argmin", "cub_argmin", 4, 0},
    {"argmax", "cub_argmax", 4, 0},
    {"sort_pairs_16", "cub_sort_pairs_16", 16, 8}, /* by 16 bits: see cub_shim.cu */
    {"sort_pairs_24", "cub_sort_pairs_24", 16, 8},
    {"sort_pairs_32", "cub_sort_pairs_32", 16, 8},
};

enum { PEERS = sizeof peers / sizeof *peers };

struct call {
    algorithm *run;
    void *room, *from, *to;
    size_t room_bytes;
    long long count;
};

static void *on_device(uint64_t address)
{
    return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr): an address of the device */
}

static void run(void *argument)
{
    struct call *call = argument;
    peer_check(call->run(call->room, &call->room_bytes, call->from, call->to, call->count), "CUB");
}

static const struct peer *find_peer(const char *name)
{
    for (size_t i = 0; i < PEERS; i++)
        if (strcmp(peers[i].name, name) == 0)
            return &peers[i];
    return NULL;
}

static int usage(void)
{
    fprintf(stderr, "usage: cub_peers WHAT N [samples]\nWHAT is one of:");
    for (size_t i = 0; i < PEERS; i++)
        fprintf(stderr, " %s", peers[i].name);
    fprintf(stderr, "\n");
    return 2;
}

static void allocate(struct call *call, int written)
{
    call->from = on_device(peer_random((size_t)call->count));
    call->to = on_device(peer_allocate((size_t)call->count * (size_t)written + 16));
    peer_check(call->run(NULL, &call->room_bytes, call->from, call->to, call->count), "CUB");
    call->room = on_device(peer_allocate(call->room_bytes ? call->room_bytes : 1));
}

int main(int count, char **arguments)
{
    static const char *const shim[] = {TUNE_CUB_SHIM, "libcub_shim.so", NULL};
    const struct peer *peer = count > 2 ? find_peer(arguments[1]) : NULL;
    long long n = peer ? strtoll(arguments[2], NULL, 10) : 0;
    long samples = count > 3 ? strtol(arguments[3], NULL, 10) : 50;
    if (n < 1 || n > 1ll << 33 || samples < 1 || samples > PEER_MOST_SAMPLES)
        return usage();
    struct call call = {.count = n};
    int (*version)(void);
    const struct peer_symbol symbols[] = {{peer->symbol, &call.run}, {"cub_peer_version", &version}};
    peer_open(shim, symbols, sizeof symbols / sizeof *symbols);
    allocate(&call, peer->written);
    double time = peer_time(run, &call, (int)samples);
    int number = version();
    printf("{\"what\": \"CUB %s\", \"version\": \"%d.%d.%d\", \"n\": %lld, \"time_ms\": %.6f, "
           "\"gigabytes_per_second\": %.1f, \"samples\": %ld}\n",
           peer->name, number / 100000, number / 100 % 1000, number % 100, n, time,
           1e-6 * peer->bytes * (double)n / time, samples);
    return 0;
}
