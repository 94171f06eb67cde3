/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/device.h"

#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cuda/driver.h"

#include <stdlib.h>
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

bool device_name_parse(const char *text, const struct device_driver **driver, int *ordinal)
{
    enum { ORDINAL_MOST = 1000 };
    char kind[sizeof((struct device_description *)0)->kind];
    size_t length = strcspn(text, ":");
    if (length == 0 || length >= sizeof kind)
        return false;
    memcpy(kind, text, length);
    kind[length] = '\0';
    *driver = device_driver_find(kind);
    *ordinal = 0;
    if (!text[length])
        return *driver != NULL;
    const char *digits = text + length + 1;
    char *end;
    long number = strtol(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || *end || number > ORDINAL_MOST)
        return false;
    *ordinal = (int)number;
    return *driver != NULL;
}
