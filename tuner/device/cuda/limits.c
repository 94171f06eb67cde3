/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/limits.h"
#include "tuner/device/cuda/result.h"

#include <string.h>

/* CUdevice_attribute */
enum { ATTRIBUTE_CAPABILITY_MAJOR = 75, ATTRIBUTE_CAPABILITY_MINOR = 76 };

#define LIMIT(field) offsetof(struct device_description, field)

static const struct {
    int attribute; /* CUdevice_attribute */
    size_t offset;
} limits[] = {
    {1, LIMIT(max_threads_per_block)},
    {2, LIMIT(max_block_x)},
    {3, LIMIT(max_block_y)},
    {4, LIMIT(max_block_z)},
    {5, LIMIT(max_grid_x)},
    {6, LIMIT(max_grid_y)},
    {7, LIMIT(max_grid_z)},
    {8, LIMIT(max_shared_per_block)},
    {9, LIMIT(constant_bytes)},
    {10, LIMIT(warp_size)},
    {12, LIMIT(max_registers_per_block)},
    {13, LIMIT(clock_khz)},
    {16, LIMIT(sm_count)},
    {36, LIMIT(memory_clock_khz)},
    {37, LIMIT(memory_bus_bits)},
    {38, LIMIT(l2_bytes)},
    {39, LIMIT(max_threads_per_sm)},
    {81, LIMIT(max_shared_per_sm)},
    {82, LIMIT(max_registers_per_sm)},
    {97, LIMIT(max_shared_per_block_optin)},
    {106, LIMIT(max_blocks_per_sm)},
};

/* Per multiprocessor and clock, from this compute capability up to the next in the table; 0: unknown. Shared memory
 * has 32 banks of 4 bytes. */
static const struct rates {
    int64_t from, lanes, special, integer, shared;
} rates[] = {
    {0, 0, 0, 0, 0},        {60, 64, 16, 64, 128},  {61, 128, 32, 128, 128}, {70, 64, 16, 64, 128},
    {86, 128, 16, 64, 128}, {100, 128, 16, 0, 128}, {130, 0, 0, 0, 0},
};

void limits_peaks(struct device_description *description)
{
    const struct rates *rate = rates;
    double clocks = (double)description->sm_count * (double)description->clock_khz * 1e3;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (description->compute_capability >= rates[i].from)
            rate = &rates[i];
    }
    description->peak_flops = 2.0 * (double)rate->lanes * clocks;
    description->peak_special = (double)rate->special * clocks;
    description->peak_integer = (double)rate->integer * clocks;
    description->peak_shared = (double)rate->shared * clocks;
}

double limits_peak_bandwidth(int64_t memory_clock_khz, int64_t bus_bits)
{
    return 2.0 * (double)memory_clock_khz * 1e3 * (double)bus_bits / 8;
}

static bool read_attributes(const struct cuda_library *cuda, cuda_device device,
                            struct device_description *description, struct error *error)
{
    int value;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        cuda_result result = cuda->device_attribute(&value, limits[i].attribute, device);
        if (!cuda_check(cuda, result, error, "reading attribute %d of the GPU", limits[i].attribute))
            return false;
        int64_t wide = value;
        memcpy((char *)description + limits[i].offset, &wide, sizeof wide);
    }
    int major, minor;
    if (!cuda_check(cuda, cuda->device_attribute(&major, ATTRIBUTE_CAPABILITY_MAJOR, device), error,
                    "reading the GPU's compute capability") ||
        !cuda_check(cuda, cuda->device_attribute(&minor, ATTRIBUTE_CAPABILITY_MINOR, device), error,
                    "reading the GPU's compute capability"))
        return false;
    description->compute_capability = major * 10 + minor;
    snprintf(description->architecture, sizeof description->architecture, "sm_%d%d", major, minor);
    return true;
}

static void format_uuid(const unsigned char *bytes, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "GPU");
    for (size_t i = 0; i < 16 && at < size; i++) {
        bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        at += (size_t)snprintf(text + at, size - at, "%s%02x", dash ? "-" : "", bytes[i]);
    }
}

bool limits_read(const struct cuda_library *cuda, cuda_device device, struct device_description *description,
                 struct error *error)
{
    if (!cuda_check(cuda, cuda->device_name(description->name, sizeof description->name, device), error,
                    "reading the GPU's name"))
        return false;

    struct cuda_uuid uuid;
    if (!cuda_check(cuda, cuda->device_uuid(&uuid, device), error, "reading the GPU's UUID"))
        return false;
    format_uuid(uuid.bytes, description->uuid, sizeof description->uuid);

    size_t bytes;
    if (!cuda_check(cuda, cuda->device_memory(&bytes, device), error, "reading the size of the GPU's memory"))
        return false;
    description->memory_bytes = (int64_t)bytes;
    if (!read_attributes(cuda, device, description, error))
        return false;

    limits_peaks(description);
    description->peak_bandwidth = limits_peak_bandwidth(description->memory_clock_khz, description->memory_bus_bits);
    return true;
}
