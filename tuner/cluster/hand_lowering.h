/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_lowering.h - configurations that a hand lowers itself, which costs rank 0 the most of what it does for one.
 *
 * An order has the configuration's text, the sizes, the seed and whether it is validated at the awkward sizes. With
 * the template, whose hash is that of rank 0's, and the device that rank 0 lowers for, that makes the same job;
 * spaces and their constraints are not needed. Where a job depends on data files, rank 0 lowers it.
 */
#ifndef TUNE_CLUSTER_HAND_LOWERING_H
#define TUNE_CLUSTER_HAND_LOWERING_H

#include "tuner/workers/candidate.h"

#include <jansson.h>

/* Can candidates of this problem be lowered by hands? */
bool hand_lowering_suits(const struct problem *problem);

/* The order to lower a candidate that has not been lowered. New reference; NULL: out of memory. */
json_t *hand_lowering_order(const struct candidate *candidate);

/* Carry out an order. False: the configuration cannot be lowered, at least not here. */
bool hand_lower(const json_t *order, const struct template *template, const struct device_description *device,
                struct job **job, struct error *error);

#endif
