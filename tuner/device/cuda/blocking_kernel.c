/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/blocking_kernel.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/result.h"

#include <stdlib.h>

/* Rounds are compared by their difference, so they may wrap around. */
static const char source[] =
    "__global__ void tune_block(const volatile unsigned *word, unsigned round, unsigned long long timeout)\n"
    "{\n"
    "    unsigned long long start, now;\n"
    "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(start));\n"
    "    do\n"
    "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
    "    while ((int)(*word - round) < 0 && now - start < timeout);\n"
    "}\n"
    "__global__ void tune_spin(unsigned long long *stamps, unsigned long long nanoseconds)\n"
    "{\n"
    "    unsigned long long start, now;\n"
    "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(start));\n"
    "    do\n"
    "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
    "    while (now - start < nanoseconds);\n"
    "    stamps[0] = start;\n"
    "    stamps[1] = now;\n"
    "}\n";

static const struct launch_shape one_thread = {.grid = {1, 1, 1}, .block = {1, 1, 1}};

static bool compile(const struct context *context, struct compile_result *result)
{
    static const char *const names[] = {"tune_block", "tune_spin"};
    const struct compile_request request = {
        .path = "blocking_kernel.cu",
        .text = source,
        .length = sizeof source - 1,
        .kernels = names,
        .kernel_count = sizeof names / sizeof *names,
    };
    return cuda_compile(&context->description, &request, result, NULL) && result->compiled;
}

static bool launch_block(struct blocking_kernel *blocking, uint32_t round, struct error *error)
{
    uint64_t timeout = BLOCKING_TIMEOUT_NS;
    void *arguments[] = {&blocking->word_address, &round, &timeout};
    return module_launch(blocking->block, blocking->context->current, &one_thread, arguments, 3, error);
}

bool blocking_kernel_spin(struct blocking_kernel *blocking, uint64_t nanoseconds, struct error *error)
{
    void *arguments[] = {&blocking->stamps_address, &nanoseconds};
    return module_launch(blocking->spin, blocking->context->current, &one_thread, arguments, 2, error);
}

static bool allocate(struct blocking_kernel *blocking, struct error *error)
{
    const struct cuda_library *cuda = &blocking->context->cuda;
    void *word = NULL;
    cuda_result result = cuda->host_allocate(&word, sizeof *blocking->word, CUDA_HOST_MAPPED);
    if (result == CUDA_OUT_OF_MEMORY) /* the host's, not the GPU's */
        return error_out_of_memory(error);
    if (!cuda_check(cuda, result, error, "allocating memory shared by GPU and host"))
        return false;
    blocking->word = word;
    *blocking->word = 0;
    return cuda_check(cuda, cuda->host_address(&blocking->word_address, word, 0), error,
                      "mapping the host's memory on the GPU") &&
           cuda_check(cuda, cuda->allocate(&blocking->stamps_address, SPIN_STAMPS * sizeof(uint64_t)), error,
                      "allocating %zu bytes on the GPU", SPIN_STAMPS * sizeof(uint64_t));
}

/* The first launch loads the kernel, for which the stream must not be blocked. */
static bool load(struct blocking_kernel *blocking, struct error *error)
{
    struct compile_result result = {0};
    bool done = true;
    if (!compile(blocking->context, &result)) {
        blocking->unavailable = true;
    } else {
        done = allocate(blocking, error) &&
               module_load(blocking->context, result.image, result.image_bytes, &blocking->module, error) &&
               module_kernel(blocking->module, "tune_block", &blocking->block, error) &&
               module_kernel(blocking->module, "tune_spin", &blocking->spin, error) &&
               launch_block(blocking, 0, error);
        if (!done)
            blocking_kernel_close(blocking);
    }
    free(result.image);
    free(result.log);
    return done;
}

bool blocking_kernel_prepare(struct blocking_kernel *blocking, struct error *error)
{
    return blocking->module || blocking->unavailable || load(blocking, error);
}

bool blocking_kernel_block(struct blocking_kernel *blocking, struct error *error)
{
    blocking_kernel_unblock(blocking);
    if (!blocking_kernel_prepare(blocking, error))
        return false;
    if (blocking->unavailable)
        return true;
    if (!launch_block(blocking, ++blocking->round, error))
        return false;
    blocking->blocked = true;
    blocking->queued = 0;
    return true;
}

void blocking_kernel_unblock(struct blocking_kernel *blocking)
{
    if (blocking->blocked)
        __atomic_store_n(blocking->word, blocking->round, __ATOMIC_RELEASE);
    blocking->blocked = false;
}

void blocking_kernel_count(struct blocking_kernel *blocking)
{
    if (blocking->blocked && ++blocking->queued >= BLOCKING_MAX_LAUNCHES)
        blocking_kernel_unblock(blocking);
}

void blocking_kernel_close(struct blocking_kernel *blocking)
{
    const struct cuda_library *cuda = &blocking->context->cuda;
    blocking_kernel_unblock(blocking);
    module_unload(blocking->module);
    if (blocking->stamps_address)
        cuda->release(blocking->stamps_address);
    if (blocking->word)
        cuda->host_release(blocking->word);
    *blocking = (struct blocking_kernel){.context = blocking->context, .unavailable = blocking->unavailable};
}
