/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_read.h - a document of known results (SCHEMA.md) into the store, entry by entry.
 *
 * The document may be anyone's. All of it is data; texts have limits, and an entry, which is a problem, one of its
 * evaluations or a dispatch, is stored only if it is whole. What says whose results these are, the template and the
 * device, must be right, or there is nothing to store.
 */
#ifndef TUNE_DB_KNOWN_READ_H
#define TUNE_DB_KNOWN_READ_H

#include "db/identity.h"

#include "tuner/json/json_find.h"

struct json_t;

struct known_reading {
    struct store *store;
    enum origin origin;
    const char *path, *text; /* for the places of errors */
    size_t length;
    store_known_refusal *refuse; /* told why, for each entry that is refused; NULL: nobody is */
    void *context;
    struct store_known_counts counts;
    struct json_step steps[6]; /* to the entry at hand, and to what is wrong in it */
    size_t depth;
    struct subject_rows subject; /* of the latest problem */
    char toolchain[512];         /* its driver and compiler; empty: there was none yet */
};

/* Inside a transaction. Whatever the origin, nothing that is known of template and device is replaced. The fields up
 * to `context` are the caller's. False: nothing is stored, or only a part if the store failed. */
bool known_read(struct known_reading *reading, const struct json_t *json, struct error *error);

#endif
