/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/hold.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/result.h"

#include <stdlib.h>
#include <string.h>

/* Rounds are compared by their difference, so that they may wrap around. */
static const char source[] =
    "__global__ void tune_hold(const volatile unsigned *word, unsigned round, unsigned long long patience)\n"
    "{\n"
    "    unsigned long long start, now;\n"
    "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(start));\n"
    "    do\n"
    "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
    "    while ((int)(*word - round) < 0 && now - start < patience);\n"
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

static bool compile(const struct device *device, struct compile_result *result)
{
    static const char *const names[] = {"tune_hold", "tune_spin"};
    const struct compile_request request = {
        .path = "hold.cu",
        .text = source,
        .length = sizeof source - 1,
        .kernels = names,
        .kernel_count = sizeof names / sizeof *names,
    };
    return cuda_compile(&device->description, &request, result, NULL) && result->compiled;
}

/* The first launch loads the kernel; nothing may be held back while that is so. */
static bool launch(struct device *device, uint32_t round, struct error *error)
{
    struct hold *hold = &device->hold;
    uint64_t patience = HOLD_NANOSECONDS;
    void *arguments[] = {&hold->word_address, &round, &patience};
    struct dimensions one = {1, 1, 1};
    return cuda_launch(device, hold->kernel, one, one, 0, arguments, 3, error);
}

static bool load(struct device *device, struct error *error)
{
    struct hold *hold = &device->hold;
    const struct cuda_library *cuda = &device->cuda;
    struct compile_result result = {0};
    void *word = NULL;
    bool done = false;
    if (!compile(device, &result)) {
        hold->unavailable = true;
        done = true;
        goto out;
    }
    if (!cuda_check(cuda, cuda->host_allocate(&word, sizeof *hold->word, CUDA_HOST_MAPPED), error,
                    "allocating memory that the GPU and the host share"))
        goto out;
    hold->word = word;
    *hold->word = 0;
    done = cuda_check(cuda, cuda->host_address(&hold->word_address, word, 0), error,
                      "asking for the GPU's address of the host's memory") &&
           cuda_check(cuda, cuda->allocate(&hold->stamps_address, HOLD_STAMPS * sizeof(uint64_t)), error,
                      "allocating %zu bytes on the GPU", HOLD_STAMPS * sizeof(uint64_t)) &&
           cuda_load(device, result.image, result.image_bytes, &hold->module, error) &&
           cuda_kernel(hold->module, "tune_hold", &hold->kernel, error) &&
           cuda_kernel(hold->module, "tune_spin", &hold->spin, error) && launch(device, 0, error);
    if (!done)
        hold_close(device);
out:
    free(result.image);
    free(result.log);
    return done;
}

bool hold_prepare(struct device *device, struct error *error)
{
    const struct hold *hold = &device->hold;
    return hold->module || hold->unavailable || load(device, error);
}

bool hold_begin(struct device *device, struct error *error)
{
    struct hold *hold = &device->hold;
    hold_end(device);
    if (!hold_prepare(device, error))
        return false;
    if (hold->unavailable)
        return true;
    if (!launch(device, ++hold->round, error))
        return false;
    hold->held = true;
    hold->queued = 0;
    return true;
}

void hold_end(struct device *device)
{
    struct hold *hold = &device->hold;
    if (hold->held)
        __atomic_store_n(hold->word, hold->round, __ATOMIC_RELEASE);
    hold->held = false;
}

void hold_count(struct device *device)
{
    if (device->hold.held && ++device->hold.queued >= HOLD_LAUNCHES)
        hold_end(device);
}

void hold_close(struct device *device)
{
    struct hold *hold = &device->hold;
    hold_end(device);
    cuda_unload(device, hold->module);
    if (hold->stamps_address)
        device->cuda.release(hold->stamps_address);
    if (hold->word)
        device->cuda.host_release(hold->word);
    *hold = (struct hold){.unavailable = hold->unavailable};
}
