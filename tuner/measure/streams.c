/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/streams.h"

enum { MAIN_STREAM = 1 };

static uint32_t used(const struct job_step *steps, size_t count)
{
    uint32_t streams = 0;
    for (size_t i = 0; i < count; i++)
        streams |= 1u << steps[i].stream | 1u << steps[i].awaited | used(steps[i].body, steps[i].body_count) |
                   used(steps[i].otherwise, steps[i].otherwise_count);
    return streams;
}

uint32_t streams_of(const struct device_driver *driver, const struct job_step *steps, size_t count)
{
    return driver->use_stream ? used(steps, count) & ~(uint32_t)MAIN_STREAM : 0;
}

bool streams_fork(const struct device_driver *driver, struct device *device, uint32_t streams, struct error *error)
{
    return streams == 0 || driver->wait(device, streams, MAIN_STREAM, error);
}

bool streams_join(const struct device_driver *driver, struct device *device, uint32_t streams, struct error *error)
{
    return streams == 0 || driver->wait(device, MAIN_STREAM, streams, error);
}
