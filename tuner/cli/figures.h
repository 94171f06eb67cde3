/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h - numbers as people read them: times, rates, energies, shares of a peak.
 */
#ifndef TUNE_CLI_FIGURES_H
#define TUNE_CLI_FIGURES_H

#include <stddef.h>

enum { FIGURE_TEXT = 40 };

/* "1.234 ms", "56.78 us"; "-" for 0. */
void figure_time(double nanoseconds, char *buffer, size_t size);

/* "12.3 GFLOP/s" where there are operations, else "456 GB/s"; "-" where neither is known. */
void figure_rate(double nanoseconds, double flops, double bytes, char *buffer, size_t size);

/* "1.234 J", "56.78 mJ"; "-" unless above 0. */
void figure_energy(double joules, char *buffer, size_t size);

/* "12.3 GFLOP/s/W" where there are operations, else "4.56 GB/s/W"; "-" where the energy is not known. */
void figure_per_watt(double joules, double flops, double bytes, char *buffer, size_t size);

/* How near the roofline: the shortest time that the device's peak rates allow over this one, in percent; -1: not
 * known. */
double figure_percent_of_peak(double nanoseconds, double flops, double bytes, double peak_flops,
                              double peak_bandwidth);

/* "12 s", "3 min 5 s", "2 h 10 min". */
void figure_duration(double seconds, char *buffer, size_t size);

#endif
