/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_devices.h - which devices of a job take part in a sweep.
 *
 * --device says for each rank which devices of its node take part. Where some rank has an accelerator, only
 * accelerators do. A device that several ranks see counts once. Devices that are alike, with the same driver and
 * compiler, share one problem, wherever they are. A rank without a device of a problem compiles for the others if it
 * has cores of its own to do so, and if that does not disturb what is measured on its node.
 */
#ifndef TUNE_CLI_CLUSTER_DEVICES_H
#define TUNE_CLI_CLUSTER_DEVICES_H

#include "tuner/cli/cluster.h"

/* As device_choose_several, with the devices of all hands, `text` being the argument of --device. This process need
 * not have any then. The choices refer to the cluster. */
bool cluster_devices(struct cluster *cluster, struct forerunner *forerunner, const char *text, bool quiet,
                     struct device_choice **choices, size_t *count, struct error *error);

#endif
