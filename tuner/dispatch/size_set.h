/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_set.h - the sizes that one sweep is for, from a file.
 *
 *     # sizes of one network; the last number is how much a size counts (default: 1)
 *     M=4096,N=4096,K=512
 *     M=128,N=4096,K=512    2.5
 *     M=64..8192,N=64..8192,K=512    sample 40 multiple of 8
 *
 * A line gives sizes as --size does; those that it leaves out have the template's defaults. '#' begins a comment. A
 * size that occurs several times counts once, with the sum of its weights.
 *
 * Where a value is LOW..HIGH, `sample COUNT` draws as many different sizes from the ranges of the line, evenly spread
 * (size_sample.h). Behind it may follow, in any order: `log` (the default), as many from 64 to 128 as from 4096 to
 * 8192, or `linear`; `multiple of NUMBER`, for what is drawn; `weight NUMBER`, of each size; `seed NUMBER` (default:
 * 1). The same line always draws the same sizes, so that a sweep can go on; sizes that the template refuses are drawn
 * again.
 *
 * The calls of a program, as captured (capture.h), are such a file as well.
 */
#ifndef TUNE_DISPATCH_SIZE_SET_H
#define TUNE_DISPATCH_SIZE_SET_H

#include "tuner/space/sizes.h"

enum { SIZE_SET_MOST = 4096, SIZE_SET_BYTES_MOST = 16 << 20 };

/* What a buffer held at the first call with these sizes. */
struct size_data {
    size_t size; /* place in the set */
    char *buffer, *file;
};

struct size_set {
    size_t dimensions, count;
    struct size_setting *values; /* `dimensions` of each size, in the template's order and with its names */
    double *weights;
    char **texts;           /* as sizes_text writes them */
    struct size_data *data; /* files of a capture, by sizes */
    size_t data_count;
    bool is_cut_short; /* a capture whose last line was left out */
};

/*
 * Read a file, or a text with a NUL behind it whose `file` is only for messages. Errors, with their place: a line
 * that is neither sizes nor a comment, a weight that is not a positive number, an unknown size, sizes that the
 * template refuses (sizes_evaluate); ranges without as many sizes as are wanted; what capture.h refuses; no size at
 * all; more than SIZE_SET_MOST. The template must outlive the set. Clear it in any case.
 */
bool size_set_read(const char *path, const struct template *template, const struct device_description *device,
                   struct size_set *set, struct error *error);
bool size_set_parse(const char *file, const char *text, size_t length, const struct template *template,
                    const struct device_description *device, struct size_set *set, struct error *error);
void size_set_clear(struct size_set *set);

/* Once the data of sizes are known, all of them have other values where they follow from a matrix. False when out of
 * memory. */
bool size_set_restate(struct size_set *set, size_t which, const struct size_setting *sizes, struct error *error);

/* Take out one of the sizes. */
void size_set_remove(struct size_set *set, size_t which);

#endif
