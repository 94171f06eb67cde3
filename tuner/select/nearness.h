/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearness.h - how far a problem whose answer is known is from ours, in octaves.
 *
 * A rule of thumb, the same wherever one problem stands in for another. It never goes by volume: a tall matrix and a
 * flat one of as many elements have little in common.
 */
#ifndef TUNE_SELECT_NEARNESS_H
#define TUNE_SELECT_NEARNESS_H

#include "tuner/description/description.h"

/*
 * Between two texts of sizes ("M=4096,N=64"). Each size counts the octaves between its values, or one octave if only
 * one of them has it; and an eighth of an octave for each factor of two, up to 32, that only one is divisible by,
 * because vectors, tiles and edges depend on that.
 */
double nearness_of_sizes(const char *known, const char *asked);

/* The same between texts that are read once and compared often. A point refers to its text; free() it. NULL: out of
 * memory. */
struct size_point;
struct size_point *size_point_parse(const char *text);
double nearness_of_points(const struct size_point *known, const struct size_point *asked);

/* Between two models of devices, by name: 0 if they are the same; one octave if they have the same architecture,
 * three if not. */
double nearness_of_models(const char *name, const char *architecture, const struct device_description *asked);

/* The same, and between models that differ the octaves between their multiprocessors, their clocks and the bandwidths
 * of their memory. */
double nearness_of_devices(const struct device_description *known, const struct device_description *asked);

#endif
