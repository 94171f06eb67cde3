/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_hands.h - hands that are processes of this machine, for tests: this program, run again as `--hand SOCKET`.
 */
#ifndef TUNE_CLUSTER_LOCAL_HANDS_H
#define TUNE_CLUSTER_LOCAL_HANDS_H

#include "tuner/cluster/ranks.h"

bool local_hands_start(struct ranks *ranks, size_t count, struct error *error);

/* Reap them; their sockets have been closed. */
void local_hands_end(struct ranks *ranks);

#endif
