/* SPDX-License-Identifier: Apache-2.0 */
/*
 * site.h - what a site knows: results for all users of its machines, in files of whoever looks after these.
 *
 * A path names the database or the file of known results itself, by its ending `.json`, or a folder, in which every
 * *.db, up to 100, is a database and every *.json a file of known results (SCHEMA.md). They are read only
 * (store_open_untouched), and may be anyone's.
 */
#ifndef TUNE_SELECT_SITE_H
#define TUNE_SELECT_SITE_H

#include "db/store.h"

#include <stddef.h>

/* Of a folder, by name: each takes one of the files that the process may have open. */
enum { SITE_DATABASES_MOST = 100 };

struct site {
    struct store **stores; /* what could be read */
    size_t count;
    size_t refused;       /* files that could not be read, or not whole */
    struct error trouble; /* of the first of these */
};

/* NULL and "": nothing is known. What cannot be read is counted, and is no failure. False: out of memory. Close it in
 * any case. */
bool site_open(const char *path, struct site *site, struct error *error);
void site_close(struct site *site);

/* Something of it cannot be read. False: memory ran out, which is a failure like any other. */
bool site_note(struct site *site, const struct error *trouble, struct error *error);

#endif
