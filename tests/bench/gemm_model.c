/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/gemm_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const double launch_ns = 2500;
static const double l2_bytes_per_ns = 5500;
static const double memory_cycles = 700; /* until a value from memory arrives */
static const double barrier_cycles = 45;

struct kernel {
    double tile_m, tile_n, tile_k, reg_m, reg_n, lanes_m, vector, stages, fragments, pack_a, pack_b, slices, split_k;
    double min_blocks;
    double threads, resident; /* of a block; blocks of a multiprocessor */
};

static double value_of(const char *configuration, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(configuration, key);
    return found ? strtod(found + strlen(key), NULL) : 1;
}

static struct kernel read_kernel(const struct device_description *device, const char *configuration)
{
    struct kernel k = {
        .tile_m = value_of(configuration, "TILE_M"),
        .tile_n = value_of(configuration, "TILE_N"),
        .tile_k = value_of(configuration, "TILE_K"),
        .reg_m = value_of(configuration, "REG_M"),
        .reg_n = value_of(configuration, "REG_N"),
        .lanes_m = value_of(configuration, "LANES_M"),
        .vector = value_of(configuration, "VECTOR"),
        .stages = value_of(configuration, "STAGES"),
        .fragments = value_of(configuration, "FRAGMENTS"),
        .pack_a = value_of(configuration, "PACK_A"),
        .pack_b = value_of(configuration, "PACK_B"),
        .slices = value_of(configuration, "SLICES"),
        .split_k = value_of(configuration, "SPLIT_K"),
        .min_blocks = value_of(configuration, "MIN_BLOCKS"),
    };
    k.threads = k.slices * (k.tile_m / k.reg_m) * (k.tile_n / k.reg_n);
    double registers = k.reg_m * k.reg_n + k.fragments * (k.reg_m + k.reg_n) + 24;
    double shared = 4 * k.stages * k.tile_k * (k.tile_m + 4 + k.tile_n);
    k.resident = fmin(fmin((double)device->max_registers_per_sm / (registers * k.threads),
                           (double)device->max_shared_per_sm / shared),
                      fmin((double)device->max_threads_per_sm / k.threads, (double)device->max_blocks_per_sm));
    k.resident = fmax(1, floor(k.resident));
    return k;
}

/* Cycles of a multiprocessor for one step along the depth of `blocks` tiles at once. */
static double step_cycles(const struct kernel *k, double blocks)
{
    double warps = blocks * k->threads / 32, area = k->tile_m * k->tile_n;
    double warp_m = k->lanes_m * k->reg_m, warp_n = 32 / k->lanes_m * k->reg_n;
    double multiply = blocks * area * k->tile_k / 128;
    double reads = warps * (k->tile_k / k->slices) * (warp_m + warp_n) / 32;
    double copies = blocks * (k->tile_m + k->tile_n) * k->tile_k / (128 * k->vector) * 2.5;
    double turning = k->pack_a > 0 ? 0 : blocks * k->tile_m * k->tile_k / 48;
    double issue = multiply * (1 + 0.5 * (k->reg_m + k->reg_n) / (k->reg_m * k->reg_n)) + copies + turning;
    double hidden = 1 - exp(-warps * (0.55 + 0.25 * k->fragments) * sqrt(k->reg_m * k->reg_n / 64) / 2.6);
    double busy = fmax(issue, reads) / hidden + 0.25 * fmin(issue, reads);
    double ahead = memory_cycles / (k->stages - 1) - busy;
    return busy + barrier_cycles / sqrt(blocks) + fmax(ahead, 0);
}

/* What the busiest multiprocessor does, in cycles. */
static double compute_cycles(const struct kernel *k, double tiles, double steps, double sms)
{
    double start = memory_cycles + 300, wave = sms * k->resident;
    if (k->split_k == 0 || k->split_k > 1) {
        double parts = k->split_k > 1 ? k->split_k : wave / tiles;
        double blocks = k->split_k > 1 ? fmin(k->resident, ceil(tiles * parts / sms)) : k->resident;
        double each = tiles * steps / (sms * blocks);
        return start + ceil(each) * step_cycles(k, blocks);
    }
    double full = floor(tiles / wave), rest = ceil((tiles - full * wave) / sms);
    double cycles = full * (start + steps * step_cycles(k, k->resident));
    return cycles + (rest > 0 ? start + steps * step_cycles(k, rest) : 0);
}

static double traffic_ns(const struct kernel *k, const struct device_description *device, double rows, double columns,
                         const int64_t sizes[3])
{
    double m = (double)sizes[0], n = (double)sizes[1], depth = (double)sizes[2];
    double through_l2 = 4 * rows * columns * (k->tile_m + k->tile_n) * depth + 4 * m * n;
    double once = 4 * (m * depth + depth * n + m * n);
    double band = 8 * k->tile_m * depth * 4 + k->tile_n * depth * 4; /* of a wave's operands */
    double again = band > (double)device->l2_bytes / 2 ? 0.3 * through_l2 : 0.05 * through_l2;
    double bytes_per_ns = (double)device->peak_bandwidth * 1e-9 * 0.9;
    return fmax(through_l2 / l2_bytes_per_ns, (once + again * 0.2) / bytes_per_ns);
}

static double extras_ns(const struct kernel *k, double tiles, double sms, const int64_t sizes[3])
{
    double m = (double)sizes[0], n = (double)sizes[1], depth = (double)sizes[2], ns = 0;
    double wave = sms * k->resident;
    if (k->pack_a > 0)
        ns += 1800 + 8 * m * depth / 2300;
    if (k->pack_b > 0)
        ns += 1800 + 8 * n * depth / 2300;
    if (k->split_k != 1) {
        double shared = k->split_k > 1 ? tiles * k->split_k : fmin(2 * wave, 2 * tiles);
        ns += 2200 + 8 * shared * k->tile_m * k->tile_n / 2600;
    }
    return ns;
}

/* -1 .. 1, always the same for the same text. */
static double chance(const char *text, uint64_t seed)
{
    return (double)(XXH3_64bits_withSeed(text, strlen(text), seed) >> 11) * 0x1p-52 - 1;
}

double gemm_model_time(const struct device_description *device, const char *configuration, const int64_t sizes[3])
{
    struct kernel k = read_kernel(device, configuration);
    double rows = ceil((double)sizes[0] / k.tile_m), columns = ceil((double)sizes[1] / k.tile_n);
    double steps = ceil((double)sizes[2] / k.tile_k), tiles = rows * columns, sms = (double)device->sm_count;
    double compute = compute_cycles(&k, tiles, steps, sms) / ((double)device->clock_khz * 1e-6);
    double traffic = traffic_ns(&k, device, rows, columns, sizes);
    double regime = floor(log2((double)sizes[0] * (double)sizes[1]) / 2);
    double luck = 1 + 0.04 * chance(configuration, 0) + 0.015 * chance(configuration, 1 + (uint64_t)regime);
    return (fmax(compute, traffic) + 0.15 * fmin(compute, traffic)) * luck + extras_ns(&k, tiles, sms, sizes) +
           launch_ns;
}
