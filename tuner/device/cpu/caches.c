/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/caches.h"

#include "tuner/device/monotonic.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_SWEEP = 64 << 20, LINE = 64, LINE_PAIR = 2 * LINE, COPIES = 3, LARGE_PAGE = 2 << 20 };

struct caches caches_create(struct pool *pool, const struct memory *memory, int64_t cache_bytes)
{
    struct caches caches = {.pool = pool, .memory = memory, .lines = cache_lines_find()};
    caches.sweep_bytes = cache_bytes <= 0 || 2 * cache_bytes > MAX_SWEEP ? MAX_SWEEP : (size_t)(2 * cache_bytes);
    return caches;
}

void caches_clear(struct caches *caches)
{
    free(caches->sweep);
    caches->sweep = NULL;
}

static bool need_sweep(struct caches *caches, struct error *error)
{
    if (caches->sweep)
        return true;
    size_t pages = (caches->sweep_bytes + LARGE_PAGE - 1) / LARGE_PAGE;
    caches->sweep = aligned_alloc(LARGE_PAGE, pages * LARGE_PAGE);
    if (!caches->sweep)
        return error_out_of_memory(error);
    /* In pages of 4 KiB the first touch takes three times as long; each description of the device has to wait for it.
     */
    (void)madvise(caches->sweep, pages * LARGE_PAGE, MADV_HUGEPAGE);
    memset(caches->sweep, 1, caches->sweep_bytes);
    return true;
}

/* One processor's share of the sweep's buffer, in whole pairs of cache lines. */
static char *share_of(const struct caches *caches, size_t i, size_t *bytes)
{
    *bytes = caches->sweep_bytes / pool_size(caches->pool) / LINE_PAIR * LINE_PAIR;
    return caches->sweep + i * *bytes;
}

/* ---- flushing ---- */

static void dirty_share(void *argument, size_t i)
{
    size_t bytes;
    volatile char *share = share_of(argument, i, &bytes);
    for (size_t at = 0; at < bytes; at += LINE)
        share[at]++;
}

/* The lines of one processor's share of each allocation. */
static void flush_share(void *argument, size_t i)
{
    const struct caches *caches = argument;
    size_t processors = pool_size(caches->pool);
    for (const struct allocation *a = caches->memory->allocations; a; a = a->next) {
        size_t share = (a->bytes / processors / MEMORY_PAGE + 1) * MEMORY_PAGE, start = i * share;
        if (start < a->bytes)
            cache_lines_flush(caches->lines, (const char *)(uintptr_t)a->address + start,
                              a->bytes - start < share ? a->bytes - start : share);
    }
}

bool caches_flush(struct caches *caches, struct error *error)
{
    if (caches->lines.bytes > 0 && caches->memory->used <= caches->sweep_bytes) {
        pool_run(caches->pool, flush_share, caches);
        return true;
    }
    if (!need_sweep(caches, error))
        return false;
    pool_run(caches->pool, dirty_share, caches);
    return true;
}

/* ---- bandwidth ---- */

static void copy_share(void *argument, size_t i)
{
    size_t bytes;
    char *share = share_of(argument, i, &bytes);
    memcpy(share, share + bytes / 2, bytes / 2);
}

bool caches_bandwidth(struct caches *caches, double *bytes_per_second, struct error *error)
{
    *bytes_per_second = 0;
    if (!need_sweep(caches, error))
        return false;
    for (int i = 0; i < COPIES; i++) {
        double began = monotonic_seconds();
        pool_run(caches->pool, copy_share, caches);
        double seconds = monotonic_seconds() - began;
        double rate = seconds > 0 ? (double)caches->sweep_bytes / seconds : 0;
        if (rate > *bytes_per_second)
            *bytes_per_second = rate;
    }
    return true;
}
