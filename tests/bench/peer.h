/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peer.h - what programs that time a vendor's library share: the driver and the library, opened at run time, so that
 * these programs build everywhere; arrays of random numbers on the device; and times as tune takes them.
 *
 * Failures end the program with a line on stderr: status 77 if a library cannot be opened, else 1.
 */
#ifndef TUNE_TESTS_BENCH_PEER_H
#define TUNE_TESTS_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

/* A function of the library, to be found by name. */
struct peer_symbol {
    const char *name;
    void *function; /* where its address goes */
};

/* Open the first device, and the first of `libraries`, names that NULL ends; find its functions. */
void peer_open(const char *const *libraries, const struct peer_symbol *symbols, size_t symbol_count);

/* The names of cuBLAS, for peer_open. */
extern const char *const peer_cublas[];

/* End the program if `status` is not 0. */
void peer_check(int status, const char *what);

/* Device memory; never freed. */
uint64_t peer_allocate(size_t bytes);

/* That many floats, uniform in [-1, 1). */
uint64_t peer_random(size_t count);

/*
 * The median time of `work` in milliseconds, after three untimed calls. As in tune (cuda/timer.h) the L2 cache is
 * flushed before each sample, what is timed is queued meanwhile, and the median of an empty kernel is subtracted.
 */
double peer_time(void (*work)(void *), void *argument, int samples);

/* What peer_time subtracts: measured once. */
double peer_empty_time(int samples);

enum { PEER_MOST_SAMPLES = 1000 };

#endif
