/*
 * device_choice.h - which device a command works on.
 */
#ifndef TUNE_CLI_DEVICE_CHOICE_H
#define TUNE_CLI_DEVICE_CHOICE_H

#include "tuner/device/description.h"

struct device_choice {
    struct device_description description;
    int ordinal;
    bool recorded; /* read from a file: nothing can run on it */
};

/*
 * `text` is "cuda", "cuda:1", "cpu", a path of a recorded description (*.json), or NULL: the first CUDA device, or
 * the CPU device when there is none, which is said in one line on stderr unless `quiet`.
 */
bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error);

#endif
