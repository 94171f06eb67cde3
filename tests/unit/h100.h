/* SPDX-License-Identifier: Apache-2.0 */
/*
 * h100.h - a GPU description for tests: an H100 SXM, with the figures nvidia-smi and deviceQuery print.
 */
#ifndef TUNE_TESTS_UNIT_H100_H
#define TUNE_TESTS_UNIT_H100_H

#include "tuner/description/h100.h"

static const struct device_description h100 = {
    H100_LIMITS,
    .name = "NVIDIA H100 80GB HBM3",
    .uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff",
    .driver = "580.159.04",
    .compiler = "NVRTC 13.0.88",
    .memory_bytes = 85029158912,
    .peak_flops = 66.9e12,
    .peak_bandwidth = 3.352e12,
    .peak_special = 4.182e12,
    .peak_shared = 33.45e12,
    .peak_integer = 16.73e12,
};

#endif
