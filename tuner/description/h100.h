/* SPDX-License-Identifier: Apache-2.0 */
/*
 * h100.h - the limits and clocks of an H100 SXM, as deviceQuery prints them: initialisers of a device_description for
 * where there is no such GPU.
 */
#ifndef TUNE_DESCRIPTION_H100_H
#define TUNE_DESCRIPTION_H100_H

#include "tuner/description/description.h"

/* All but names, memory and what follows from the rest. */
#define H100_LIMITS                                                                                                  \
    .kind = "cuda", .architecture = "sm_90", .compute_capability = 90, .warp_size = 32,                              \
    .max_threads_per_block = 1024, .max_block_x = 1024, .max_block_y = 1024, .max_block_z = 64,                      \
    .max_grid_x = INT32_MAX, .max_grid_y = 65535, .max_grid_z = 65535, .max_shared_per_block = 48 << 10,             \
    .max_shared_per_block_optin = 227 << 10, .max_shared_per_sm = 228 << 10, .max_registers_per_block = 64 << 10,    \
    .max_registers_per_sm = 64 << 10, .max_threads_per_sm = 2048, .max_blocks_per_sm = 32, .sm_count = 132,          \
    .l2_bytes = 50 << 20, .constant_bytes = 64 << 10, .clock_khz = 1980000, .memory_clock_khz = 2619000,             \
    .memory_bus_bits = 5120

#endif
