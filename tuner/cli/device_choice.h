/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_choice.h - the device that a command works on.
 */
#ifndef TUNE_CLI_DEVICE_CHOICE_H
#define TUNE_CLI_DEVICE_CHOICE_H

#include "tuner/cluster/fleet.h"
#include "tuner/description/description.h"
#include "tuner/device/device.h"
#include "tuner/workers/forerunner.h"

#include <stddef.h>

enum { DEVICES_MOST = 32 };

/* A device, or several that are alike. */
struct device_choice {
    struct device_description description; /* of the first */
    int ordinals[DEVICES_MOST];
    char uuids[DEVICES_MOST][64];
    size_t ordinal_count;          /* 0: all are on other nodes */
    const struct fleet_away *away; /* those on other nodes (cluster_devices.h); NULL: none */
    bool recorded;                 /* read from a file: nothing can run on it */
};

/*
 * `text` is a kind ("cuda"), a kind and a number ("cuda:1"), or the path of a recorded description (*.json). NULL is
 * the first device that is found in the order of the driver table; unless `quiet`, one line on stderr says so where
 * it is not of the first kind.
 */
bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error);

/* The same; if it is the forerunner's device (NULL: none), that describes it. */
bool device_choose_with(struct forerunner *forerunner, const char *text, bool quiet, struct device_choice *choice,
                        struct error *error);

/* An error if the device is a recorded description. */
bool device_can_run(const struct device_choice *choice, struct error *error);

/* The error for an ordinal beyond `count` devices; `why` says why there are so few, or is "". */
bool device_missing(const struct device_driver *driver, int ordinal, int count, const char *why, struct error *error);

#endif
