/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch.h - the row of a dispatch that comes from a file of known results.
 */
#ifndef TUNE_DB_DISPATCH_H
#define TUNE_DB_DISPATCH_H

#include "db/identity.h"

/* In SQL: one's own first, then what was imported, then what was shipped. */
#define DISPATCH_BY_ORIGIN "CASE dispatch.origin WHEN 'measured' THEN 0 WHEN 'imported' THEN 1 ELSE 2 END"

/* What a dispatch is beside its document. */
struct dispatch_facts {
    const char *objective, *made_at; /* the latter as in struct store_dispatch_row */
    enum origin origin;
};

/* Insert the row, or replace one of the same origin unless that is later; inside a transaction. `problem` is any of
 * its template, device, compiler and data. */
bool dispatch_write(struct store *store, const struct store_problem *problem, const struct dispatch_facts *facts,
                    const char *document, struct error *error);

#endif
