/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.h - a sweep as a job of several ranks: who takes part, and with which devices.
 *
 * --device says for each rank which devices of its node take part. Where some rank has an accelerator, only
 * accelerators do. A device that several ranks see counts once. Devices that are alike, with the same driver and
 * compiler, share one problem, wherever they are. A rank without a device of a problem compiles for the others if it
 * has cores of its own to do so, and if that does not disturb what is measured on its node.
 */
#ifndef TUNE_CLI_CLUSTER_H
#define TUNE_CLI_CLUSTER_H

#include "tuner/cli/device_choice.h"
#include "tuner/cluster/ranks.h"

struct cluster {
    struct ranks ranks;
    struct hands *hands;     /* NULL: this process works alone */
    struct fleet_away *away; /* of each choice */
    size_t choice_count;
};

/* Join the job, if this process was started as one of several. `*is_hand`: it is not rank 0, and has done all its
 * work by now. */
bool cluster_join(struct cluster *cluster, bool *is_hand, struct error *error);

/* Add the devices of all hands to those chosen here, `text` being the argument of --device. The choices stay in
 * `*choices`, reallocated, and refer to the cluster. */
bool cluster_devices(struct cluster *cluster, const char *text, bool quiet, struct device_choice **choices,
                     size_t *count, struct error *error);

/*
 * For --agree: run `work` as rank 0 of the job, if this process is that, and have every rank print what it printed.
 * A hand serves until then, and prints it. Without a job it is only run.
 */
typedef bool cluster_work(struct cluster *cluster, const void *options, int *status, struct error *error);
bool cluster_agree(cluster_work *work, const void *options, int *status, struct error *error);

/* Leave the job; the hands end. */
void cluster_leave(struct cluster *cluster);

/* Be a hand of this machine, until the socket is closed; returns the exit status. */
int cluster_hand(int socket);

#endif
