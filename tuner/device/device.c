/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/device.h"

#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cuda/driver.h"

#include <string.h>

const struct device_driver *const device_drivers[] = {&cuda_driver, &cpu_driver};
const size_t device_driver_count = sizeof device_drivers / sizeof *device_drivers;

const struct device_driver *device_driver_find(const char *kind)
{
    for (size_t i = 0; i < device_driver_count; i++) {
        if (strcmp(device_drivers[i]->kind, kind) == 0)
            return device_drivers[i];
    }
    return NULL;
}
