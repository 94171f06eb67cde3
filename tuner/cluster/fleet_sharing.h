/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet_sharing.h - who gets which candidate: whoever has most room. Images to be made go to those who only compile,
 * if there is a choice, and finals to the first device. The fleet's room and load (fleet.h) are sums over all
 * members.
 */
#ifndef TUNE_CLUSTER_FLEET_SHARING_H
#define TUNE_CLUSTER_FLEET_SHARING_H

#include "tuner/cluster/fleet_state.h"

/* Hand out what waits to be handed out again, as far as there is room. */
void fleet_give_again(struct fleet *fleet);

#endif
