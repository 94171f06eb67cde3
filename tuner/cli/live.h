/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - a few lines at the bottom of a terminal that are drawn over and over, such as a progress bar.
 *
 * A frame is written over the one before in one write, without clearing first, so it does not flicker. Lines are cut
 * to the width that the window has at the time. Clear it before anything else is printed.
 */
#ifndef TUNE_CLI_LIVE_H
#define TUNE_CLI_LIVE_H

#include "tuner/cli/terminal.h"

enum { LIVE_LINES = 8 };

struct live {
    struct terminal out;
    size_t count;              /* lines that are drawn now; 0: none */
    size_t widths[LIVE_LINES]; /* their columns */
};

/* On stderr; draws nothing where that is not a terminal or `quiet`. */
struct live live_begin(bool quiet);

/* Does it draw? */
bool live_draws(const struct live *live);

/* At most LIVE_LINES lines, which may contain styles. */
void live_draw(struct live *live, const char *const *lines, size_t count);
void live_clear(struct live *live);

#endif
