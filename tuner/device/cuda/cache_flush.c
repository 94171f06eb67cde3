/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/cache_flush.h"

#include "tuner/device/cuda/result.h"

bool cache_flush_queue(struct cache_flush *flush, const struct context *context, struct error *error)
{
    const struct cuda_library *cuda = &context->cuda;
    size_t bytes = 2 * (size_t)context->description.l2_bytes;
    if (bytes == 0)
        return true;
    if (!flush->buffer) {
        if (!cuda_check(cuda, cuda->allocate(&flush->buffer, bytes), error,
                        "allocating %zu bytes on the GPU to flush its cache", bytes))
            return false;
        flush->bytes = bytes;
    }
    return cuda_check(cuda, cuda->fill(flush->buffer, 0, flush->bytes, context->stream), error,
                      "flushing the GPU's cache");
}

void cache_flush_close(struct cache_flush *flush, const struct context *context)
{
    if (flush->buffer)
        context->cuda.release(flush->buffer);
    *flush = (struct cache_flush){0};
}
