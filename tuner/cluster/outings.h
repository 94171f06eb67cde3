/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outings.h - candidates that are with hands. Each goes out under a token of its own, and comes back once, from the
 * member of the fleet to which it went.
 */
#ifndef TUNE_CLUSTER_OUTINGS_H
#define TUNE_CLUSTER_OUTINGS_H

#include "tuner/workers/candidate.h"

struct outing {
    struct candidate *candidate; /* NULL: this place is free */
    size_t member;
    uint64_t token;
};

/* All zero: none. */
struct outings {
    struct outing *list; /* by the lower half of the token */
    size_t count;
    size_t *free_places, free_count;
    uint64_t tokens; /* so far */
};

/* A candidate, which is taken over, goes out to a member. False, out of memory: it is still the caller's. */
bool outings_add(struct outings *outings, struct candidate *candidate, size_t member, uint64_t *token,
                 struct error *error);

/* The candidate comes back; it is the caller's. NULL: no such one is with this member. */
struct candidate *outings_take(struct outings *outings, size_t member, uint64_t token);

/* Any of a member's; NULL: it has none. */
struct candidate *outings_take_any(struct outings *outings, size_t member);

/* Free all of them. */
void outings_clear(struct outings *outings);

#endif
