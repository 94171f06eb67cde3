/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_request.h - the two requests to a hand that say more than their names: to open a session, and to evaluate a
 * candidate. Rank 0 writes them, and a hand reads them (hand_message.h has what it answers).
 */
#ifndef TUNE_CLUSTER_HAND_REQUEST_H
#define TUNE_CLUSTER_HAND_REQUEST_H

#include "tuner/workers/crew.h"
#include "tuner/workers/message.h"

/* Open a session for a template with a crew of this plan: its devices are the hand's; of what is this process's own,
 * such as the notice, nothing is sent. Configurations are lowered for `target`, whoever lowers them. New reference;
 * NULL: out of memory. */
json_t *hand_open_request(const struct crew_plan *plan, const struct device_description *target,
                          const char *template_path, const char *template_hash);

/* What such a request says. The plan refers to the rest. */
struct hand_opening {
    json_t *request;
    struct crew_plan plan;
    struct device_description device, target;
    int ordinals[CREW_DEVICES_MOST];
    char **source_folders; /* the plan's; allocated */
    const char *template_path, *template_hash;
};

/* Read into `opening`, which must stay where it is, and is to be cleared whatever the result. */
bool hand_opening_read(json_t *request, struct hand_opening *opening, struct error *error);
void hand_opening_clear(struct hand_opening *opening);

/* Evaluate a candidate, which the hand calls `token`; the image, if there is one, goes with the message, and what is
 * known of it with the request. One that is yet to be lowered goes as an order to lower it (hand_lowering.h). New
 * reference; NULL: out of memory. */
json_t *hand_evaluate_request(const struct candidate *candidate, uint64_t token);

/* The candidate that such a message brings, with its token as its index; allocated. If it has no job, `*order` is how
 * to lower it, of the message; else NULL. */
bool hand_candidate_read(const struct message *message, struct candidate **result, const json_t **order,
                         struct error *error);

#endif
