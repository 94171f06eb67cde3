/* SPDX-License-Identifier: Apache-2.0 */
/*
 * streams.h - the streams besides the main one, and the order between them all.
 *
 * They are created when first used, which may wait for the GPU, and kept. Events carry the order; they take no times.
 */
#ifndef TUNE_DEVICE_CUDA_STREAMS_H
#define TUNE_DEVICE_CUDA_STREAMS_H

#include "tuner/device/cuda/blocking_kernel.h"
#include "tuner/device/cuda/context.h"
#include "tuner/device/device.h"

struct streams {
    struct context *context;
    struct blocking_kernel *blocking;
    cuda_stream streams[DEVICE_STREAMS]; /* NULL: not created; the main stream is the context's */
    cuda_event events[DEVICE_STREAMS];   /* NULL: not created */
};

/* Launches, copies and fills go to this stream from now on. */
bool streams_use(struct streams *streams, unsigned stream, struct error *error);

/* What is queued in each of `waiters` from now on, a bit a stream, waits for what is queued in `awaited` now. */
bool streams_wait(struct streams *streams, uint32_t waiters, uint32_t awaited, struct error *error);

void streams_close(struct streams *streams);

#endif
