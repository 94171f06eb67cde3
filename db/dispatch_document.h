/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch_document.h - the dispatches of a device, for reports (see SCHEMA.md).
 */
#ifndef TUNE_DB_DISPATCH_DOCUMENT_H
#define TUNE_DB_DISPATCH_DOCUMENT_H

#include "db/connection.h"

struct json_t;

/* The document of a device gets them as the member "dispatches", those of the most recently used versions of a
 * template first. Damaged ones are left out, and so are those that would make a page large: "dispatches_left_out" is
 * how many these are. */
bool dispatch_document_add(struct store *store, int64_t device, struct json_t *document, struct error *error);

#endif
