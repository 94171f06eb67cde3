/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - the condition of a device around a measurement: clocks, temperature, power, and what slows it down.
 */
#ifndef TUNE_DESCRIPTION_STATE_H
#define TUNE_DESCRIPTION_STATE_H

#include <stdint.h>

/* -1 for anything that a device does not report. */
struct device_state {
    int64_t sm_clock_mhz, memory_clock_mhz, temperature_c, power_mw;
    int64_t throttle_reasons; /* bits of enum throttle_reason */
};

/*
 * Why a device runs slower than it could. The bits are stored in databases, so they never change their meaning. (NVML
 * numbers its reasons alike, which is why rows from before the two were told apart read correctly.)
 */
enum throttle_reason {
    REASON_IDLE = 0x1,
    REASON_CLOCKS_SET = 0x2,   /* the user set the clocks */
    REASON_POWER_CAP = 0x4,    /* common under full load */
    REASON_HW_SLOWDOWN = 0x8,  /* the hardware brakes: heat, power supply */
    REASON_SYNC_BOOST = 0x10,  /* clocks are kept equal in a group of devices */
    REASON_SW_THERMAL = 0x20,  /* the driver brakes because of heat */
    REASON_HW_THERMAL = 0x40,  /* the hardware brakes because of heat */
    REASON_POWER_BRAKE = 0x80, /* the power supply demands it */
    REASON_DISPLAY = 0x100,    /* a display limits the clocks */
    REASON_OTHER = 0x200,
};

#endif
