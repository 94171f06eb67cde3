#include "tuner/device/cuda/clocks.h"

#include <string.h>

void clocks_open(struct clocks *clocks, const char *uuid)
{
    *clocks = (struct clocks){.device = NULL};
    if (!nvml_library_open(&clocks->nvml, NULL))
        return;
    if (clocks->nvml.init() != NVML_SUCCESS) {
        nvml_library_close(&clocks->nvml);
        return;
    }
    if (clocks->nvml.device_by_uuid(uuid, &clocks->device) != NVML_SUCCESS)
        clocks->device = NULL;
}

void clocks_close(struct clocks *clocks)
{
    if (clocks->nvml.handle) {
        clocks->nvml.shutdown();
        nvml_library_close(&clocks->nvml);
    }
    clocks->device = NULL;
}

void clocks_read(const struct clocks *clocks, struct device_state *state)
{
    *state = (struct device_state){-1, -1, -1, -1, -1};
    const struct nvml_library *nvml = &clocks->nvml;
    if (!clocks->device)
        return;
    unsigned value;
    unsigned long long reasons;
    if (nvml->clock(clocks->device, NVML_CLOCK_SM, &value) == NVML_SUCCESS)
        state->sm_clock_mhz = value;
    if (nvml->clock(clocks->device, NVML_CLOCK_MEMORY, &value) == NVML_SUCCESS)
        state->memory_clock_mhz = value;
    if (nvml->temperature(clocks->device, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS)
        state->temperature_c = value;
    if (nvml->power(clocks->device, &value) == NVML_SUCCESS)
        state->power_mw = value;
    if (nvml->throttle_reasons(clocks->device, &reasons) == NVML_SUCCESS)
        state->throttle_reasons = (int64_t)reasons;
}

bool clocks_driver_version(const struct clocks *clocks, char *text, size_t size)
{
    return clocks->nvml.handle && clocks->nvml.driver_version(text, (unsigned)size) == NVML_SUCCESS;
}
