/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validation_launch.h - queues a kernel of validation.cu. Internal to the modules whose kernels they are.
 */
#ifndef TUNE_MEASURE_VALIDATION_LAUNCH_H
#define TUNE_MEASURE_VALIDATION_LAUNCH_H

#include "tuner/measure/report.h"

enum { VALIDATION_TILE = 4096 }; /* elements that a block handles */

/* Must match struct numbers in validation.cu, which documents the members. */
struct numbers {
    uint64_t count;
    uint64_t leaves;
    uint64_t stride;
    uint64_t offset, width, first;
    int32_t element;
};

/* A kernel reads as many bytes as its parameter has. */
union validation_slot {
    uint64_t bits;
    double real;
    int32_t integer;
    struct numbers numbers;
};

/* Queue a kernel over `count` elements, if there are any. */
bool validation_launch(struct validation_kernels *validation, enum validation_kernel kernel, uint64_t count,
                       union validation_slot *arguments, size_t argument_count, struct error *error);

/* The same with the arguments written down, where `validation` and `error` are at hand. */
#define LAUNCH(kernel, count, ...)                                                                                   \
    validation_launch(validation, kernel, count, (union validation_slot[]){__VA_ARGS__},                             \
                      sizeof((union validation_slot[]){__VA_ARGS__}) / sizeof(union validation_slot), error)

static inline union validation_slot slot_bits(uint64_t value)
{
    return (union validation_slot){.bits = value};
}

static inline union validation_slot slot_real(double value)
{
    return (union validation_slot){.real = value};
}

static inline union validation_slot slot_integer(int value)
{
    return (union validation_slot){.integer = value};
}

static inline union validation_slot slot_numbers(struct numbers numbers)
{
    return (union validation_slot){.numbers = numbers};
}

static inline union validation_slot slot_report(const struct validation_kernels *validation, size_t report)
{
    return slot_bits(validation->reports + report * sizeof(struct report));
}

#endif
