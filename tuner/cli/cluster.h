/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.h - a command as a job of several ranks: rank 0 is the command, and the others are its hands.
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

/* Tell the user something on stderr. */
void cluster_note(const char *text);

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
