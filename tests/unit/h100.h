/* SPDX-License-Identifier: Apache-2.0 */
/*
 * h100.h - a GPU description for tests: an H100 SXM, with the figures nvidia-smi and deviceQuery print.
 */
#ifndef TUNE_TESTS_UNIT_H100_H
#define TUNE_TESTS_UNIT_H100_H

#include "tuner/description/description.h"

static const struct device_description h100 = {
    .kind = "cuda",
    .name = "NVIDIA H100 80GB HBM3",
    .architecture = "sm_90",
    .uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff",
    .driver = "580.159.04",
    .compiler = "NVRTC 13.0.88",
    .compute_capability = 90,
    .warp_size = 32,
    .max_threads_per_block = 1024,
    .max_block_x = 1024,
    .max_block_y = 1024,
    .max_block_z = 64,
    .max_grid_x = 2147483647,
    .max_grid_y = 65535,
    .max_grid_z = 65535,
    .max_shared_per_block = 49152,
    .max_shared_per_block_optin = 232448,
    .max_shared_per_sm = 233472,
    .max_registers_per_block = 65536,
    .max_registers_per_sm = 65536,
    .max_threads_per_sm = 2048,
    .max_blocks_per_sm = 32,
    .sm_count = 132,
    .l2_bytes = 52428800,
    .constant_bytes = 65536,
    .memory_bytes = 85029158912,
    .clock_khz = 1980000,
    .memory_clock_khz = 2619000,
    .memory_bus_bits = 5120,
    .peak_flops = 66.9e12,
    .peak_bandwidth = 3.352e12,
    .peak_special = 4.182e12,
    .peak_shared = 33.45e12,
    .peak_integer = 16.73e12,
};

#endif
