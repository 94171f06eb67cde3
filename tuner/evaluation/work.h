/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.h - the figures of work: what a launch must do at least, by the part of the device that does it.
 *
 * One table, from which the grammar of `work`, jobs, evaluations, the database and the ceilings of devices are made.
 * Each figure has a ceiling, the rate at which a device can do it at best; the least time that a launch could take is
 * the largest quotient of a figure and its ceiling. To add a figure, add its line here and its columns to the next
 * schema-<n>.sql; a test compares the two.
 *
 *     FIGURE(with, NAME, name, column, unit, pipe, peak)
 *
 * `with` is handed through from WORK_FIGURES; `name` is what templates call the figure, `column` what evaluations and
 * documents do; `pipe` is what people call the limit; `peak` is the device's figure of the data sheet, a member of
 * struct device_description and a column of the table `device`.
 */
#ifndef TUNE_EVALUATION_WORK_H
#define TUNE_EVALUATION_WORK_H

#include "tuner/description/description.h"

#include <stddef.h>

/* clang-format off */
#define WORK_FIGURES(FIGURE, with)                                                                                   \
    /* fp32 operations; a multiply-add counts as two */                                                              \
    FIGURE(with, FLOPS, flops, flops, "FLOP", "fp32", peak_flops)                                                    \
    /* bytes from and to device memory */                                                                            \
    FIGURE(with, BYTES, bytes, bytes, "B", "memory", peak_bandwidth)                                                 \
    /* special functions: rsqrt, sin, cos, exp2, log2, reciprocal */                                                 \
    FIGURE(with, SPECIAL, special, special_ops, "op", "special-function", peak_special)                              \
    /* bytes from and to shared memory */                                                                            \
    FIGURE(with, SHARED, shared, shared_traffic, "B", "shared-memory", peak_shared)                                  \
    /* 32-bit integer operations */                                                                                  \
    FIGURE(with, INTEGER, integer, integer_ops, "op", "integer", peak_integer)
/* clang-format on */

#define WORK_ENUMERATOR(with, NAME, name, column, unit, pipe, peak) WORK_##NAME,
enum work_figure { WORK_FIGURES(WORK_ENUMERATOR, ) WORK_COUNT };

/* The amounts, by name or by number; 0: not given. */
#define WORK_MEMBER(with, NAME, name, column, unit, pipe, peak) double column;
struct work {
    union {
        struct {
            WORK_FIGURES(WORK_MEMBER, )
        };
        double of[WORK_COUNT];
    };
};

struct work_kind {
    const char *name, *column, *unit, *pipe, *peak; /* as above */
};
extern const struct work_kind work_kinds[WORK_COUNT];

/* The device's rate by its data sheet, per second; 0: unknown. */
double work_peak(const struct device_description *device, enum work_figure figure);

#endif
