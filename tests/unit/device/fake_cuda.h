/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_cuda.h - a fake CUDA driver: it notes its calls, a letter each, and keeps a clock of its own.
 *
 *     a allocate   f fill   l launch   d download   w wait for the stream   + record an event   = wait for an event
 *     s create a stream   z destroy a stream   > make a stream wait
 *
 * A spin takes its duration; two events show `overhead_ns` too much.
 */
#ifndef TUNE_TESTS_FAKE_CUDA_H
#define TUNE_TESTS_FAKE_CUDA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/device/cuda/blocking_kernel.h"
#include "tuner/device/cuda/module.h"

#include <stdlib.h>
#include <string.h>

static struct fake {
    char calls[64]; /* the first ones */
    size_t call_count;
    cuda_result result;           /* of the calls from number `failing_from` on */
    size_t failing_from;          /* counted from 1; 0: none fails */
    double now_ns, overhead_ns;   /* the GPU's clock; what two events show too much */
    double event_ns[2];           /* when each was recorded */
    uint64_t stamps[SPIN_STAMPS]; /* of the last spin */
    uint64_t arguments[3];        /* of the last launch of the blocking kernel: word, round, timeout */
    unsigned threads, shared;     /* of the last launch */
    char streams[20];             /* created ones are addresses of these */
    size_t stream_count;
    cuda_stream waiter; /* of the last wait of a stream */
    cuda_event awaited;
    int allocations; /* not yet released, of host and device */
} fake;

#define FAKE_BLOCK ((cuda_function)(void *)&fake.arguments)
#define FAKE_SPIN  ((cuda_function)(void *)&fake.stamps)

static cuda_result fake_note(char letter)
{
    if (fake.call_count + 1 < sizeof fake.calls) {
        fake.calls[fake.call_count] = letter;
        fake.calls[fake.call_count + 1] = '\0';
    }
    fake.call_count++;
    return fake.failing_from && fake.call_count >= fake.failing_from ? fake.result : CUDA_SUCCESS;
}

static cuda_result fake_text(cuda_result result, const char **text)
{
    *text = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "an error";
    return CUDA_SUCCESS;
}

static cuda_result fake_launch(cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                               cuda_stream stream, void **arguments, void **extra)
{
    (void)grid_x, (void)grid_y, (void)grid_z, (void)stream, (void)extra;
    fake.threads = block_x * block_y * block_z;
    fake.shared = dynamic_shared;
    if (function == FAKE_BLOCK) {
        fake.arguments[0] = *(uint64_t *)arguments[0];
        fake.arguments[1] = *(uint32_t *)arguments[1];
        fake.arguments[2] = *(uint64_t *)arguments[2];
    } else if (function == FAKE_SPIN) {
        fake.stamps[0] = (uint64_t)fake.now_ns;
        fake.now_ns += (double)*(uint64_t *)arguments[1];
        fake.stamps[1] = (uint64_t)fake.now_ns;
    }
    return fake_note('l');
}

static cuda_result fake_fill(cuda_address address, unsigned char byte, size_t bytes, cuda_stream stream)
{
    (void)address, (void)byte, (void)bytes, (void)stream;
    return fake_note('f');
}

static cuda_result fake_allocate(cuda_address *address, size_t bytes)
{
    *address = 256 * (bytes + 1);
    fake.allocations++;
    return fake_note('a');
}

static cuda_result fake_release(cuda_address address)
{
    assert_int_not_equal(address, 0);
    fake.allocations--;
    return CUDA_SUCCESS;
}

static cuda_result fake_host_release(void *memory)
{
    free(memory);
    fake.allocations--;
    return CUDA_SUCCESS;
}

static cuda_result fake_wait(cuda_stream stream)
{
    (void)stream;
    return fake_note('w');
}

static cuda_result fake_download(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
    (void)from, (void)stream;
    assert_int_equal(bytes, sizeof fake.stamps);
    memcpy(to, fake.stamps, bytes);
    return fake_note('d');
}

static cuda_result fake_event_create(cuda_event *event, unsigned flags)
{
    static size_t created;
    (void)flags;
    *event = (cuda_event)(void *)&fake.event_ns[created++ % 2];
    return fake_note('c');
}

static cuda_result fake_event_destroy(cuda_event event)
{
    (void)event;
    return fake_note('x');
}

static cuda_result fake_event_record(cuda_event event, cuda_stream stream)
{
    (void)stream;
    *(double *)(void *)event = fake.now_ns;
    return fake_note('+');
}

static cuda_result fake_stream_create(cuda_stream *stream, unsigned flags)
{
    (void)flags;
    *stream = (cuda_stream)(void *)&fake.streams[++fake.stream_count];
    return fake_note('s');
}

static cuda_result fake_stream_destroy(cuda_stream stream)
{
    (void)stream;
    fake.stream_count--;
    return fake_note('z');
}

static cuda_result fake_stream_wait(cuda_stream stream, cuda_event event, unsigned flags)
{
    (void)flags;
    fake.waiter = stream;
    fake.awaited = event;
    return fake_note('>');
}

static cuda_result fake_event_synchronize(cuda_event event)
{
    (void)event;
    return fake_note('=');
}

static cuda_result fake_event_elapsed(float *milliseconds, cuda_event start, cuda_event stop)
{
    double nanoseconds = *(double *)(void *)stop - *(double *)(void *)start + fake.overhead_ns;
    *milliseconds = (float)(1e-6 * nanoseconds);
    return CUDA_SUCCESS;
}

/* A GPU with the limits of an H100, on which nothing has happened. */
static inline struct context fake_context(void)
{
    memset(&fake, 0, sizeof fake);
    return (struct context){
        .cuda =
            {
                .error_name = fake_text,
                .error_string = fake_text,
                .launch = fake_launch,
                .fill = fake_fill,
                .allocate = fake_allocate,
                .release = fake_release,
                .host_release = fake_host_release,
                .stream_synchronize = fake_wait,
                .download = fake_download,
                .stream_create = fake_stream_create,
                .stream_destroy = fake_stream_destroy,
                .stream_wait = fake_stream_wait,
                .event_create = fake_event_create,
                .event_destroy = fake_event_destroy,
                .event_record = fake_event_record,
                .event_synchronize = fake_event_synchronize,
                .event_elapsed = fake_event_elapsed,
            },
        .description = h100,
    };
}

static inline struct device_kernel *fake_kernel(struct module *module, cuda_function function, size_t parameters)
{
    struct device_kernel *kernel = calloc(1, sizeof *kernel + 1);
    assert_non_null(kernel);
    kernel->module = module;
    kernel->max_threads = 1024;
    kernel->function = function;
    kernel->parameter_count = parameters;
    return kernel;
}

/* A loaded blocking kernel, without a compiler; `module` stands in for its module. */
static inline struct blocking_kernel fake_blocking(const struct context *context, struct module *module)
{
    *module = (struct module){.context = context};
    fake.allocations = 2;
    return (struct blocking_kernel){
        .context = context,
        .module = module,
        .block = fake_kernel(module, FAKE_BLOCK, 3),
        .spin = fake_kernel(module, FAKE_SPIN, 2),
        .word = calloc(1, sizeof(uint32_t)),
        .word_address = 512,
        .stamps_address = 1024,
    };
}

/* Like blocking_kernel_close, except for the module, which is not on the heap. */
static inline void fake_blocking_close(struct blocking_kernel *blocking)
{
    free(blocking->block);
    free(blocking->spin);
    blocking->module = NULL;
    blocking_kernel_close(blocking);
}

#endif
