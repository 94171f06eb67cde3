/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_choice.h - which devices a command works on.
 */
#ifndef TUNE_CLI_DEVICE_CHOICE_H
#define TUNE_CLI_DEVICE_CHOICE_H

#include "tuner/description/description.h"

#include <stddef.h>

enum { DEVICES_MOST = 32 };

/* A device, or several that are alike. */
struct device_choice {
    struct device_description description; /* of the first */
    int ordinals[DEVICES_MOST];
    size_t ordinal_count;
    bool recorded; /* read from a file: nothing can run on it */
};

/*
 * `text` is "cuda", "cuda:1", "cpu", a path of a recorded description (*.json), or NULL: the first CUDA device, or
 * the CPU device when there is none, which is said in one line on stderr unless `quiet`.
 */
bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error);

/*
 * For commands that can work on several: also "all", every GPU that works, or a list "cuda:0,cuda:2". Devices that
 * are alike share a choice; what is worked on is said in one line on stderr unless `quiet`. Allocated; free().
 */
bool device_choose_several(const char *text, bool quiet, struct device_choice **choices, size_t *count,
                           struct error *error);

#endif
