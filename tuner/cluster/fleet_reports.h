/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet_reports.h - what becomes of candidates that hands report on, or are lost with.
 */
#ifndef TUNE_CLUSTER_FLEET_REPORTS_H
#define TUNE_CLUSTER_FLEET_REPORTS_H

#include "tuner/cluster/fleet_state.h"

/* Take what a hand has sent, or its loss; `context` is the fleet. False: the work cannot go on. */
hands_taker fleet_take_report;

/* Give up hands that have work and say nothing. */
void fleet_watch(const struct fleet *fleet);

#endif
