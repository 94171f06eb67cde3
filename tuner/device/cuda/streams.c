/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/streams.h"

#include "tuner/device/cuda/result.h"

static bool find_stream(struct streams *streams, unsigned stream, cuda_stream *found, struct error *error)
{
    const struct cuda_library *cuda = &streams->context->cuda;
    if (stream >= DEVICE_STREAMS)
        return error_set(error, ERROR_WORK, "there is no stream %u", stream);
    if (stream > 0 && !streams->streams[stream]) {
        blocking_kernel_unblock(streams->blocking);
        if (!cuda_check(cuda, cuda->stream_create(&streams->streams[stream], CUDA_STREAM_NON_BLOCKING), error,
                        "creating a stream"))
            return false;
    }
    *found = stream > 0 ? streams->streams[stream] : streams->context->stream;
    return true;
}

bool streams_use(struct streams *streams, unsigned stream, struct error *error)
{
    return find_stream(streams, stream, &streams->context->current, error);
}

static bool record(struct streams *streams, unsigned stream, struct error *error)
{
    const struct cuda_library *cuda = &streams->context->cuda;
    cuda_stream handle;
    if (!streams->events[stream]) {
        blocking_kernel_unblock(streams->blocking);
        if (!cuda_check(cuda, cuda->event_create(&streams->events[stream], CUDA_EVENT_NO_TIMES), error,
                        "creating an event"))
            return false;
    }
    blocking_kernel_count(streams->blocking);
    return find_stream(streams, stream, &handle, error) &&
           cuda_check(cuda, cuda->event_record(streams->events[stream], handle), error, "recording an event");
}

static bool wait_for(struct streams *streams, unsigned waiter, unsigned awaited, struct error *error)
{
    const struct cuda_library *cuda = &streams->context->cuda;
    cuda_stream handle;
    blocking_kernel_count(streams->blocking);
    return find_stream(streams, waiter, &handle, error) &&
           cuda_check(cuda, cuda->stream_wait(handle, streams->events[awaited], 0), error,
                      "making a stream wait for another");
}

bool streams_wait(struct streams *streams, uint32_t waiters, uint32_t awaited, struct error *error)
{
    for (unsigned i = 0; i < DEVICE_STREAMS; i++) {
        if (!(awaited >> i & 1))
            continue;
        if (!record(streams, i, error))
            return false;
        for (unsigned j = 0; j < DEVICE_STREAMS; j++) {
            if (j != i && (waiters >> j & 1) && !wait_for(streams, j, i, error))
                return false;
        }
    }
    return true;
}

void streams_close(struct streams *streams)
{
    for (unsigned i = 0; i < DEVICE_STREAMS; i++) {
        if (streams->events[i])
            streams->context->cuda.event_destroy(streams->events[i]);
        if (streams->streams[i])
            streams->context->cuda.stream_destroy(streams->streams[i]);
    }
    *streams = (struct streams){.context = streams->context, .blocking = streams->blocking};
}
