/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_fixture.h - the CPU device behind a driver that counts allocations and fails one on demand.
 */
#ifndef TUNE_TESTS_CPU_FIXTURE_H
#define TUNE_TESTS_CPU_FIXTURE_H

#include "tests/unit/measure/must.h"

#include "tuner/measure/validation_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct error error;
static struct validation_kernels validation;
static struct device_driver counting_driver;

static struct {
    size_t live, total;   /* allocations on the device */
    size_t failing;       /* the total at which an allocation fails; 0: none */
    enum error_code code; /* with which it fails */
} allocations;

static bool counting_allocate(struct device *device, size_t bytes, uint64_t *address, struct error *failure)
{
    if (++allocations.total == allocations.failing)
        return error_set(failure, allocations.code, "the test fails this allocation");
    if (!device_driver_find("cpu")->allocate(device, bytes, address, failure))
        return false;
    allocations.live++;
    return true;
}

static void counting_release(struct device *device, uint64_t address)
{
    assert_true(address != 0 && allocations.live > 0);
    allocations.live--;
    device_driver_find("cpu")->release(device, address);
}

/* From here on the n-th allocation fails; 0: none does. */
static inline void fail_allocation(size_t n, enum error_code code)
{
    allocations.total = 0;
    allocations.failing = n;
    allocations.code = code;
}

static inline const struct device_driver *cpu_fixture_driver(void)
{
    counting_driver = *device_driver_find("cpu");
    counting_driver.allocate = counting_allocate;
    counting_driver.release = counting_release;
    return &counting_driver;
}

static inline int cpu_fixture_open(void **state)
{
    (void)state;
    must(validation_kernels_open(&validation, cpu_fixture_driver(), 0, NULL, &error));
    return 0;
}

static inline int cpu_fixture_close(void **state)
{
    (void)state;
    validation_kernels_close(&validation);
    return allocations.live == 0 ? 0 : -1;
}

#endif
