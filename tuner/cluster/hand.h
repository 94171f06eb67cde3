/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.h - what a rank other than 0 does: it compiles and measures on its node what rank 0 asks for.
 *
 * A hand has a crew (tuner/workers/crew.h) for one template on devices of one kind at a time, with that crew's locks,
 * deadlines and confinement, and asks for as much work as the crew has room for. It compiles what it measures; a hand
 * without a device compiles for others. It knows nothing of spaces, strategies and databases. Its children die with
 * it; what they do does not end it. It ends when rank 0 closes the connection.
 */
#ifndef TUNE_CLUSTER_HAND_H
#define TUNE_CLUSTER_HAND_H

#include "tuner/workers/describe.h"

struct hand_host {
    /* The devices that `text`, the argument of --device (NULL: none was given), means on this node; allocated. */
    bool (*devices)(const char *text, struct found_device **devices, size_t *count, struct error *error);
    /* Print what rank 0 prints. */
    void (*say)(const char *text);
};

/* The name of this node. It is the host's, unless $TUNE_NODE gives another: for tests of several nodes on one. */
void hand_node(char *name, size_t size);

/* The cores that this process may use, as a text that is the same for the same set. */
void hand_cores(char text[24]);

/* Serve until rank 0 closes the socket, which is taken over. False: something that rank 0 sent cannot be read, or
 * memory ran out. */
bool hand_serve(int socket, const struct hand_host *host, struct error *error);

#endif
