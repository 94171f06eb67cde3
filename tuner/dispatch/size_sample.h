/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_sample.h - sizes sampled from ranges: the points of a scrambled Halton sequence (search/radical_inverse.h), so
 * that few of them cover the ranges evenly, in each size and in all together.
 */
#ifndef TUNE_DISPATCH_SIZE_SAMPLE_H
#define TUNE_DISPATCH_SIZE_SAMPLE_H

#include "tuner/dispatch/size_builder.h"

struct size_range {
    const char *name;
    int64_t low, high; /* 1 <= low <= high; both may be drawn */
};

struct size_sample {
    const struct size_range *ranges; /* low == high: always this value */
    size_t dimensions, count;        /* sizes to draw */
    bool linear;                     /* evenly spread over the values, not over their logarithms */
    int64_t multiple;                /* what is drawn from a range is a multiple of this, at least 1 */
    uint64_t seed;
    double weight; /* of each */
};

/*
 * Add `count` sizes that are different from each other and from those of the set. What the template refuses, or the
 * set has, is drawn again, 16 times as often as sizes are wanted and 256 times more. ERROR_INPUT, without a place: a
 * range without a multiple; that was not enough draws; more than SIZE_SET_MOST sizes.
 */
bool size_sample_draw(const struct size_sample *sample, struct size_builder *builder, struct error *error);

#endif
