/* SPDX-License-Identifier: Apache-2.0 */
/*
 * streams.h - the streams of a sequence: they begin behind what the main stream holds, and the main stream goes on
 * behind them. So whoever times or waits for the main stream has it all.
 */
#ifndef TUNE_MEASURE_STREAMS_H
#define TUNE_MEASURE_STREAMS_H

#include "tuner/device/device.h"
#include "tuner/job/job.h"

/* The streams that steps use besides the main one, a bit a stream; 0 if the device runs everything in order. */
uint32_t streams_of(const struct device_driver *driver, const struct job_step *steps, size_t count);

/* Let these streams begin; let the main stream wait for them. Nothing for 0. */
bool streams_fork(const struct device_driver *driver, struct device *device, uint32_t streams, struct error *error);
bool streams_join(const struct device_driver *driver, struct device *device, uint32_t streams, struct error *error);

#endif
