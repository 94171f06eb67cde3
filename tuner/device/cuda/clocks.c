/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/clocks.h"

#include <string.h>

/* False: nothing is open. */
static bool start(struct nvml_library *nvml)
{
    if (!nvml_library_open(nvml, NULL))
        return false;
    if (nvml->init() == NVML_SUCCESS)
        return true;
    nvml_library_close(nvml);
    return false;
}

static void stop(struct nvml_library *nvml)
{
    nvml->shutdown();
    nvml_library_close(nvml);
}

void clocks_open(struct clocks *clocks, const char *uuid)
{
    *clocks = (struct clocks){.device = NULL};
    if (start(&clocks->nvml) && clocks->nvml.device_by_uuid(uuid, &clocks->device) != NVML_SUCCESS)
        clocks->device = NULL;
}

void clocks_close(struct clocks *clocks)
{
    if (clocks->nvml.handle)
        stop(&clocks->nvml);
    clocks->device = NULL;
}

static const struct device_state unknown = {-1, -1, -1, -1, -1};

static void read_slow(struct clocks *clocks)
{
    const struct nvml_library *nvml = &clocks->nvml;
    unsigned value;
    clocks->slow = unknown;
    if (nvml->clock(clocks->device, NVML_CLOCK_MEMORY, &value) == NVML_SUCCESS)
        clocks->slow.memory_clock_mhz = value;
    if (nvml->temperature(clocks->device, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS)
        clocks->slow.temperature_c = value;
    if (nvml->power(clocks->device, &value) == NVML_SUCCESS)
        clocks->slow.power_mw = value;
}

/* NVML takes milliseconds to report the power, which it averages over a second anyway. */
static bool is_old(const struct timespec *then, const struct timespec *now)
{
    return (double)(now->tv_sec - then->tv_sec) + 1e-9 * (double)(now->tv_nsec - then->tv_nsec) > 1;
}

int64_t clocks_reasons(unsigned long long nvml_reasons)
{
    /* nvmlClocksEventReason* of the NVML reference. */
    static const struct {
        unsigned long long bit;
        enum throttle_reason reason;
    } reasons[] = {
        {0x1, REASON_IDLE},         /* GpuIdle */
        {0x2, REASON_CLOCKS_SET},   /* ApplicationsClocksSetting */
        {0x4, REASON_POWER_CAP},    /* SwPowerCap */
        {0x8, REASON_HW_SLOWDOWN},  /* HwSlowdown */
        {0x10, REASON_SYNC_BOOST},  /* SyncBoost */
        {0x20, REASON_SW_THERMAL},  /* SwThermalSlowdown */
        {0x40, REASON_HW_THERMAL},  /* HwThermalSlowdown */
        {0x80, REASON_POWER_BRAKE}, /* HwPowerBrakeSlowdown */
        {0x100, REASON_DISPLAY},    /* DisplayClockSetting */
    };
    int64_t result = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (nvml_reasons & reasons[i].bit)
            result |= reasons[i].reason;
        nvml_reasons &= ~reasons[i].bit;
    }
    return nvml_reasons ? result | REASON_OTHER : result;
}

void clocks_read(struct clocks *clocks, struct device_state *state)
{
    const struct nvml_library *nvml = &clocks->nvml;
    unsigned value;
    unsigned long long reasons;
    struct timespec now;
    *state = unknown;
    if (!clocks->device)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (clocks->slow_read.tv_sec == 0 || is_old(&clocks->slow_read, &now)) {
        read_slow(clocks);
        clocks->slow_read = now;
    }
    *state = clocks->slow;
    if (nvml->clock(clocks->device, NVML_CLOCK_SM, &value) == NVML_SUCCESS)
        state->sm_clock_mhz = value;
    if (nvml->throttle_reasons(clocks->device, &reasons) == NVML_SUCCESS)
        state->throttle_reasons = clocks_reasons(reasons);
}

bool clocks_energy(const struct clocks *clocks, double *joules, struct error *error)
{
    unsigned long long millijoules;
    if (!clocks->device)
        return error_set(error, ERROR_WORK,
                         "this GPU's energy counter needs NVIDIA's management library (NVML), which is unavailable");
    int result = clocks->nvml.energy(clocks->device, &millijoules);
    if (result != NVML_SUCCESS)
        return error_set(error, ERROR_WORK, "this GPU does not report energy (NVML result %d)", result);
    *joules = 1e-3 * (double)millijoules;
    return true;
}

bool clocks_driver_version(const struct clocks *clocks, char *text, size_t size)
{
    return clocks->nvml.handle && clocks->nvml.driver_version(text, (unsigned)size) == NVML_SUCCESS;
}

static bool has_common_capability(const struct nvml_library *nvml, int *major, int *minor)
{
    unsigned count = 0;
    if (nvml->device_count(&count) != NVML_SUCCESS)
        return false;
    for (unsigned i = 0; i < count; i++) {
        nvml_device device;
        int here[2];
        if (nvml->device_by_index(i, &device) != NVML_SUCCESS ||
            nvml->capability(device, &here[0], &here[1]) != NVML_SUCCESS ||
            (i > 0 && (here[0] != *major || here[1] != *minor)))
            return false;
        *major = here[0];
        *minor = here[1];
    }
    return count > 0;
}

bool clocks_common_architecture(char *text, size_t size)
{
    struct nvml_library nvml;
    int major = 0, minor = 0;
    if (!start(&nvml))
        return false;
    bool known = has_common_capability(&nvml, &major, &minor);
    stop(&nvml);
    if (known)
        snprintf(text, size, "sm_%d%d", major, minor);
    return known;
}
