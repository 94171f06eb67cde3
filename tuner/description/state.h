/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - how a device is doing around a measurement: clocks, temperature, power, and what holds it back.
 */
#ifndef TUNE_DESCRIPTION_STATE_H
#define TUNE_DESCRIPTION_STATE_H

#include <stdint.h>

/* -1 for what a device does not report. */
struct device_state {
    int64_t sm_clock_mhz, memory_clock_mhz, temperature_c, power_mw;
    int64_t throttle_reasons; /* throttle_reason's bits, and NVML's others */
};

/* Why a device is slower than it could be: nvmlClocksEventReason* of the NVML reference. */
enum throttle_reason {
    REASON_IDLE = 0x1,
    REASON_CLOCKS_SET = 0x2, /* clocks were set by the user */
    REASON_POWER_CAP = 0x4,  /* usual under full load */
    REASON_HW_SLOWDOWN = 0x8,
    REASON_SW_THERMAL = 0x20,
    REASON_HW_THERMAL = 0x40,
    REASON_POWER_BRAKE = 0x80,
};

#endif
