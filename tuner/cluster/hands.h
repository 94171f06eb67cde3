/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hands.h - the hands of a job, as rank 0 sees them: who they are, what devices they have, and what they send.
 *
 * A hand that closes its connection, sends nonsense or is silent for long although it has work is lost, and stays so.
 * Where a rank dies, MPI ends the job; but hands that are started here, as by the tests, may be lost one by one.
 */
#ifndef TUNE_CLUSTER_HANDS_H
#define TUNE_CLUSTER_HANDS_H

#include "tuner/cluster/hand_message.h"

struct hands;

/* Takes a line for the user; NULL: nobody does. */
typedef void hands_notice(const char *text);

/* Take over the sockets to all hands, of ranks 1, 2, ... in this order, whatever the result, and wait until each has
 * said who it is. One that is lost before is told by `notice`. False: one of them runs another version of the
 * program, or the system lacks something. */
bool hands_create(const int *sockets, size_t count, hands_notice *notice, struct hands **result, struct error *error);

/* Close the connections, which ends the hands. */
void hands_free(struct hands *hands);

size_t hands_count(const struct hands *hands);

/* Who a hand is: "nid0012 (rank 3)" for messages; its node; a text that is equal for equal sets of cores. */
const char *hands_name(const struct hands *hands, size_t hand);
const char *hands_node(const struct hands *hands, size_t hand);
const char *hands_cores(const struct hands *hands, size_t hand);
bool hands_is_lost(const struct hands *hands, size_t hand);

/* Ask all hands which devices `text`, the argument of --device (NULL: none), means on their nodes, and wait for what
 * they answer: in between, this process may look at its own. A hand that has none, or is lost, is told by the notice
 * of hands_create. */
bool hands_ask_devices(struct hands *hands, const char *text, struct error *error);
bool hands_await_devices(struct hands *hands, struct error *error);
size_t hands_device_count(const struct hands *hands, size_t hand);
const struct found_device *hands_device(const struct hands *hands, size_t hand, size_t which);

/* Does it have the very compiler for this device, whose images are the same? It need not have such a device. */
bool hands_has_compiler(const struct hands *hands, size_t hand, const struct device_description *device);

/* Have all hands print a text, and wait until it is on its way. */
bool hands_say(struct hands *hands, const char *text, struct error *error);

/* ---- for sessions (fleet.h) */

/* A number that no message had so far. */
uint64_t hands_new_session(struct hands *hands);

/* Queue a request of a session to a hand; nothing is sent to one that is lost. */
bool hands_ask(struct hands *hands, size_t hand, uint64_t session, const json_t *request, const void *image,
               size_t image_bytes, struct error *error);

/* A descriptor that can be read when a hand has sent something, or takes more of what is queued for it. */
int hands_wake(const struct hands *hands);

/*
 * Send what is queued, wait for at most `milliseconds` until hands send something, and call `take` with each message
 * of the session; and with report NULL for each hand that is lost, once. False: `take` returned false, or memory ran
 * out.
 */
typedef bool hands_taker(size_t hand, struct hand_report *report, const char *lost, void *context,
                         struct error *error);
bool hands_receive(struct hands *hands, uint64_t session, int milliseconds, hands_taker *take, void *context,
                   struct error *error);

/* Seconds since the hand has sent anything. */
double hands_silence(const struct hands *hands, size_t hand);

/* It does not answer: close its connection. */
void hands_lose(struct hands *hands, size_t hand, const char *why);

#endif
