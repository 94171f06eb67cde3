/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.h - a device's identity and limits, independent of any driver.
 *
 * A description can be saved as JSON and loaded again, so that whatever depends on a GPU's limits can be tested
 * without the GPU (`--device some-gpu.json`). Expressions read the numeric fields as device.NAME.
 */
#ifndef TUNE_DESCRIPTION_DESCRIPTION_H
#define TUNE_DESCRIPTION_DESCRIPTION_H

#include "tuner/error/error.h"

#include <stdint.h>

struct json_t; /* jansson */

struct device_description {
    char kind[16];         /* "cuda", "cpu"; device.kind in expressions */
    char name[128];        /* "NVIDIA H100 80GB HBM3"; device.name */
    char architecture[32]; /* "sm_90", "x86-64"; device.architecture */
    char uuid[64];         /* tells devices of the same name apart; on the CPU a hash of the machine's id */
    char driver[64];       /* "580.159.04"; on the CPU the release of the operating system's kernel */
    char compiler[128];    /* "NVRTC 13.0.88", "g++ 12.2.0" */

    int64_t compute_capability; /* 90 for 9.0; 0 on the CPU */
    int64_t warp_size;
    int64_t max_threads_per_block;
    int64_t max_block_x, max_block_y, max_block_z;
    int64_t max_grid_x, max_grid_y, max_grid_z;
    int64_t max_shared_per_block;       /* bytes, static, or dynamic without opting in */
    int64_t max_shared_per_block_optin; /* bytes, dynamic */
    int64_t max_shared_per_sm;
    int64_t max_registers_per_block, max_registers_per_sm;
    int64_t max_threads_per_sm, max_blocks_per_sm;
    int64_t sm_count; /* multiprocessors; on the CPU the worker threads */
    int64_t l2_bytes, constant_bytes, memory_bytes;
    int64_t clock_khz, memory_clock_khz, memory_bus_bits;

    /* Per second, by data sheets; 0: unknown. */
    double peak_flops;     /* fp32 operations, a fused multiply-add counting as two */
    double peak_bandwidth; /* bytes from and to device memory */
    double peak_special;   /* special functions: rsqrt, sin, exp2, ... */
    double peak_shared;    /* bytes from and to shared memory */
    double peak_integer;   /* 32-bit integer operations */
};

/* The integer fields by name, as expressions and the JSON know them. */
struct device_field {
    const char *name;
    size_t offset; /* of the int64_t in struct device_description */
};
extern const struct device_field device_fields[];
extern const size_t device_field_count;

/* Are timings transferable? Kind, name, architecture, multiprocessors and memory in whole GiB are the same. */
bool device_description_alike(const struct device_description *a, const struct device_description *b);

/* A new reference; NULL: out of memory. */
struct json_t *device_description_json(const struct device_description *description);

/* ERROR_INPUT for an unknown, missing or malformed field. Only uuid, driver, compiler and the peaks may be missing.
 */
bool device_description_from_json(const struct json_t *json, struct device_description *description,
                                  struct error *error);
bool device_description_read(const char *path, struct device_description *description, struct error *error);
bool device_description_write(const char *path, const struct device_description *description, struct error *error);

#endif
