/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_flush.h - evicts the L2 cache by writing a buffer twice its size.
 */
#ifndef TUNE_DEVICE_CUDA_CACHE_FLUSH_H
#define TUNE_DEVICE_CUDA_CACHE_FLUSH_H

#include "tuner/device/cuda/context.h"

struct cache_flush {
    cuda_address buffer; /* 0 until the first flush */
    size_t bytes;
};

/* Queue the writes. Does nothing on a GPU that reports no L2 cache. */
bool cache_flush_queue(struct cache_flush *flush, const struct context *context, struct error *error);
void cache_flush_close(struct cache_flush *flush, const struct context *context);

#endif
