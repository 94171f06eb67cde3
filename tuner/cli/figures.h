/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h - numbers as people read them: times, rates, shares of a peak, parameters.
 */
#ifndef TUNE_CLI_FIGURES_H
#define TUNE_CLI_FIGURES_H

#include "db/store.h"

enum { FIGURE_TEXT = 40 };

/* "1.234 ms", "56.78 us"; "-" for 0. */
void figure_time(double nanoseconds, char *buffer, size_t size);

/* "12.3 GFLOP/s" where there are operations, else "456 GB/s"; "-" when neither is known. */
void figure_rate(double nanoseconds, double flops, double bytes, char *buffer, size_t size);

/* "1.234 J", "56.78 mJ"; "-" for 0 and less. */
void figure_energy(double joules, char *buffer, size_t size);

/* "12.3 GFLOP/s/W" where there are operations, else "4.56 GB/s/W"; "-" when the energy is not known. */
void figure_per_watt(double joules, double flops, double bytes, char *buffer, size_t size);

/* The bound on time from the device's peak rates over the time, in percent: how near the roofline; -1: not known. */
double figure_percent_of_peak(double nanoseconds, double flops, double bytes, double peak_flops,
                              double peak_bandwidth);

/* A configuration's JSON as "VARIANT=joint TILE_M=64", without the names that are in `fixed` (NULL: all); allocated.
 */
char *figure_configuration(const char *json, const struct json_t *fixed);

#endif
