/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h - numbers as people read them: times, rates, energies, shares of what a device can do.
 */
#ifndef TUNE_CLI_FIGURES_H
#define TUNE_CLI_FIGURES_H

#include "tuner/evaluation/ceilings.h"

#include <stddef.h>

enum { FIGURE_TEXT = 40, FIGURE_SENTENCE = 80 };

/* "1.234 ms", "56.78 us"; "-" for 0. */
void figure_time(double nanoseconds, char *buffer, size_t size);

/* "12.3 GFLOP/s" where there are operations, else "456 GB/s"; "-" where neither is known. */
void figure_rate(double nanoseconds, double flops, double bytes, char *buffer, size_t size);

/* "4.167 Top/s": a rate per second in operations or bytes, as `unit` says ("op/s"). */
void figure_per_second(double rate, const char *unit, char *buffer, size_t size);

/* "1.234 J", "56.78 mJ"; "-" unless above 0. */
void figure_energy(double joules, char *buffer, size_t size);

/* The value of an objective: a "time" of nanoseconds and an "energy" as above, "1.234e-05 J s" of "edp"; of others,
 * which have no unit but their name, four digits. "-" unless above 0. */
void figure_objective(const char *objective, double value, char *buffer, size_t size);

/* "12.3 GFLOP/s/W" where there are operations, else "4.56 GB/s/W"; "-" where the energy is not known. */
void figure_per_watt(double joules, double flops, double bytes, char *buffer, size_t size);

/* "77.1 % special-function": the share of what the device could do, and the limit that binds; "-": not known. A star
 * behind it refers to FIGURE_FOOTNOTE. */
#define FIGURE_FOOTNOTE "* limit of the data sheet; 'tune ceilings' measures what the device can do"
void figure_share(const struct share *share, char *buffer, size_t size);

/* "77.1 % of the special-function limit"; if that was not measured, " of the data sheet" follows. "": not known. */
void figure_share_sentence(const struct share *share, char *buffer, size_t size);

/* "918 MB", "12.3 kB", "0 B". */
void figure_bytes(double bytes, char *buffer, size_t size);

/* "2.50x", "0.00019x": how many times, two decimals where they say enough. "-" unless above 0. */
void figure_times(double ratio, char *buffer, size_t size);

/* "12 s", "3 min 5 s", "2 h 10 min". */
void figure_duration(double seconds, char *buffer, size_t size);

#endif
