/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contenders.h - which configurations a program may try that runs a kernel: those that were valid for this version
 * of the kernel on this model of device at any size, the likeliest to be fast first.
 *
 * That is the one which loses least: by how much it was slower than the fastest of its own problem, and 5 % more for
 * every octave between that problem and ours (nearness.h), a rule of thumb.
 */
#ifndef TUNE_SELECT_CONTENDERS_H
#define TUNE_SELECT_CONTENDERS_H

#include "tuner/select/selection.h"

struct contender {
    char *configuration; /* canonical JSON */
    double loss;         /* that is to be expected; 0: none */
};

struct contenders {
    struct contender *list;
    size_t count;
    /* Those that a program has tried before at this very size and with these data, to no avail: a JSON array. NULL:
     * nobody has. */
    char *tried;
};

/* Add what a store knows; of the request, all counts but `site` and those who observe. One that cannot be read is the
 * caller's to leave out: after false some of it may have been added. */
bool contenders_add(struct contenders *contenders, struct store *store, const struct selection_request *request,
                    struct error *error);

/* Put them in order, and drop those that do not fit (request->fits), that were tried, that are `incumbent`, and all
 * beyond `most`. */
bool contenders_choose(struct contenders *contenders, const struct selection_request *request, const char *incumbent,
                       size_t most, struct error *error);
void contenders_clear(struct contenders *contenders);

#endif
