/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/kernel.h"

#include "tuner/library/calls.h"
#include "tuner/library/failure.h"
#include "tuner/library/online.h"

const struct version *kernel_version(const struct tune_kernel *kernel)
{
    return &kernel->versions[atomic_load_explicit(&kernel->current, memory_order_acquire)];
}

/* The newest version takes over, unless what the present one has prepared would be lost. */
static const struct version *turn_to_newest(struct tune_kernel *kernel, enum variant_block block)
{
    size_t newest = atomic_load_explicit(&kernel->newest, memory_order_acquire);
    const struct version *present = kernel_version(kernel);
    if (block == VARIANT_FINISH || &kernel->versions[newest] == present)
        return present;
    const struct version *next = &kernel->versions[newest];
    if (block == VARIANT_LAUNCH && (variant_steps(present->variant, VARIANT_PREPARE)->count > 0 ||
                                    variant_steps(next->variant, VARIANT_PREPARE)->count > 0))
        return present;
    atomic_store_explicit(&kernel->current, newest, memory_order_release);
    return next;
}

/* Alignments are powers of two. */
static bool is_aligned(const struct tune_buffer *buffer, const struct passed_buffer *wanted)
{
    return ((uintptr_t)buffer->address & (wanted->alignment - 1)) == 0;
}

static bool is_fit(const struct tune_buffer *buffer, const struct passed_buffer *wanted)
{
    return buffer->address && is_aligned(buffer, wanted) && (buffer->size == 0 || buffer->size >= wanted->bytes);
}

/* Why buffer `i` is not fit. */
static enum tune_code refuse(const struct variant *variant, const char *call, const struct tune_buffer *buffer,
                             size_t i, struct tune_error *error)
{
    const struct passed_buffer *wanted = &variant->passed.list[i];
    const char *name = code_case(variant->code)->buffers[wanted->buffer].name;
    if (!buffer->address)
        return failure_argument(error, "%s: buffer %zu, %s, is a null pointer", call, i, name);
    if (!is_aligned(buffer, wanted))
        return failure_argument(error, "%s: buffer %zu, %s, is at %p, and the kernel needs a multiple of %llu", call,
                                i, name, buffer->address, (unsigned long long)wanted->alignment);
    return failure_argument(error, "%s: buffer %zu, %s, has %llu bytes, and the kernel needs %llu", call, i, name,
                            (unsigned long long)buffer->size, (unsigned long long)wanted->bytes);
}

static enum tune_code check_buffers(const struct variant *variant, const char *call,
                                    const struct tune_buffer *buffers, size_t count, struct tune_error *error)
{
    const struct passed *passed = &variant->passed;
    if (count != passed->count || (count > 0 && !buffers))
        return failure_argument(error, "%s: %zu buffers are passed, and the kernel takes %zu", call,
                                buffers ? count : 0, passed->count);
    for (size_t i = 0; i < count; i++) {
        if (!is_fit(&buffers[i], &passed->list[i]))
            return refuse(variant, call, &buffers[i], i, error);
    }
    return TUNE_OK;
}

static enum tune_code call(struct tune_kernel *kernel, enum variant_block block, void *stream,
                           const struct tune_buffer *buffers, size_t count, struct tune_error *error)
{
    static const char *const names[] = {
        [VARIANT_PREPARE] = "tune_prepare", [VARIANT_LAUNCH] = "tune_launch", [VARIANT_FINISH] = "tune_finish"};
    if (!kernel)
        return failure_argument(error, "%s: no kernel", names[block]);
    struct variant *variant = turn_to_newest(kernel, block)->variant;
    enum tune_code code = check_buffers(variant, names[block], buffers, count, error);
    if (code != TUNE_OK)
        return code;
    if (block != VARIANT_PREPARE && !atomic_load_explicit(&variant->prepared, memory_order_acquire))
        return failure_argument(error, "%s: call tune_prepare first, with the same buffers", names[block]);
    struct calls *calls = block == VARIANT_LAUNCH ? kernel->calls : NULL;
    if (calls)
        calls_look(calls, variant, stream, buffers);
    code = block == VARIANT_LAUNCH && kernel->online && online_is_on(kernel->online)
               ? online_launch(kernel->online, stream, buffers, error)
               : variant_run(variant, block, stream, buffers, error);
    if (calls && code == TUNE_OK)
        calls_count(calls);
    return code;
}

enum tune_code tune_launch(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                           struct tune_error *error)
{
    return call(kernel, VARIANT_LAUNCH, stream, buffers, count, error);
}

enum tune_code tune_prepare(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                            struct tune_error *error)
{
    return call(kernel, VARIANT_PREPARE, stream, buffers, count, error);
}

enum tune_code tune_finish(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                           struct tune_error *error)
{
    return call(kernel, VARIANT_FINISH, stream, buffers, count, error);
}
