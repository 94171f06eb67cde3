/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_line.h - a line of a file of sizes, as size_set.h describes it.
 */
#ifndef TUNE_DISPATCH_SIZE_LINE_H
#define TUNE_DISPATCH_SIZE_LINE_H

#include "tuner/dispatch/size_sample.h"

/* Where a line stands: for messages, `text` is the whole file, with a NUL behind it. */
struct size_line_place {
    const char *file, *text;
    const char *start, *end; /* of the line, without its newline */
};

struct size_line {
    size_t count;    /* of `ranges`; 0: the line is empty */
    bool is_sampled; /* else each range is a value */
    struct size_sample sample;
};

/* Read a line. `ranges` has room for the template's sizes, and becomes the sample's. ERROR_INPUT, with its place. */
bool size_line_read(const struct size_line_place *place, const struct template *template, struct size_range *ranges,
                    struct size_line *line, struct error *error);

#endif
